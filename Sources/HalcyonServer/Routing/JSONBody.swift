internal import Foundation
internal import HalcyonHTTP
internal import HalcyonRecords

/// Request bodies that are decoded into a type.
enum JSONBody {
    /// Errors name the field: missing, of the wrong type, or not acceptable.
    static func decode<T: Decodable>(_ type: T.Type, from request: HTTPRequest) throws(Problem) -> T {
        try requireJSON(request)
        do {
            return try JSONDecoder().decode(type, from: Data(request.body.isEmpty ? Array("{}".utf8) : request.body))
        } catch let error as RecordError {
            throw Problem(error)
        } catch DecodingError.keyNotFound(let key, let context) {
            throw .missing(path(context.codingPath + [key]), accepted: "a value")
        } catch DecodingError.typeMismatch(let type, let context) where !context.codingPath.isEmpty {
            throw .wrongType(path(context.codingPath), accepted: name(of: type))
        } catch DecodingError.valueNotFound(let type, let context) where !context.codingPath.isEmpty {
            throw .missing(path(context.codingPath), accepted: name(of: type))
        } catch {
            throw Problem(400, .notJSON, "the body is not a JSON object in UTF-8")
        }
    }

    /// A body that says it is something else is not looked at; one that says nothing is taken for JSON.
    static func requireJSON(_ request: HTTPRequest) throws(Problem) {
        guard let type = request.fields["Content-Type"] else { return }
        let essence = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        guard essence == "application/json" else {
            throw Problem(415, .notAllowed, "Content-Type: accepted is application/json")
        }
    }

    /// Keys of ours, and indexes of lists; keys of the client's are not decoded.
    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }.joined(separator: ".")
    }

    private static func name(of type: Any.Type) -> String {
        switch type {
        case is String.Type: "text"
        case is Bool.Type: "true or false"
        case is Int.Type, is Double.Type: "a number"
        default: type is any Collection.Type ? "a list" : "an object"
        }
    }
}
