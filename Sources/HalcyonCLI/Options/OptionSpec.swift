/// One option, whatever the type of its value: the row from which parsing, precedence, help, completions and
/// `docs/options.md` are made.
struct OptionSpec: Sendable {
    /// Without the dashes: `max-image-bytes`.
    let flag: String
    var shortFlag: Character?
    /// `nil` for a switch: `--json`, `--no-json`.
    let placeholder: String?
    let accepted: String
    let completion: ValueCompletion
    let isRepeatable: Bool
    /// Whether the value is a text, which a number in the configuration file is not.
    let isText: Bool
    /// As `docs/options.md` and `--print-config` show it; empty if there is none.
    let defaultTexts: [String]
    let help: String
    /// Where the option can be written besides the command line.
    var places = Places.environmentAndFile
    /// Reads all texts given for the option, the last one only unless it is repeatable.
    let read: @Sendable ([String]) throws(ValueProblemAt) -> any Sendable
    let write: @Sendable (any Sendable) -> [String]

    enum Places: Sendable {
        case environmentAndFile
        /// `--config` itself: a file cannot name itself.
        case environment
        /// What is asked of this one run: `--print-config`.
        case commandLineOnly
    }

    /// `HALCYON_MAX_IMAGE_BYTES`.
    var environmentName: String {
        "HALCYON_" + flag.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    /// `maxImageBytes`.
    var jsonKey: String {
        let words = flag.split(separator: "-")
        return words.enumerated().map { index, word in
            index == 0 ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
        }.joined()
    }

    var isSwitch: Bool { placeholder == nil }
}

/// Which of an option's texts could not be read, and why.
struct ValueProblemAt: Error, Equatable {
    /// Without what must not be printed.
    let text: String
    let reason: String?
}

extension OptionSpec: Hashable {
    static func == (left: Self, right: Self) -> Bool { left.flag == right.flag }

    func hash(into hasher: inout Hasher) { hasher.combine(flag) }
}
