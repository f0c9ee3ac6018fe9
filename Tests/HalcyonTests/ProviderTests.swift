import Foundation
import HalcyonTestSupport
import Synchronization
import Testing

@testable import Halcyon

@Suite(.timeLimit(.minutes(1)))
struct ProviderTests {
    private let photo = [UInt8](SampleImage.png(width: 8, height: 8, seed: 3))

    /// Counts how often it is asked.
    private final class Source: Sendable {
        let asked = Atomic<Int>(0)
        var count: Int { asked.load(ordering: .relaxed) }
        let bytes: [UInt8]
        let failure: (any Error)?

        init(_ bytes: [UInt8] = [], failure: (any Error)? = nil) {
            self.bytes = bytes
            self.failure = failure
        }

        func provider(key: String = "k", isKeptOnDisk: Bool = false) -> ImageDataProvider {
            ImageDataProvider(cacheKey: key, isKeptOnDisk: isKeptOnDisk) {
                self.asked.add(1, ordering: .relaxed)
                if let failure = self.failure { throw failure }
                return self.bytes
            }
        }
    }

    struct PrivateFailure: Error, CustomStringConvertible { let description = "/home/secret/photo.jpg" }

    private func failure(_ source: Source, _ harness: PipelineHarness) async -> ImagePipeline.Error? {
        do throws(ImagePipeline.Error) {
            _ = try await harness.pipeline.image(for: ImageRequest(provider: source.provider()))
            return nil
        } catch { return error }
    }

    @Test func aProviderIsAskedOnceAndMemoryAnswersAfterIt() async throws {
        let harness = try await PipelineHarness()
        let source = Source(photo)
        let request = ImageRequest(provider: source.provider())
        #expect(harness.pipeline.cachedImage(for: request) == nil)
        let first = try await harness.pipeline.image(for: request)
        #expect(first.source == .provider)
        #expect([UInt8](first.data) == photo)
        #expect(first.contentType == "image/png" && first.pixelWidth == 8)
        #expect(first.expiresAt == nil)
        #expect(try await harness.pipeline.image(for: request).source == .memory)
        #expect(harness.pipeline.cachedImage(for: request)?.source == .memory)
        #expect(source.count == 1)
        #expect(harness.origin.requests().isEmpty)
    }

    @Test(arguments: [false, true])
    func theDiskGetsACopyOnlyIfAskedTo(isKeptOnDisk: Bool) async throws {
        let harness = try await PipelineHarness()
        let source = Source(photo)
        let request = ImageRequest(provider: source.provider(isKeptOnDisk: isKeptOnDisk))
        _ = try await harness.pipeline.image(for: request)
        await harness.forgetMemory()
        #expect(try await harness.pipeline.image(for: request).source == (isKeptOnDisk ? .disk : .provider))
        #expect(source.count == (isKeptOnDisk ? 1 : 2))
    }

    @Test func callersAtTheSameTimeShareOneCall() async throws {
        let harness = try await PipelineHarness()
        let gate = Gate()
        let asked = Atomic<Int>(0)
        let photo = photo
        let provider = ImageDataProvider(cacheKey: "k") {
            asked.add(1, ordering: .relaxed)
            await gate.wait()
            return photo
        }
        let pipeline = harness.pipeline
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask { try await pipeline.image(for: ImageRequest(provider: provider)).isShared }
            }
            while pipeline.passengerCount < 8 { await Task.yield() }
            gate.open()
            var shared = 0
            for try await isShared in group where isShared { shared += 1 }
            #expect(shared == 7)
        }
        #expect(asked.load(ordering: .relaxed) == 1)
    }

    @Test("D-06 what is no image, or too large, is refused as from an origin")
    func whatIsNoImageIsRefusedAsFromAnOrigin() async throws {
        let harness = try await PipelineHarness()
        #expect(await failure(Source(Array("<html>".utf8)), harness)?.reason == .notAnImage)
        let small = try await PipelineHarness { $0.limits.maximumImageBytes = 10 }
        #expect(await failure(Source(photo), small)?.reason == .tooLarge)
    }

    @Test func whatAProviderThrowsIsNamedByItsTypeAlone() async throws {
        let harness = try await PipelineHarness()
        let error = try #require(await failure(Source(failure: PrivateFailure()), harness))
        #expect(error.reason == .provider)
        #expect(!error.wasForwarded)
        #expect(!error.description.contains("secret"))
        #expect(try await failure(Source(failure: CancellationError()), PipelineHarness())?.reason == .cancelled)
    }

    @Test func aPurgeFindsItByKeyAndByTag() async throws {
        let harness = try await PipelineHarness()
        let source = Source(photo)
        let request = ImageRequest(provider: source.provider(key: "media:1"), options: .init(tags: ["student:1"]))
        for purge in [ImagePipeline.Purge.key("media:1"), .tags(["student:1"])] {
            _ = try await harness.pipeline.image(for: request)
            #expect(harness.pipeline.cachedImage(for: request) != nil)
            try await harness.pipeline.purge(purge)
            #expect(harness.pipeline.cachedImage(for: request) == nil)
        }
    }

    @Test func aKeyOfAProviderIsNoURL() async throws {
        let harness = try await PipelineHarness()
        harness.origin.on("/a") { [photo] in $0.respond(body: photo) }
        _ = try await harness.load("/a")
        let source = Source(photo)
        let request = ImageRequest(provider: source.provider(key: harness.origin.url("/a")))
        #expect(try await harness.pipeline.image(for: request).source == .provider)
    }

    @Test func thePrefetcherCountsItAsFresh() async throws {
        let harness = try await PipelineHarness()
        let good = Source(photo)
        let bad = Source(failure: PrivateFailure())
        let summary = await ImagePrefetcher(pipeline: harness.pipeline).run([
            .init(id: "1", provider: good.provider(key: "a")), .init(id: "2", provider: bad.provider(key: "b")),
        ])
        #expect(summary.alreadyFresh == 1)
        #expect(summary.failures.map(\.id) == ["2"])
    }
}
