internal import HalcyonRecords

/// What a route asks of whoever uses it.
enum Access: Sendable, Hashable {
    /// Anyone, signed in or not: what a probe, or somebody who has yet to sign in, must reach.
    case anyone
    /// Any user. A token is needed even where nobody has to sign in: what is done is done as somebody.
    case signedIn
    case role(UserRole)

    /// As `docs/routes.md` prints it.
    var label: String {
        switch self {
        case .anyone: "anyone"
        case .signedIn: "signed in"
        case .role(let role): role.rawValue
        }
    }
}
