internal import Glibc

/// The effective configuration of one run: flag before environment before file before default.
struct Settings: Sendable {
    enum Source: Int, Sendable, Comparable {
        case standard, file, environment, flag

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    private var values: [String: any Sendable] = [:]
    private var sources: [String: Source] = [:]
    /// `origins` of the configuration file.
    private(set) var origins: [OriginEntry] = []
    let environment: [String: String]

    /// Reads every option of `specs`; the first value that cannot be read is refused with its place.
    ///
    /// - Parameter given: the texts of the command line, by flag.
    init(
        specs: [OptionSpec], given: [String: [String]], environment: [String: String], file: ConfigurationFile?
    ) throws(UsageError) {
        self.environment = environment
        origins = file?.origins ?? []
        for spec in specs {
            let (texts, source, place) = Self.texts(of: spec, given: given, environment: environment, file: file)
            sources[spec.flag] = source
            do throws(ValueProblemAt) {
                values[spec.flag] = try spec.read(texts)
            } catch {
                let reason = error.reason.map { " (\($0))" } ?? ""
                throw UsageError("\(place): \"\(error.text)\" is not accepted\(reason): expected \(spec.accepted)")
            }
        }
    }

    /// The value of an option; its default if the command does not have the option.
    subscript<Value>(_ option: Option<Value>) -> Value {
        (values[option.spec.flag] as? Value) ?? option.defaultValue
    }

    func source(of spec: OptionSpec) -> Source { sources[spec.flag] ?? .standard }

    /// Among alternatives such as the selectors of `purge`, those that count: a flag puts all that the environment
    /// or the file say aside, not only its own counterpart.
    func given(among specs: [OptionSpec]) -> Set<OptionSpec> {
        let strongest = specs.map(source(of:)).max() ?? .standard
        return strongest == .standard ? [] : Set(specs.filter { source(of: $0) == strongest })
    }

    /// The texts that `spec` would be given to mean its present value.
    func texts(of spec: OptionSpec) -> [String] {
        values[spec.flag].map(spec.write) ?? spec.defaultTexts
    }

    private static func texts(
        of spec: OptionSpec, given: [String: [String]], environment: [String: String], file: ConfigurationFile?
    ) -> (texts: [String], source: Source, place: String) {
        if let texts = given[spec.flag] {
            return (texts, .flag, "--\(spec.flag)")
        }
        // An empty variable is one that a container's file left blank, not a value.
        if spec.places != .commandLineOnly, let text = environment[spec.environmentName], !text.isEmpty {
            let texts = spec.isRepeatable ? text.split(whereSeparator: \.isWhitespace).map(String.init) : [text]
            return (texts, .environment, "\(spec.environmentName) (--\(spec.flag))")
        }
        if let file, let texts = file.texts[spec.flag], !texts.isEmpty {
            return (texts, .file, "\(spec.jsonKey) in \(file.path)")
        }
        return ([], .standard, "--\(spec.flag)")
    }
}

extension Settings {
    /// The configuration file that would have the same effect, secrets hidden.
    func effectiveConfiguration(of specs: [OptionSpec]) -> JSONValue {
        var object: [String: JSONValue] = [:]
        for spec in specs where spec.places == .environmentAndFile {
            let texts =
                isSecret(spec)
                ? [JSONValue.string("(hidden)")]
                : texts(of: spec).map { text in
                    if spec.isSwitch { return JSONValue.bool(text == "true") }
                    return (spec.isText ? nil : Int(text)).map(JSONValue.integer) ?? .string(text)
                }
            if spec.isRepeatable {
                object[spec.jsonKey] = .array(texts)
            } else if let text = texts.first {
                object[spec.jsonKey] = text
            }
        }
        object[ConfigurationFile.originsKey] = .array(origins.map(\.redacted))
        return .object(object)
    }

    /// The keys themselves, given where the file's name should be.
    private func isSecret(_ spec: OptionSpec) -> Bool {
        guard spec == Options.signKeys.spec, let path = self[Options.signKeys] else { return false }
        return access(path, F_OK) != 0
    }
}
