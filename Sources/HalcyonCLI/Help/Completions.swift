enum ShellChoice: String, CaseIterable, Sendable { case bash, zsh, fish }

/// Completion scripts from the tables: the words of commands, their options, and the values where they are known.
enum Completions {
    static func script(for shell: ShellChoice, commands: [Command]) -> String {
        switch shell {
        case .bash: bash(commands)
        case .zsh: zsh(commands)
        case .fish: fish(commands)
        }
    }

    static func flags(of command: Command) -> [String] {
        command.allOptions.filter { $0.unavailable == nil }.map { "--\($0.flag)" }
    }

    /// Second words of a group, or the choices of the first operand.
    private static func words(after first: String, _ commands: [Command]) -> [String] {
        commands.filter { $0.path.first == first }.flatMap { command -> [String] in
            if command.path.count > 1 { return [command.path[1]] }
            if case .choices(let choices) = command.operandCompletion { return choices }
            return []
        }
    }

    private static func firstWords(_ commands: [Command]) -> [String] {
        var seen: Set<String> = []
        return commands.compactMap(\.path.first).filter { seen.insert($0).inserted }
    }

    private static func bash(_ commands: [Command]) -> String {
        let byCommand = commands.map { command in
            "        \"\(command.name)\"*) flags=\"\(flags(of: command).joined(separator: " "))\" ;;"
        }.sorted { $0.count > $1.count }
        let subwords = firstWords(commands).compactMap { first -> String? in
            let words = words(after: first, commands)
            return words.isEmpty ? nil : "        \(first)) words=\"\(words.joined(separator: " "))\" ;;"
        }
        let values = Options.all.compactMap { spec -> String? in
            switch spec.completion {
            case .choices(let choices) where !spec.isSwitch:
                "        --\(spec.flag)) COMPREPLY=($(compgen -W \"\(choices.joined(separator: " "))\" -- \"$word\")); return ;;"
            case .files: "        --\(spec.flag)) COMPREPLY=($(compgen -f -- \"$word\")); return ;;"
            case .folders: "        --\(spec.flag)) COMPREPLY=($(compgen -d -- \"$word\")); return ;;"
            default: nil
            }
        }
        return """
            # bash completion for halcyon: source <(halcyon completions bash)
            _halcyon() {
                local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" flags="" words=""
                COMPREPLY=()
                case "$previous" in
            \(values.joined(separator: "\n"))
                esac
                if [ "$COMP_CWORD" -eq 1 ]; then
                    COMPREPLY=($(compgen -W "\(firstWords(commands).joined(separator: " "))" -- "$word"))
                    return
                fi
                case "${COMP_WORDS[1]} ${COMP_WORDS[2]:-}" in
            \(byCommand.joined(separator: "\n"))
                esac
                if [ "$COMP_CWORD" -eq 2 ]; then
                    case "${COMP_WORDS[1]}" in
            \(subwords.map { "    " + $0 }.joined(separator: "\n"))
                    esac
                fi
                case "$word" in
                    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
                    *) COMPREPLY=($(compgen -W "$words" -- "$word") $(compgen -f -- "$word")) ;;
                esac
            }
            complete -o filenames -F _halcyon halcyon

            """
    }

    private static func zsh(_ commands: [Command]) -> String {
        """
        #compdef halcyon
        # zsh completion for halcyon: halcyon completions zsh > "${fpath[1]}/_halcyon"
        autoload -U +X bashcompinit && bashcompinit
        \(bash(commands))
        """
    }

    private static func fish(_ commands: [Command]) -> String {
        func quoted(_ text: String) -> String {
            "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\\'") + "'"
        }
        var lines = ["# fish completion for halcyon: halcyon completions fish | source", "complete -c halcyon -f"]
        for first in firstWords(commands) {
            let summary = commands.first { $0.path == [first] }?.summary ?? CommandTable.groupSummary(first)
            lines.append("complete -c halcyon -n __fish_use_subcommand -a \(first) -d \(quoted(summary))")
            let words = words(after: first, commands)
            if !words.isEmpty {
                let condition = "__fish_seen_subcommand_from \(first)"
                lines.append("complete -c halcyon -n '\(condition)' -a \(quoted(words.joined(separator: " ")))")
            }
        }
        for command in commands {
            let condition = command.path.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
            for spec in command.allOptions where spec.unavailable == nil {
                var line = "complete -c halcyon -n '\(condition)' -l \(spec.flag) -d \(quoted(spec.help))"
                if let short = spec.shortFlag { line += " -s \(short)" }
                switch spec.completion {
                case _ where spec.isSwitch: break
                case .choices(let choices): line += " -x -a \(quoted(choices.joined(separator: " ")))"
                case .files, .folders: line += " -r -F"
                case .nothing: line += " -x"
                }
                lines.append(line)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
