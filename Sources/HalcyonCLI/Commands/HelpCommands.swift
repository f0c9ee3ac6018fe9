internal import HalcyonServer

extension Command {
    static let help = Command(
        path: ["help"], summary: "tell about a command", operands: "[COMMAND]", operandCount: 0...2,
        options: [Options.markdown.spec], hasCommonOptions: false
    ) { invocation in
        if invocation.settings[Options.markdown] {
            invocation.console.out(OptionReference.markdown(commands: CommandTable.all))
        } else {
            invocation.console.out(try help(about: invocation.operands))
        }
        return .done
    }

    /// The text of a command, of a group of commands, or of all.
    static func help(about words: [String]) throws(UsageError) -> String {
        guard let first = words.first else { return HelpText.overview(commands: CommandTable.all) }
        let group = CommandTable.all.filter { $0.path.first == first && $0.path.count > 1 }
        if words.count == 1, !group.isEmpty { return HelpText.text(ofGroup: first, commands: group) }
        return HelpText.text(of: try CommandTable.find(words).command)
    }

    static let completions = Command(
        path: ["completions"], summary: "print a completion script for a shell", operands: "bash|zsh|fish",
        operandCount: 1...1, operandCompletion: .choices(ShellChoice.allCases.map(\.rawValue)),
        hasCommonOptions: false
    ) { invocation in
        let name = invocation.operands[0]
        guard let shell = ShellChoice(rawValue: name) else {
            throw UsageError("completions: \"\(Shown.value(name))\" is not accepted: expected one of bash, zsh, fish")
        }
        invocation.console.out(Completions.script(for: shell, commands: CommandTable.all))
        return .done
    }

    static let version = Command(path: ["version"], summary: "print the version", hasCommonOptions: false) {
        invocation in
        invocation.console.print("halcyon \(HalcyonVersion.text)")
        return .done
    }
}
