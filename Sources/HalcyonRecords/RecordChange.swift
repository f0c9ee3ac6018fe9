/// What a commit of this process changed.
package enum RecordChange: Sendable, Hashable {
    /// Students added, changed or removed.
    case students(ids: [Int])
    case guidances
    case notices(clubID: String)
    case users
}
