import Halcyon
import HalcyonTestSupport
import Testing

/// A configuration that takes the place of another while images are loaded.
@Suite(.timeLimit(.minutes(1)))
struct ReconfigureTests {
    private let photo = SampleImage.png(width: 40, height: 30, seed: 3)

    @Test("HB-08 a shorter interval of sweeps counts at once")
    func sweeps() async throws {
        let harness = try await PipelineHarness {
            $0.disk.expiration = .seconds(10)
            $0.disk.sweepInterval = .seconds(86_400)
            $0.staleIfError = .zero
        }
        let photo = photo
        harness.origin.on("/a") { $0.respond(body: photo) }
        _ = try await harness.load("/a")
        await harness.forgetMemory()
        harness.clock.advance(by: 11)
        #expect(await harness.pipeline.statistics().diskEntries == 1)
        var configuration = harness.pipeline.configuration
        configuration.disk.sweepInterval = .milliseconds(10)
        try harness.pipeline.reconfigure(configuration)
        while await harness.pipeline.statistics().diskEntries > 0 { await Task.yield() }
    }

    @Test("HB-93 S-12 what is allowed no longer is refused on every way to an origin, and no connection is made")
    func onePolicy() async throws {
        let harness = try await PipelineHarness {
            $0.disk.expiration = .seconds(10)
            $0.staleWhileRevalidate = .seconds(1000)
        }
        let photo = photo
        harness.origin.on("*") { $0.respond(fields: [("ETag", "\"1\"")], body: photo) }
        _ = try await harness.load("/kept")
        harness.clock.advance(by: 11)
        let before = harness.origin.requests().count
        var configuration = harness.pipeline.configuration
        configuration.origins = []
        try harness.pipeline.reconfigure(configuration)
        // A miss, a refresh, a variant, a prefetch, and the background half of a stale answer.
        #expect(await harness.failure("/new")?.reason == .blockedHost)
        #expect(await harness.failure("/kept", .init(cachePolicy: .refresh))?.reason == .blockedHost)
        let variant = ImageRequest(url: harness.origin.url("/variant"), variant: try ImageVariant("w=10"))
        await #expect(throws: ImagePipeline.Error.self) { try await harness.pipeline.image(for: variant) }
        let items = (0..<20).map { ImagePrefetcher.Item(id: "\($0)", url: harness.origin.url("/\($0)")) }
        let summary = await ImagePrefetcher(pipeline: harness.pipeline).run(items)
        #expect(summary.failures.count == 20 && summary.failures.allSatisfy { $0.error.reason == .blockedHost })
        _ = try? await harness.load("/kept")
        while harness.pipeline.passengerCount > 0 { await Task.yield() }
        #expect(harness.origin.requests().count == before)
    }

    @Test("HB-93 one limit holds for loads, variants and prefetches alike")
    func oneLimit() async throws {
        let harness = try await PipelineHarness()
        let photo = photo
        harness.origin.on("*") { $0.respond(body: photo) }
        var configuration = harness.pipeline.configuration
        configuration.limits.maximumImageBytes = photo.count - 1
        try harness.pipeline.reconfigure(configuration)
        #expect(await harness.failure("/a")?.reason == .tooLarge)
        let variant = ImageRequest(url: harness.origin.url("/b"), variant: try ImageVariant("w=10"))
        await #expect(throws: ImagePipeline.Error.self) { try await harness.pipeline.image(for: variant) }
        let items = [ImagePrefetcher.Item(id: "1", url: harness.origin.url("/c"))]
        let summary = await ImagePrefetcher(pipeline: harness.pipeline).run(items)
        #expect(summary.failures.map(\.error.reason) == [.tooLarge])
    }
}
