internal import Foundation

/// The routes as an OpenAPI 3.1.0 document (https://spec.openapis.org/oas/v3.1.0), made from the table that the router
/// follows, so that the two cannot differ. HEAD goes without saying where there is GET.
struct OpenAPIDocument: Encodable, Sendable {
    struct Information: Encodable, Sendable {
        let title = "Halcyon"
        let version: String
        let description = "Photos of pupils, kept at hand, beside the records that point at them."
    }

    struct Components: Encodable, Sendable {
        let schemas: [String: JSONSchema]
        let securitySchemes = [
            "bearer": SecurityScheme(type: "http", scheme: "bearer"),
            "token": SecurityScheme(type: "apiKey", name: "token", in: "header"),
        ]
    }

    struct SecurityScheme: Encodable, Sendable {
        let type: String
        var scheme: String?
        var name: String?
        var `in`: String?
    }

    let openapi = "3.1.0"
    let info: Information
    /// Path → method in lower case → operation.
    let paths: [String: [String: OpenAPIOperation]]
    let components: Components

    init(routes: [Route], schemas: [String: JSONSchema], version: String) {
        info = Information(version: version)
        var paths: [String: [String: OpenAPIOperation]] = [:]
        for route in routes {
            for method in route.methods where method != "HEAD" {
                // The first route of a path and method is the one that is followed.
                guard paths[route.path]?[method.lowercased()] == nil else { continue }
                paths[route.path, default: [:]][method.lowercased()] = OpenAPIOperation(route, method)
            }
        }
        self.paths = paths
        components = Components(schemas: schemas.merging(AnswerEnvelope.schemas) { first, _ in first })
    }

    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
