/// What a user may do; each role may do what the ones before it may.
package enum UserRole: String, Sendable, Codable, CaseIterable, Comparable {
    /// Reads students and photos.
    case viewer
    /// Also guidances and notices.
    case staff
    /// Everything.
    case admin

    package static func < (left: UserRole, right: UserRole) -> Bool { left.rank < right.rank }

    /// From 0 up, in the order of what they may do.
    package var rank: Int {
        switch self {
        case .viewer: 0
        case .staff: 1
        case .admin: 2
        }
    }
}
