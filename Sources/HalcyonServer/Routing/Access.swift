internal import HalcyonRecords

/// What a route asks of whoever uses it.
enum Access: Sendable, Hashable {
    /// Anyone, signed in or not: what a probe, or somebody who has yet to sign in, must reach.
    case anyone
    case role(UserRole)
}

/// The one place where access is decided. Without users everybody who can reach the port may do everything: that is
/// what loopback is for, and beyond loopback `--open` has to say so.
struct AccessControl: Sendable {
    /// Whether `access` is granted to a request that carries no token. Asked on I/O threads.
    @inline(__always)
    func grantsWithoutToken(_ access: Access) -> Bool { true }

    func check(_ access: Access, _ request: HTTPRequest) throws(Problem) {
        guard !grantsWithoutToken(access) else { return }
        throw Problem(401, .notSignedIn, "sign in", fields: [("WWW-Authenticate", "Bearer")])
    }
}
