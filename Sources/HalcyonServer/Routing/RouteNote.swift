/// What a route tells about itself: what `/openapi.json` and `docs/routes.md` are made from.
struct RouteNote: Sendable {
    /// What the handler answers when all went well, in the route's envelope.
    enum Answer: Sendable {
        /// `result`, or `data`, or without an envelope the whole body.
        case json(JSONSchema)
        case image
        /// An image, or a page of PDF.
        case page
        case text
        case events
        case nothing
    }

    enum Body: Sendable {
        case none
        /// JSON or a form (`application/x-www-form-urlencoded`) with these fields. Others are refused, so that nothing is lost
        /// unnoticed, unless older apps may send more.
        case fields([JSONSchema.Property], ignoresOthers: Bool = false)
        /// JSON alone.
        case json(JSONSchema)
        /// The bytes of an image, or multipart/form-data with images in `field`.
        case images(field: String)
    }

    struct Parameter: Sendable {
        let name: String
        let schema: JSONSchema
        var isRequired = false

        init(_ name: String, _ schema: JSONSchema, isRequired: Bool = false) {
            self.name = name
            self.schema = schema
            self.isRequired = isRequired
        }
    }

    /// The only fields that the body may have; `nil` if that is not said.
    var acceptedFields: [JSONSchema.Property]? {
        if case .fields(let properties, ignoresOthers: false) = body { properties } else { nil }
    }

    /// One line without a full stop at its end.
    var summary: String
    var query: [Parameter] = []
    /// Of the parameters in the path that are more than a text.
    var path: [String: JSONSchema] = [:]
    var body = Body.none
    var answer = Answer.json(.null)
    /// The statuses of success; 202 where something goes on.
    var statuses = [200]
    /// Besides those that follow from the route itself: 400, 401, 403, 413, 415, 429, 500, 503.
    var failures: [Int] = []
}
