/// One method of one path, as OpenAPI describes it.
struct OpenAPIOperation: Encodable, Sendable {
    struct Parameter: Encodable, Sendable {
        let name: String
        let `in`: String
        let required: Bool
        let schema: JSONSchema
    }

    struct Content: Encodable, Sendable {
        let schema: JSONSchema
    }

    struct RequestBody: Encodable, Sendable {
        let required: Bool
        let content: [String: Content]
    }

    struct Response: Encodable, Sendable {
        let description: String
        var content: [String: Content]?
    }

    let operationId: String
    let summary: String
    let tags: [String]
    let parameters: [Parameter]
    let requestBody: RequestBody?
    let responses: [String: Response]
    /// Each entry is a way to be let in; none for routes that are anyone's.
    let security: [[String: [String]]]

    init(_ route: Route, _ method: String) {
        operationId = Self.identifier(route, method)
        summary = "\(route.note.summary). For: \(route.access.label)."
        tags = [route.kind.label]
        parameters =
            route.parameterNames.map { name in
                Parameter(
                    name: name, in: "path", required: true,
                    schema: route.note.path[name] ?? (name == "clubID" ? .key : .text(pattern: ".")))
            }
            + route.note.query.map { item in
                Parameter(name: item.name, in: "query", required: item.isRequired, schema: item.schema)
            }
        requestBody = Self.body(route.note.body)
        security = route.access == .anyone ? [] : [["bearer": []], ["token": []]]
        var responses: [String: Response] = [:]
        for status in route.note.statuses {
            responses["\(status)"] = Response(
                description: "Done", content: status == 204 ? nil : Self.content(route))
        }
        for status in Self.failures(route) {
            responses["\(status)"] = Response(
                description: Self.meaning(status),
                content: status == 304 || status == 412 && route.kind != .records
                    ? nil : ["application/json": Content(schema: .named(route.envelope.failureSchema))])
        }
        self.responses = responses
    }

    /// `GET /students/{id}/photo` → `getStudentsIdPhoto`.
    private static func identifier(_ route: Route, _ method: String) -> String {
        let words = route.path.split { !$0.isLetter && !$0.isNumber }
        return method.lowercased() + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static func body(_ body: RouteNote.Body) -> RequestBody? {
        switch body {
        case .none: return nil
        case .fields(let properties, let ignoresOthers):
            let schema = Content(schema: .object(properties, isClosed: !ignoresOthers))
            return RequestBody(
                required: properties.contains(where: \.isRequired),
                content: ["application/json": schema, "application/x-www-form-urlencoded": schema])
        case .json(let schema):
            return RequestBody(required: true, content: ["application/json": Content(schema: schema)])
        case .images(let field):
            let image = JSONSchema.text(format: "binary")
            return RequestBody(
                required: true,
                content: [
                    "image/jpeg": Content(schema: image), "image/png": Content(schema: image),
                    "multipart/form-data": Content(schema: .object([.required(field, image)])),
                ])
        }
    }

    private static func content(_ route: Route) -> [String: Content]? {
        switch route.note.answer {
        case .json(let schema): ["application/json": Content(schema: route.envelope.schema(of: schema))]
        case .image: ["image/*": Content(schema: .text(format: "binary"))]
        case .page:
            ["image/*", "application/pdf"].reduce(into: [:]) { $0[$1] = Content(schema: .text(format: "binary")) }
        case .text: ["text/plain": Content(schema: .text())]
        case .events: ["text/event-stream": Content(schema: .text())]
        case .nothing: nil
        }
    }

    /// What can go wrong besides what the route says: it follows from what the route takes and asks for.
    private static func failures(_ route: Route) -> Set<Int> {
        var statuses = Set(route.note.failures)
        statuses.formUnion([400, 503])
        if route.access != .anyone { statuses.formUnion([401, 403]) }
        if !route.parameterNames.isEmpty { statuses.insert(404) }
        if case .none = route.note.body {} else { statuses.formUnion([413, 415]) }
        return statuses
    }

    private static func meaning(_ status: Int) -> String {
        switch status {
        case 304: "Not modified"
        case 400: "The request is not acceptable: the message names the field and what is accepted"
        case 401: "Not signed in"
        case 403: "Not permitted"
        case 404: "There is no such thing"
        case 409: "It conflicts with what is recorded"
        case 412: "A condition does not hold"
        case 413: "The body is too large"
        case 415: "This type of content is not accepted"
        case 416: "There is no such range"
        case 422: "The body cannot be used"
        case 429: "Too many requests"
        case 502: "The origin failed"
        case 503: "Not now: try again"
        case 504: "The origin is too slow"
        default: "Failed"
        }
    }
}

extension AnswerEnvelope {
    var failureSchema: String {
        switch self {
        case .records: "Failure"
        case .users: "UsersFailure"
        case .bare: "BareFailure"
        }
    }

    func schema(of result: JSONSchema) -> JSONSchema {
        switch self {
        case .records:
            .object([
                .required("isSuccess", .flag), .required("code", .integer()), .required("message", .text()),
                .required("result", result), .optional("next", .text()),
            ])
        case .users:
            .object([
                .required("status", .integer(100...599)), .required("success", .flag), .required("message", .text()),
                .required("data", result),
            ])
        case .bare: result
        }
    }

    static let schemas: [String: JSONSchema] = [
        "Failure": .object([
            .required("isSuccess", .flag), .required("code", .integer(2000...5999)), .required("message", .text()),
            .required("result", .null),
        ]),
        "UsersFailure": .object([
            .required("status", .integer(400...599)), .required("success", .flag), .required("message", .text()),
            .required("data", .null),
        ]),
        "BareFailure": .object([.required("error", .text())]),
    ]
}
