/// A method and a path, who may use them, and what happens there.
struct Route: Sendable {
    enum Part: Sendable, Hashable {
        case text(String)
        /// One segment, which ends in `suffix`.
        case parameter(name: String, suffix: String)
    }

    let methods: [String]
    /// Such as `/students/{id}/photo`.
    let path: String
    let parts: [Part]
    let access: Access
    let kind: RouteClass
    let envelope: AnswerEnvelope
    let body: BodyPolicy
    let note: RouteNote
    /// Gets the request and the path's parameters in order, percent-decoded.
    let handler: @Sendable (HTTPRequest, [String]) async throws(Problem) -> HTTPAnswer

    /// - Parameters:
    ///   - path: such as `/students/{id}/photo`; a parameter stands for one segment, or for what is before an ending that
    ///     is given: `/noticeBoards/{clubID}.json`.
    ///   - envelope: of failures; `nil` for the one of the kind.
    init(
        _ methods: String..., path: String, access: Access, kind: RouteClass, envelope: AnswerEnvelope? = nil,
        body: BodyPolicy = .memory(), note: RouteNote,
        handler: @escaping @Sendable (HTTPRequest, [String]) async throws(Problem) -> HTTPAnswer
    ) {
        // HEAD is GET without the body (RFC 9110 §9.3.2).
        self.methods = methods.contains("GET") ? methods + ["HEAD"] : methods
        self.path = path
        self.parts = path.split(separator: "/").map(Self.part)
        self.access = access
        self.kind = kind
        self.envelope = envelope ?? (kind == .users ? .users : .records)
        self.body = body
        self.note = note
        self.handler = handler
    }

    /// The parameters, if the path is this route's.
    func parameters(of segments: [String]) -> [String]? {
        guard segments.count == parts.count else { return nil }
        var parameters: [String] = []
        for (part, segment) in zip(parts, segments) {
            switch part {
            case .text(let text): if text != segment { return nil }
            case .parameter(_, let suffix):
                guard segment.utf8.count > suffix.utf8.count, segment.hasSuffix(suffix) else { return nil }
                parameters.append(String(segment.dropLast(suffix.count)))
            }
        }
        return parameters
    }

    /// Whether both stand for the same paths, whatever their parameters are called.
    func hasShape(of other: Route) -> Bool {
        parts.count == other.parts.count
            && zip(parts, other.parts).allSatisfy { mine, theirs in
                switch (mine, theirs) {
                case (.text(let mine), .text(let theirs)): mine == theirs
                case (.parameter(_, let mine), .parameter(_, let theirs)): mine == theirs
                case (.text, .parameter), (.parameter, .text): false
                }
            }
    }

    var parameterNames: [String] {
        parts.compactMap { if case .parameter(let name, _) = $0 { name } else { nil } }
    }

    private static func part(_ text: Substring) -> Part {
        guard text.first == "{", let end = text.firstIndex(of: "}") else { return .text(String(text)) }
        return .parameter(
            name: String(text[text.index(after: text.startIndex)..<end]),
            suffix: String(text[text.index(after: end)...]))
    }
}

/// What an answer is wrapped in.
enum AnswerEnvelope: Sendable, Hashable {
    /// `{"isSuccess", "code", "message", "result"}`
    case records
    /// `{"status", "success", "message", "data"}`
    case users
    /// None; failures are `{"error": "…"}`.
    case bare
}
