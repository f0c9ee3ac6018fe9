import HalcyonTestSupport
import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct FetcherTests {
    @Test func answersWithStatusFieldsBodyAndMetrics() async throws {
        let origin = try ScriptedOrigin()
        let image = SampleImage.png(seed: 7)
        origin.on("/a.png") { $0.respond(fields: [("Content-Type", "image/png"), ("ETag", "\"1\"")], body: image) }
        let fetcher = try makeFetcher()
        let response = try await fetcher.get(origin.url("/a.png?x=1"))
        #expect(response.status == 200)
        #expect(response.body == image)
        #expect(response.fields["content-type"] == "image/png")
        #expect(response.finalURL.text == origin.url("/a.png?x=1"))
        #expect(response.metrics.bodyBytes == image.count)
        #expect(response.metrics.attempts == 1)
        #expect(response.metrics.httpVersion == "1.1")
        #expect(!response.metrics.isReusedConnection)
        #expect(origin.requests(to: "/a.png").map(\.target) == ["/a.png?x=1"])
        #expect(try await fetcher.get(origin.url("/a.png")).metrics.isReusedConnection)
        await fetcher.shutDown()
    }
}
