import Foundation
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct RouteTableTests {
    private static let document = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../docs/routes.md").standardizedFileURL

    @Test func theDocumentedTableIsTheOneInForce() async throws {
        try await ServiceHarness.run { service in
            let table = RouteReference.markdown(service.server.routes)
            if ProcessInfo.processInfo.environment["HALCYON_UPDATE_DOCS"] != nil {
                try table.write(to: Self.document, atomically: true, encoding: .utf8)
            }
            #expect(
                try String(contentsOf: Self.document, encoding: .utf8) == table,
                "HALCYON_UPDATE_DOCS=1 scripts/test --filter RouteTableTests")
        }
    }

    @Test func theDescriptionHasEveryRouteAndEverySchemaItNames() async throws {
        try await ServiceHarness.run { service in
            let response = try await service.get("/openapi.json")
            #expect(response.status == 200)
            #expect(response["Content-Type"] == "application/json; charset=utf-8")
            #expect(response.json["openapi"] as? String == "3.1.0")
            let paths = try #require(response.json["paths"] as? [String: [String: Any]])
            for route in service.server.routes {
                for method in route.methods where method != "HEAD" {
                    #expect(paths[route.path]?[method.lowercased()] != nil, "\(method) \(route.path)")
                }
            }
            let components = try #require(response.json["components"] as? [String: Any])
            let schemas = try #require(components["schemas"] as? [String: Any])
            for match in response.text.matches(of: /#\/components\/schemas\/([A-Za-z]+)/) {
                #expect(schemas[String(match.output.1)] != nil, "\(match.output.1)")
            }
            let identifiers = paths.values.flatMap(\.values).compactMap {
                ($0 as? [String: Any])?["operationId"] as? String
            }
            #expect(Set(identifiers).count == identifiers.count)
        }
    }
}
