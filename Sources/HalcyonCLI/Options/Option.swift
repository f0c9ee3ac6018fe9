/// An option with the type of its value; what commands read from `Settings`.
struct Option<Value: Sendable>: Sendable {
    let spec: OptionSpec
    let defaultValue: Value
}

extension Option {
    /// An option that always has a value.
    init(
        _ flag: String, _ kind: ValueKind<Value>, default defaultValue: Value, short: Character? = nil, _ help: String
    ) {
        self.init(
            spec: OptionSpec(
                flag: flag, shortFlag: short, placeholder: kind.placeholder, accepted: kind.accepted,
                completion: kind.completion, isRepeatable: false, isText: Value.self == String.self,
                defaultTexts: [kind.write(defaultValue)], help: help,
                read: { texts throws(ValueProblemAt) in try kind.readLast(texts) ?? defaultValue },
                write: { value in (value as? Value).map { [kind.write($0)] } ?? [] }
            ),
            defaultValue: defaultValue
        )
    }

    /// An option that may be absent.
    init<Wrapped: Sendable>(
        _ flag: String, optional kind: ValueKind<Wrapped>, short: Character? = nil, _ help: String
    ) where Value == Wrapped? {
        self.init(
            spec: OptionSpec(
                flag: flag, shortFlag: short, placeholder: kind.placeholder, accepted: kind.accepted,
                completion: kind.completion, isRepeatable: false, isText: Wrapped.self == String.self, defaultTexts: [],
                help: help,
                read: { texts throws(ValueProblemAt) in try kind.readLast(texts) },
                write: { value in (value as? Value)?.map { [kind.write($0)] } ?? [] }
            ),
            defaultValue: nil
        )
    }

    /// An option that may be given several times.
    init<Element: Sendable>(
        _ flag: String, repeated kind: ValueKind<Element>, _ help: String
    ) where Value == [Element] {
        self.init(
            spec: OptionSpec(
                flag: flag, placeholder: kind.placeholder, accepted: kind.accepted, completion: kind.completion,
                isRepeatable: true, isText: Element.self == String.self, defaultTexts: [], help: help,
                read: { texts throws(ValueProblemAt) in
                    var values: [Element] = []
                    for text in texts { values.append(try kind.readOne(text)) }
                    return values
                },
                write: { value in (value as? Value)?.map(kind.write) ?? [] }
            ),
            defaultValue: []
        )
    }
}

extension Option<Bool> {
    /// A switch, off unless said otherwise: `--flag`, `--no-flag`.
    init(switch flag: String, default defaultValue: Bool = false, _ help: String) {
        let kind = ValueKind<Bool>.toggle
        self.init(
            spec: OptionSpec(
                flag: flag, placeholder: nil, accepted: kind.accepted, completion: kind.completion,
                isRepeatable: false, isText: false, defaultTexts: [kind.write(defaultValue)], help: help,
                read: { texts throws(ValueProblemAt) in try kind.readLast(texts) ?? defaultValue },
                write: { value in (value as? Bool).map { [kind.write($0)] } ?? [] }
            ),
            defaultValue: defaultValue
        )
    }
}

extension ValueKind {
    fileprivate func readOne(_ text: String) throws(ValueProblemAt) -> Value {
        do throws(ValueProblem) {
            return try read(text)
        } catch {
            throw ValueProblemAt(text: shown(text), reason: error.reason)
        }
    }

    fileprivate func readLast(_ texts: [String]) throws(ValueProblemAt) -> Value? {
        guard let last = texts.last else { return nil }
        return try readOne(last)
    }
}

extension Option {
    /// The same option, written only where `places` says.
    func only(in places: OptionSpec.Places) -> Self {
        var spec = spec
        spec.places = places
        return Self(spec: spec, defaultValue: defaultValue)
    }
}
