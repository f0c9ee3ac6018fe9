/// What was written, before anything is read: texts by flag, and the words that are no options.
struct ParsedCommandLine: Sendable, Equatable {
    var texts: [String: [String]] = [:]
    var operands: [String] = []
    /// How each flag was written, in order, for messages.
    var flags: [String] = []
}

/// Splits arguments by the option table: `--flag value`, `--flag=value`, `--switch`, `--no-switch`, `-o value`, `--`.
/// Options may stand before, between and after the other words.
enum CommandLineParser {
    static func parse(_ arguments: [String], known: [OptionSpec]) throws(UsageError) -> ParsedCommandLine {
        var parsed = ParsedCommandLine()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                parsed.operands += rest
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                parsed.operands.append(argument)
                continue
            }
            let (name, attached) = split(argument)
            guard let (spec, isNegated) = find(name, in: known) else {
                // Ids of notices begin with a dash; a longer word after one dash is no option of ours.
                if !argument.hasPrefix("--"), argument.count > 2 {
                    parsed.operands.append(argument)
                    continue
                }
                throw unknown(name, known: known)
            }
            parsed.flags.append(spec.flag)
            let text: String
            if spec.isSwitch {
                text = try switchText(name, isNegated: isNegated, attached: attached)
            } else if let attached {
                text = attached
            } else if let next = rest.first, next == "-" || !next.hasPrefix("--") {
                text = next
                rest.removeFirst()
            } else {
                throw UsageError("\(name): needs a value: expected \(spec.accepted)")
            }
            parsed.texts[spec.flag, default: []].append(text)
        }
        return parsed
    }

    /// `--flag=value` → `--flag` and `value`; `-ovalue` → `-o` and `value`.
    private static func split(_ argument: String) -> (name: String, value: String?) {
        if !argument.hasPrefix("--"), argument.count > 2 {
            return (String(argument.prefix(2)), String(argument.dropFirst(2)))
        }
        guard let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
        return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
    }

    private static func find(_ name: String, in known: [OptionSpec]) -> (OptionSpec, isNegated: Bool)? {
        guard name.hasPrefix("--") else {
            let letter = name.dropFirst().first
            return known.first { $0.shortFlag == letter }.map { ($0, false) }
        }
        let flag = String(name.dropFirst(2))
        if let spec = known.first(where: { $0.flag == flag }) { return (spec, false) }
        guard flag.hasPrefix("no-") else { return nil }
        return known.first { $0.isSwitch && $0.flag == flag.dropFirst(3) }.map { ($0, true) }
    }

    private static func switchText(_ name: String, isNegated: Bool, attached: String?) throws(UsageError) -> String {
        guard let attached else { return isNegated ? "false" : "true" }
        guard !isNegated else { throw UsageError("\(name): takes no value") }
        return attached
    }

    private static func unknown(_ name: String, known: [OptionSpec]) -> UsageError {
        guard name.hasPrefix("--") else {
            return UsageError("there is no option \(name)")
        }
        let flags = known.map(\.flag)
        let hint = Suggestion.nearest(to: String(name.dropFirst(2)), in: flags).map { ": did you mean --\($0)?" }
        return UsageError("there is no option \(name)\(hint ?? "")")
    }
}
