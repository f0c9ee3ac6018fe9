internal import HalcyonHTTP

/// What a body of named fields is written in.
enum BodyKind: Sendable {
    case json, form

    /// A body that says it is something else is not looked at; one that says nothing is taken for JSON.
    init(_ request: HTTPRequest) throws(Problem) {
        guard let text = request.fields["Content-Type"] else {
            self = .json
            return
        }
        switch MediaType(text) {
        case .some(let type) where !type.isUTF8:
            throw Problem(415, .notAllowed, "Content-Type: accepted is charset=utf-8")
        case .some(let type) where type.essence == "application/json": self = .json
        case .some(let type) where type.essence == "application/x-www-form-urlencoded": self = .form
        default:
            throw Problem(
                415, .notAllowed,
                "Content-Type: accepted are application/json and application/x-www-form-urlencoded")
        }
    }
}
