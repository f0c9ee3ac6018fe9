internal import Foundation
internal import HalcyonHTTP
internal import HalcyonRecords

/// Request bodies, JSON or forms, that are decoded into a type. See ``RequestBody`` for what a form becomes.
enum JSONBody {
    /// Errors name the field: missing, of the wrong type, or not acceptable.
    static func decode<T: Decodable>(_ type: T.Type, from request: HTTPRequest) throws(Problem) -> T {
        try decode(type, from: try RequestBody(request))
    }

    static func decode<T: Decodable>(_ type: T.Type, from body: RequestBody) throws(Problem) -> T {
        do {
            return try JSONDecoder().decode(type, from: try body.json)
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

    /// - Throws: 400 for a member that is named twice, and for what is nested deeper than anything that is asked for.
    static func checkShape(_ body: [UInt8]) throws(Problem) {
        do throws(JSONShape.Finding) {
            try JSONShape.check(body)
        } catch {
            switch error {
            case .repeated(let path): throw .notAllowed(self.path(path.map(RequestBody.shown)), "accepted once")
            case .tooDeep: throw Problem(400, .notJSON, "the body is nested too deeply")
            }
        }
    }

    /// Keys of ours, and indexes of lists; keys of the client's are not decoded.
    private static func path(_ keys: [any CodingKey]) -> String {
        path(keys.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue })
    }

    /// Such as `imageList[0]` or `rootUser.id`.
    private static func path(_ parts: [String]) -> String {
        parts.reduce("") { $0 + ($0.isEmpty || $1.hasPrefix("[") ? $1 : ".\($1)") }
    }

    private static func name(of type: Any.Type) -> String {
        switch type {
        case is String.Type: "text"
        case is Bool.Type: "true or false"
        case is Int.Type, is Double.Type: "a number"
        case is [String: Any].Type: "an object"
        default: type is any Collection.Type ? "a list" : "an object"
        }
    }
}
