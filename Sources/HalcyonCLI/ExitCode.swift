/// What the process ends with (CONTRACT: exit codes).
enum ExitCode: Int32, Sendable {
    case done = 0
    /// The work failed or partly failed.
    case failed = 1
    /// Wrong usage or configuration; nothing was begun.
    case usage = 2
    case interrupted = 130
}
