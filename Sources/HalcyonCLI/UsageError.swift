/// Wrong usage or configuration: told on stderr, exit code 2. The message names the option, the value and what is accepted.
struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The work itself failed: told on stderr, exit code 1.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
