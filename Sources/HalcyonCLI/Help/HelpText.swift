/// The help of `halcyon` and of each command, from the tables.
enum HelpText {
    static let width = 100
    private static let indent = 26

    static func overview(commands: [Command]) -> String {
        let names = commands.map { ($0.usage, $0.summary) }
        return """
            halcyon keeps a school's student photos close at hand: it fetches them, caches them and serves them.

            Usage: halcyon COMMAND [OPTIONS]

            Commands
            \(names.map { row($0.0, $0.1) }.joined(separator: "\n"))

            halcyon help COMMAND tells more. Each option is also an environment variable (--disk-limit: HALCYON_DISK_LIMIT)
            and a key of the JSON file given by --config (diskLimit). Flag beats environment beats file beats default.
            Sizes take KiB, MiB, GiB or plain bytes; durations take ms, s, m, h or d.
            Exit codes: 0 done, 1 the work failed or partly failed, 2 wrong usage or configuration, 130 interrupted.

            """
    }

    static func text(of command: Command) -> String {
        var parts = ["halcyon \(command.name): \(command.summary)", "Usage: halcyon \(command.usage) [OPTIONS]"]
        parts += command.details.map { wrapped($0, width: width).joined(separator: "\n") }
        let own = command.options
        if !own.isEmpty { parts.append(section("Options", own)) }
        let others = command.allOptions.filter { !command.options.contains($0) }
        parts.append(section(command.hasCommonOptions ? "Common options" : "Other options", others))
        return parts.joined(separator: "\n\n") + "\n"
    }

    static func text(ofGroup name: String, commands: [Command]) -> String {
        """
        halcyon \(name): \(CommandTable.groupSummary(name))

        Usage: halcyon \(name) COMMAND [OPTIONS]

        Commands
        \(commands.map { row($0.usage, $0.summary) }.joined(separator: "\n"))

        """
    }

    private static func section(_ title: String, _ specs: [OptionSpec]) -> String {
        ([title] + specs.map { row($0.synopsis, $0.help + $0.annotation) }).joined(separator: "\n")
    }

    /// A term and its explanation, the latter wrapped in its own column.
    private static func row(_ term: String, _ explanation: String) -> String {
        let lines = wrapped(explanation, width: width - indent)
        let margin = String(repeating: " ", count: indent)
        let head = "  " + term
        let first =
            head.count < indent - 1
            ? [head + String(repeating: " ", count: indent - head.count) + (lines.first ?? "")]
            : [head, margin + (lines.first ?? "")]
        return (first + lines.dropFirst().map { margin + $0 }).joined(separator: "\n")
    }

    static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return lines + [line]
    }
}

extension Command {
    var usage: String { operands.isEmpty ? name : "\(name) \(operands)" }
}

extension OptionSpec {
    /// `-o, --output FILE|-`, `--[no-]json`.
    var synopsis: String {
        let short = shortFlag.map { "-\($0), " } ?? ""
        guard let placeholder else { return "\(short)--\(defaultTexts == ["true"] ? "no-" : "")\(flag)" }
        return "\(short)--\(flag) \(placeholder)"
    }

    /// ` (default 3s; HALCYON_CONNECT_TIMEOUT)`.
    fileprivate var annotation: String {
        var notes: [String] = []
        if !isSwitch, let value = defaultTexts.first { notes.append("default \(value)") }
        if isRepeatable { notes.append("repeatable") }
        if places != .commandLineOnly { notes.append(environmentName) }
        return notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"
    }
}
