/// What a reading of every stored object found.
package struct VerifyReport: Sendable, Hashable {
    package var checked = 0
    package var bytes = 0
    /// In the index, but without a file.
    package var missing = 0
    package var truncated = 0
    package var altered = 0
    /// Files that the index does not know.
    package var orphans = 0
    /// Whether the damaged entries and the orphans were removed.
    package var isRepaired = false

    package init() {}

    package var isSound: Bool { missing + truncated + altered + orphans == 0 }
}
