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
        command.allOptions.map { "--\($0.flag)" }
    }

    /// Second words of a group, or the choices of the first operand.
    private static func words(after first: String, _ commands: [Command]) -> [String] {
        commands.filter { $0.path.first == first }.flatMap { command -> [String] in
            if command.path.count > 1 { return [command.path[1]] }
            if command.path == Command.help.path { return firstWords(commands) }
            if case .choices(let choices) = command.operandCompletion { return choices }
            return []
        }
    }

    private static func firstWords(_ commands: [Command]) -> [String] {
        var seen: Set<String> = []
        return commands.compactMap(\.path.first).filter { seen.insert($0).inserted }
    }

    private static func bash(_ commands: [Command]) -> String {
        let rows = commands.map { command in
            // The commands of a group are told apart by their second word.
            let pattern = command.path.count > 1 ? "\"\(command.name)\"" : "\"\(command.name) \"*"
            let flags = flags(of: command).joined(separator: " ")
            return
                "        \(pattern)) first=\(command.path.count + 1) flags=\"\(flags)\" \(operands(of: command, commands)) ;;"
        }
        let groups = firstWords(commands).compactMap { first -> String? in
            let words = commands.filter { $0.path.first == first && $0.path.count > 1 }.map { $0.path[1] }
            return words.isEmpty ? nil : "            \(first)) _halcyon_offer \(list(words)); return ;;"
        }
        let values = Options.all.compactMap { spec -> String? in
            guard !spec.isSwitch else { return nil }
            let names = spec.shortFlag.map { "--\(spec.flag)|-\($0)" } ?? "--\(spec.flag)"
            switch spec.completion {
            case .choices(let choices): return "        \(names)) _halcyon_offer \(list(choices)); return ;;"
            case .files: return "        \(names)) _halcyon_files -f; return ;;"
            case .folders: return "        \(names)) _halcyon_files -d; return ;;"
            case .nothing: return "        \(names)) return ;;"
            }
        }
        return """
            # bash completion for halcyon: source <(halcyon completions bash)
            _halcyon_offer() {
                local item plain="${word#[\\"\\']}"
                for item in "$@"; do
                    if [[ "$plain" != "$word" ]]; then
                        [[ "$item" == "$plain"* ]] && COMPREPLY+=("$item")
                    elif [[ "${item// /\\\\ }" == "$word"* ]]; then
                        COMPREPLY+=("${item// /\\\\ }")
                    fi
                done
            }
            _halcyon_files() {
                local IFS=$'\\n'
                compopt -o filenames 2>/dev/null
                COMPREPLY=($(compgen "$1" -- "$word"))
            }
            _halcyon() {
                local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" flags="" kind="" first=0
                local words=()
                COMPREPLY=()
                if [[ "$word" == "=" ]]; then
                    word=""
                elif [[ "$previous" == "=" && "$COMP_CWORD" -gt 1 ]]; then
                    previous="${COMP_WORDS[COMP_CWORD-2]}"
                fi
                case "$previous" in
            \(values.joined(separator: "\n"))
                esac
                if [[ "$COMP_CWORD" -eq 1 ]]; then
                    _halcyon_offer \(list(firstWords(commands)))
                    return
                fi
                if [[ "$COMP_CWORD" -eq 2 ]]; then
                    case "${COMP_WORDS[1]}" in
            \(groups.joined(separator: "\n"))
                    esac
                fi
                case "${COMP_WORDS[1]} ${COMP_WORDS[2]:-}" in
            \(rows.joined(separator: "\n"))
                esac
                if [[ "$word" == -* ]]; then
                    _halcyon_offer $flags
                    return
                fi
                [[ "$COMP_CWORD" -eq "$first" ]] || return
                case "$kind" in
                    files) _halcyon_files -f ;;
                    words) _halcyon_offer "${words[@]}" ;;
                esac
            }
            complete -F _halcyon halcyon

            """
    }

    /// What the first operand of a command can be, as assignments.
    private static func operands(of command: Command, _ commands: [Command]) -> String {
        if command.path == Command.help.path { return "kind=words words=(\(list(firstWords(commands))))" }
        switch command.operandCompletion {
        case .choices(let choices): return "kind=words words=(\(list(choices)))"
        case .files, .folders: return "kind=files"
        case .nothing: return "kind=none"
        }
    }

    /// Words for the shell, each as one.
    private static func list(_ words: [String]) -> String {
        words.map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " ")
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
            for command in commands where command.path.first == first && command.operandCompletion == .files {
                let condition = command.path.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
                lines.append("complete -c halcyon -n '\(condition)' -F")
            }
        }
        for command in commands {
            let condition = command.path.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
            for spec in command.allOptions {
                var line = "complete -c halcyon -n '\(condition)' -l \(spec.flag) -d \(quoted(spec.help))"
                if let short = spec.shortFlag { line += " -s \(short)" }
                switch spec.completion {
                case _ where spec.isSwitch: break
                case .choices(let choices):
                    line +=
                        " -x -a \(quoted(choices.map { $0.contains(" ") ? "\"\($0)\"" : $0 }.joined(separator: " ")))"
                case .files, .folders: line += " -r -F"
                case .nothing: line += " -x"
                }
                lines.append(line)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
