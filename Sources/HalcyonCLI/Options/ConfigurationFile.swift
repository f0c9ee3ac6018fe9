#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The JSON file given by `--config`: every option under its key, and `origins`.
struct ConfigurationFile: Sendable {
    static let originsKey = "origins"

    let path: String
    /// The texts of each option named in the file, by flag.
    private(set) var texts: [String: [String]] = [:]
    private(set) var origins: [OriginEntry] = []

    init(path: String, known: [OptionSpec]) throws(UsageError) {
        try self.init(text: TextFile.read(path, what: "--config"), path: path, known: known)
    }

    init(text: String, path: String, known: [OptionSpec]) throws(UsageError) {
        self.path = path
        let json: JSONValue
        do {
            json = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        } catch DecodingError.dataCorrupted(let context) {
            throw UsageError("--config: \(path) is not JSON: \(Self.reason(context))")
        } catch {
            throw UsageError("--config: \(path) is not JSON")
        }
        guard case .object(let object) = json else {
            throw UsageError("--config: \(path): expected a JSON object")
        }
        let byKey = Dictionary(
            known.filter { $0.places == .environmentAndFile }.map { ($0.jsonKey, $0) },
            uniquingKeysWith: { first, _ in first })
        for (key, value) in object.sorted(by: { $0.key < $1.key }) {
            if key == Self.originsKey {
                origins = try Self.origins(value, path: path)
            } else if let spec = byKey[key] {
                texts[spec.flag] = try Self.texts(value, of: spec, path: path)
            } else {
                throw .unknownKey(key, place: path, known: byKey.keys + [Self.originsKey])
            }
        }
    }

    private static func origins(_ json: JSONValue, path: String) throws(UsageError) -> [OriginEntry] {
        guard case .array(let elements) = json else {
            throw UsageError("\(path): origins: expected an array of objects with at least \"host\"")
        }
        var entries: [OriginEntry] = []
        for (index, element) in elements.enumerated() {
            entries.append(try OriginEntry(element, place: "\(path): origins[\(index)]"))
        }
        return entries
    }

    private static func texts(_ json: JSONValue, of spec: OptionSpec, path: String) throws(UsageError) -> [String] {
        let elements: [JSONValue]
        if case .array(let array) = json, spec.isRepeatable { elements = array } else { elements = [json] }
        var texts: [String] = []
        for element in elements {
            switch element {
            case .string(let text) where !spec.isSwitch: texts.append(text)
            case .integer(let number) where !spec.isSwitch && !spec.isText: texts.append(String(number))
            case .bool(let value) where spec.isSwitch: texts.append(String(value))
            default:
                let given = element.text()
                // A text may be a secret or a URL; what is no text tells nothing by itself.
                let shown = element.isScalar ? "\(given) is not accepted: " : ""
                throw UsageError("\(spec.jsonKey) in \(path): \(shown)expected \(spec.accepted)")
            }
        }
        return texts
    }

    private static func reason(_ context: DecodingError.Context) -> String {
        guard let cause = context.underlyingError else { return context.debugDescription }
        let text = String(describing: cause)
        // Foundation wraps the sentence worth reading in quotes.
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        return parts.count > 2 ? String(parts[1]) : text
    }
}

extension UsageError {
    static func unknownKey(_ key: String, place: String, known: some Sequence<String>) -> UsageError {
        let hint = Suggestion.nearest(to: key, in: known).map { ": did you mean \"\($0)\"?" } ?? ""
        return UsageError("\(place): there is no key \"\(key)\"\(hint)")
    }
}
