internal import Foundation
internal import HalcyonHTTP

/// The fields of a request body, a JSON object or a form, read one by one with errors that name the field.
///
/// All values of a form (`application/x-www-form-urlencoded`, what Alamofire sends unless told otherwise) are texts.
/// As Alamofire writes them, `name[]=` is an element of a list and `name[key]=` a member of an object.
struct RequestBody: Sendable {
    enum Value: Sendable, Hashable {
        case null
        case flag(Bool)
        case number(Double)
        case text(String)
        case list([Value])
        case object([String: Value])
    }

    private let fields: [String: Value]
    private let isForm: Bool

    init(_ fields: [String: Value]) {
        self.fields = fields
        isForm = false
    }

    /// A body that does not say what it is is taken for JSON; an empty one has no fields.
    ///
    /// - Throws: 400 for what cannot be read, for a field given twice and for one that the route does not take; 415 for any
    ///   other content.
    init(_ request: HTTPRequest) throws(Problem) {
        isForm = try BodyKind(request) == .form
        fields = try isForm ? FormBody.fields(request.body) : Self.json(request.body)
        guard let accepted = request.acceptedFields else { return }
        try refuseOthers(than: accepted.map(\.name))
        // What is needed and `null` is missing, which the route says.
        for field in accepted where !field.isRequired && !field.schema.takesNull && fields[field.name] == .null {
            throw .wrongType(field.name, accepted: "a value, or leave it out")
        }
    }

    /// As JSON, for what is decoded into a type.
    var json: Data {
        get throws { try JSONEncoder().encode(fields) }
    }

    /// The names that were given, in no order.
    var names: [String] { Array(fields.keys) }

    var values: [String: Value] { fields }

    subscript(_ name: String) -> Value { fields[name] ?? .null }

    private static func json(_ body: [UInt8]) throws(Problem) -> [String: Value] {
        guard !body.isEmpty else { return [:] }
        try JSONBody.checkShape(body)
        do { return try JSONDecoder().decode([String: Value].self, from: Data(body)) } catch {
            throw Problem(400, .notJSON, "the body is not a JSON object in UTF-8")
        }
    }

    func refuseOthers(than known: [String]) throws(Problem) {
        guard let other = fields.keys.sorted().first(where: { !known.contains($0) }) else { return }
        throw .notAllowed(Self.shown(other), "accepted are \(known.joined(separator: ", "))")
    }

    /// A name that the client made up goes back to the client, cut off where it would fill the message.
    static func shown(_ name: String) -> String {
        let shown = name.unicodeScalars.prefix(40).map { $0.properties.generalCategory == .control ? "?" : String($0) }
        return shown.joined() + (shown.count < name.unicodeScalars.count ? "…" : "")
    }

    func has(_ name: String) -> Bool { fields[name].map { $0 != .null } ?? false }

    func flag(_ name: String) throws(Problem) -> Bool {
        switch fields[name] ?? .null {
        case .null: return false
        case .flag(let flag): return flag
        // Alamofire writes 1 and 0, or true and false if it is told to.
        case .text("true") where isForm, .text("1") where isForm: return true
        case .text("false") where isForm, .text("0") where isForm: return false
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

    /// A word of a closed list; `nil` if it is not there.
    func choice<Word: ClosedList>(_ name: String, _ type: Word.Type = Word.self) throws(Problem) -> Word? {
        try text(name).map { (text) throws(Problem) in try Word(text, name) }
    }

    func text(_ name: String) throws(Problem) -> String? {
        switch fields[name] ?? .null {
        case .null: return nil
        case .text(let text): return text
        default: throw .wrongType(name, accepted: "text")
        }
    }

    func requiredText(_ name: String, accepted: String = "text") throws(Problem) -> String {
        guard let text = try text(name) else { throw .missing(name, accepted: accepted) }
        return text
    }

    /// One URL or a list of them, each of which can be read.
    func texts(_ name: String, accepted: String) throws(Problem) -> [(name: String, text: String)] {
        var texts: [(name: String, text: String)] = []
        for (name, value) in values(name) {
            guard case .text(let text) = value else { throw .wrongType(name, accepted: accepted) }
            texts.append((name, text))
        }
        return texts
    }

    func urls(_ name: String) throws(Problem) -> [String] {
        var urls: [String] = []
        for (name, text) in try texts(name, accepted: "an http or https URL, as text") {
            do throws(URLProblem) {
                _ = try CanonicalURL(text)
            } catch {
                throw Problem(400, .outOfRange, "\(name): \(error)")
            }
            urls.append(text)
        }
        return urls
    }

    /// Bytes: a number, or a text with or without a unit.
    func size(_ name: String) throws(Problem) -> Int {
        do throws(Quantity.Fault) {
            switch fields[name] ?? .null {
            case .text(let text): return try Quantity.bytes(text)
            case .number(let number) where number.rounded() == number:
                guard let bytes = Int(exactly: number), bytes >= 0 else { throw .tooLarge }
                return bytes
            default: throw .notOne
            }
        } catch {
            throw Problem(error, name, accepted: "a size such as 500MiB, 2GiB or a number of bytes")
        }
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
            guard number.rounded() == number else { throw .wrongType(name, accepted: accepted) }
            guard let whole = Int(exactly: number), range.contains(whole) else {
                throw .outOfRange(name, accepted: accepted)
            }
            return whole
        default: throw .wrongType(name, accepted: "a whole number")
        }
    }
}
