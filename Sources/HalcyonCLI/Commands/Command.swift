/// One command: the row from which usage, help and completions are made.
struct Command: Sendable {
    /// `["students", "import"]`.
    let path: [String]
    let summary: String
    /// As shown in the usage: `FILE`, `[COMMAND]`; empty if the command takes no other words.
    var operands = ""
    var operandCount = 0...0
    var operandCompletion = ValueCompletion.nothing
    /// The command's own options; the common ones come besides.
    var options: [OptionSpec] = []
    /// Whether the common options mean anything to the command.
    var hasCommonOptions = true
    /// Paragraphs after the usage.
    var details: [String] = []
    var run: @Sendable (Invocation) async throws -> ExitCode

    var name: String { path.joined(separator: " ") }

    /// Own options first, then the common ones.
    var allOptions: [OptionSpec] {
        let rest = hasCommonOptions ? Options.common : [Options.help.spec]
        return options + rest.filter { !options.contains($0) }
    }
}

/// What a command runs on.
struct Invocation: Sendable {
    let command: Command
    var settings: Settings
    let operands: [String]
    let console: Console
    /// Reads the environment's and the file's part again, for SIGHUP. Options in the argument, by flag, are taken as if
    /// they had been given on the command line.
    var settingsReread: @Sendable (_ adding: [String: [String]]) throws(UsageError) -> Settings
}
