/// A method and a path, and what happens there.
struct Route: Sendable {
    enum Part: Sendable, Hashable {
        case text(String)
        case parameter
    }

    let methods: [String]
    let parts: [Part]
    let access: Access
    let kind: RouteClass
    /// Gets the request and the path's parameters in order.
    let handler: @Sendable (HTTPRequest, [String]) async throws(Problem) -> HTTPAnswer

    /// `path` such as `/students/*/photo`, where `*` stands for one segment.
    init(
        _ methods: String..., path: String, access: Access, kind: RouteClass,
        handler: @escaping @Sendable (HTTPRequest, [String]) async throws(Problem) -> HTTPAnswer
    ) {
        // HEAD is GET without the body (RFC 9110 §9.3.2).
        self.methods = methods.contains("GET") ? methods + ["HEAD"] : methods
        self.parts = path.split(separator: "/").map { $0 == "*" ? .parameter : .text(String($0)) }
        self.access = access
        self.kind = kind
        self.handler = handler
    }

    /// The parameters, if the path is this route's.
    func parameters(of segments: [String]) -> [String]? {
        guard segments.count == parts.count else { return nil }
        var parameters: [String] = []
        for (part, segment) in zip(parts, segments) {
            switch part {
            case .text(let text): if text != segment { return nil }
            case .parameter:
                if segment.isEmpty { return nil }
                parameters.append(segment)
            }
        }
        return parameters
    }
}
