internal import Foundation
internal import HalcyonHTTP

/// The JSON object of a request body, read field by field with errors that name the field.
struct JSONObject: Sendable {
    enum Value: Sendable, Hashable {
        case null
        case flag(Bool)
        case number(Double)
        case text(String)
        case list([Value])
        case object
    }

    private let fields: [String: Value]

    /// An empty body is an empty object.
    init(_ request: HTTPRequest) throws(Problem) {
        try JSONBody.requireJSON(request)
        if request.body.isEmpty {
            fields = [:]
            return
        }
        let decoded: [String: Decoded]
        do { decoded = try JSONDecoder().decode([String: Decoded].self, from: Data(request.body)) } catch {
            throw Problem(400, .notJSON, "the body is not a JSON object in UTF-8")
        }
        fields = decoded.mapValues(\.value)
    }

    func refuseOthers(than known: [String]) throws(Problem) {
        guard let other = fields.keys.sorted().first(where: { !known.contains($0) }) else { return }
        // The name is the client's own, so it goes back to the client, cut off where it would fill the message.
        let name = other.unicodeScalars.prefix(40).map { $0.properties.generalCategory == .control ? "?" : String($0) }
        throw .notAllowed(
            name.joined() + (name.count < other.unicodeScalars.count ? "…" : ""),
            "accepted are \(known.joined(separator: ", "))")
    }

    func has(_ name: String) -> Bool { fields[name].map { $0 != .null } ?? false }

    func flag(_ name: String) throws(Problem) -> Bool {
        switch fields[name] ?? .null {
        case .null: return false
        case .flag(let flag): return flag
        default: throw .wrongType(name, accepted: "true or false")
        }
    }

    /// `nil` if it is not there. A number in quotes counts: older clients send all values as text.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard has(name), let value = fields[name] else { return nil }
        return try Self.number(value, name, in: range)
    }

    /// One number or a list of them.
    func numbers(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> [Int] {
        var numbers: [Int] = []
        for (name, value) in values(name) { numbers.append(try Self.number(value, name, in: range)) }
        return numbers
    }

    func text(_ name: String) throws(Problem) -> String? {
        switch fields[name] ?? .null {
        case .null: return nil
        case .text(let text): return text
        default: throw .wrongType(name, accepted: "text")
        }
    }

    /// One URL or a list of them, each of which can be read.
    func urls(_ name: String) throws(Problem) -> [String] {
        var urls: [String] = []
        for (name, value) in values(name) {
            guard case .text(let text) = value else {
                throw .wrongType(name, accepted: "an http or https URL, as text")
            }
            do throws(URLProblem) {
                _ = try CanonicalURL(text)
            } catch {
                throw Problem(400, .wrongType, "\(name): \(error)")
            }
            urls.append(text)
        }
        return urls
    }

    /// Bytes: a number, or a text with or without a unit.
    func size(_ name: String) throws(Problem) -> Int {
        let bytes: Int? =
            switch fields[name] ?? .null {
            case .text(let text): Quantity.bytes(text)
            case .number(let number): Int(exactly: number)
            default: nil
            }
        guard let bytes, bytes >= 0 else {
            throw .wrongType(name, accepted: "a size such as 500MiB, 2GiB or a number of bytes")
        }
        return bytes
    }

    /// Each value under the name that an error gives it: `url`, or `url[0]` in a list.
    private func values(_ name: String) -> [(name: String, value: Value)] {
        switch fields[name] ?? .null {
        case .null: []
        case .list(let values): values.enumerated().map { ("\(name)[\($0.offset)]", $0.element) }
        case let value: [(name, value)]
        }
    }

    private static func number(_ value: Value, _ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int {
        switch value {
        case .text(let text): return try RequestTarget.number(text, name, in: range)
        case .number(let number):
            let accepted = "a whole number from \(range.lowerBound) to \(range.upperBound)"
            guard let whole = Int(exactly: number) else { throw .wrongType(name, accepted: accepted) }
            guard range.contains(whole) else { throw .outOfRange(name, accepted: accepted) }
            return whole
        default: throw .wrongType(name, accepted: "a whole number")
        }
    }

    private struct Decoded: Decodable {
        let value: Value

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                value = .null
            } else if let flag = Self.read(Bool.self, container) {
                value = .flag(flag)
            } else if let number = Self.read(Double.self, container) {
                value = .number(number)
            } else if let text = Self.read(String.self, container) {
                value = .text(text)
            } else if let list = Self.read([Decoded].self, container) {
                value = .list(list.map(\.value))
            } else {
                value = .object
            }
        }

        /// A type that does not fit is no error here: the next one is tried.
        private static func read<T: Decodable>(_ type: T.Type, _ container: any SingleValueDecodingContainer) -> T? {
            do { return try container.decode(type) } catch { return nil }
        }
    }
}
