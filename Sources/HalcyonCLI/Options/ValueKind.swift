/// What the shell offers after an option or for an operand.
enum ValueCompletion: Sendable, Hashable {
    case nothing
    case files
    case folders
    case choices([String])
}

/// A value that cannot be read; `reason` says more than the kind's `accepted` where there is more to say.
struct ValueProblem: Error, Equatable {
    var reason: String?
}

/// How a value is written on the command line, in the environment and in the configuration file, and how it is read.
struct ValueKind<Value: Sendable>: Sendable {
    /// As shown in the usage: `SIZE`.
    let placeholder: String
    /// Completes the sentence "expected …".
    let accepted: String
    var completion = ValueCompletion.nothing
    /// A refused text as the message may show it.
    var shown: @Sendable (String) -> String = { Shown.value($0) }
    let read: @Sendable (String) throws(ValueProblem) -> Value
    /// Reads back as the same value.
    let write: @Sendable (Value) -> String
}

extension ValueKind {
    /// A kind that knows only right and wrong.
    init(
        _ placeholder: String,
        accepted: String,
        completion: ValueCompletion = .nothing,
        parse: @escaping @Sendable (String) -> Value?,
        write: @escaping @Sendable (Value) -> String
    ) {
        self.init(
            placeholder: placeholder,
            accepted: accepted,
            completion: completion,
            read: { text throws(ValueProblem) in
                guard let value = parse(text) else { throw ValueProblem() }
                return value
            },
            write: write
        )
    }
}

extension ValueKind<Bool> {
    static var toggle: Self {
        Self(
            "true|false", accepted: "true or false", completion: .choices(["true", "false"]),
            parse: { text in
                switch text.lowercased() {
                case "true", "yes", "on", "1": true
                case "false", "no", "off", "0": false
                default: nil
                }
            },
            write: { String($0) }
        )
    }
}

extension ValueKind<String> {
    /// Any text but the empty one.
    static func text(_ placeholder: String, accepted: String = "a text that is not empty") -> Self {
        Self(placeholder, accepted: accepted, parse: { $0.isEmpty ? nil : $0 }, write: { $0 })
    }

    static var file: Self {
        Self(
            "FILE", accepted: "the path of a file", completion: .files, parse: { $0.isEmpty ? nil : $0 },
            write: { $0 })
    }

    static var folder: Self {
        Self(
            "FOLDER", accepted: "the path of a folder", completion: .folders, parse: { $0.isEmpty ? nil : $0 },
            write: { $0 })
    }
}

extension ValueKind<Int> {
    static func integer(_ placeholder: String = "N", in range: ClosedRange<Int>) -> Self {
        Self(
            placeholder,
            accepted: range.upperBound == .max
                ? "a whole number, at least \(range.lowerBound)"
                : "a whole number from \(range.lowerBound) to \(range.upperBound)",
            parse: { text in Int(text).flatMap { range.contains($0) ? $0 : nil } },
            write: { String($0) }
        )
    }

    /// Bytes. 0 is accepted where it means "keep nothing".
    static func size(minimum: Int = 0) -> Self {
        Self(
            "SIZE", accepted: minimum > 0 ? "\(ByteSize.accepted), above 0" : ByteSize.accepted,
            parse: { text in ByteSize.parse(text).flatMap { $0 >= minimum ? $0 : nil } },
            write: ByteSize.exact
        )
    }
}

extension ValueKind<Duration> {
    /// For time limits and intervals, where neither 0 nor a negative time means anything.
    static var positiveDuration: Self {
        Self(
            "DURATION", accepted: "\(DurationText.accepted), above 0",
            parse: { text in DurationText.parse(text).flatMap { $0 > .zero ? $0 : nil } },
            write: DurationText.exact
        )
    }

    /// For waits and windows, where 0 means "not at all".
    static var duration: Self {
        Self(
            "DURATION", accepted: "\(DurationText.accepted), or 0", parse: { DurationText.parse($0) },
            write: DurationText.exact)
    }
}

extension ValueKind where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    static var choice: Self {
        let choices = Value.allCases.map(\.rawValue)
        return Self(
            choices.joined(separator: "|"), accepted: "one of \(choices.joined(separator: ", "))",
            completion: .choices(choices), parse: { Value(rawValue: $0) }, write: { $0.rawValue }
        )
    }
}
