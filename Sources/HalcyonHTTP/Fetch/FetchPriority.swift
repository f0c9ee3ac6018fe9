/// Who goes first when transfers have to wait for each other.
package enum FetchPriority: Int, Sendable, Comparable, CaseIterable {
    case prefetch
    case interactive

    package static func < (left: FetchPriority, right: FetchPriority) -> Bool { left.rawValue < right.rawValue }
}
