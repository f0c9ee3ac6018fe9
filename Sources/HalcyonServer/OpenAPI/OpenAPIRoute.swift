/// `GET /openapi.json`: the document, made once.
struct OpenAPIRoute: Sendable {
    private let answer: HTTPAnswer

    /// - Parameter routes: all others.
    init(routes: [Route], schemas: [String: JSONSchema]) {
        let described = routes + [Self.route { _, _ in HTTPAnswer(status: 200) }]
        do {
            let document = OpenAPIDocument(routes: described, schemas: schemas, version: HalcyonVersion.text)
            answer = HTTPAnswer(
                status: 200, fields: [("Content-Type", "application/json; charset=utf-8")],
                body: .bytes(Array(try document.text().utf8)))
        } catch {
            // Our own types always encode.
            answer = Problem(500, .internal, "the description could not be written").answer
        }
    }

    var route: Route { Self.route { [answer] _, _ in answer } }

    private static func route(
        _ handler: @escaping @Sendable (HTTPRequest, [String]) async throws(Problem) -> HTTPAnswer
    ) -> Route {
        Route(
            "GET", path: "/openapi.json", access: .anyone, kind: .operating, envelope: .bare,
            note: RouteNote(summary: "This description", answer: .json(.anything)), handler: handler)
    }
}
