/// On whose behalf records are changed, as the journal keeps it.
package enum Actor: Sendable, Hashable, CustomStringConvertible {
    case user(id: Int)
    /// Somebody with access to the database file; `name` is the account of the machine.
    case commandLine(name: String)
    /// Nobody in particular: no sign-in is asked for, or this is a sign-up.
    case anyone

    /// Bound round each request and each command.
    @TaskLocal package static var current: Actor = .anyone

    /// `user:7`, `command-line:root`, `anyone`.
    package var description: String {
        switch self {
        case .user(let id): "user:\(id)"
        case .commandLine(let name): "command-line:\(name)"
        case .anyone: "anyone"
        }
    }
}
