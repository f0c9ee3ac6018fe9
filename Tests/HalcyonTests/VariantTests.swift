import Foundation
import HalcyonImage
import HalcyonStore
import HalcyonTestSupport
import Testing

@testable import Halcyon

@Suite(.timeLimit(.minutes(1)))
struct VariantTests {
    private let photo = SampleImage.png(width: 120, height: 80, seed: 1)
    private let thumbnail = ImageVariant.resized(width: 30)

    private func harness(
        folder: TemporaryFolder? = nil, _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
    ) async throws -> PipelineHarness {
        let harness = try await PipelineHarness(folder: folder, configure: configure)
        harness.origin.on("*") { [photo] in $0.respond(body: photo) }
        return harness
    }

    private func load(
        _ harness: PipelineHarness, _ variant: ImageVariant, _ options: ImageRequest.Options = .init()
    ) async throws -> ImageResponse {
        try await harness.pipeline.image(
            for: ImageRequest(url: harness.origin.url("/1"), variant: variant, options: options))
    }

    @Test func stepsReplaceEachOtherAndSayTheParameters() throws {
        let variant = ImageVariant.resized(width: 99_999, height: 64, fit: .cover).pixelRatio(1.5).rounded(.max)
            .encoded(.webp, quality: 101).encoded(.avif, quality: 50)
        #expect(variant.text == "w=4096&h=64&fit=cover&dpr=1.5&format=avif&q=50&round=max")
        #expect(try ImageVariant(variant.text) == variant)
        #expect(ImageVariant.original.isOriginal && ImageVariant.original.text.isEmpty)
        let error = #expect(throws: ImagePipeline.Error.self) { try ImageVariant("w=0") }
        #expect(error?.reason == .invalidVariant)
        #expect(error?.description.contains("w must be a whole number from 1 to 4096") == true)
    }

    @Test func aVariantIsMadeOnceAndThenKeptInBothLayers() async throws {
        let harness = try await harness()
        let made = try await load(harness, thumbnail)
        #expect(made.source == .origin)
        #expect(made.pixelWidth == 30 && made.pixelHeight == 20)
        #expect(made.contentType == "image/png")
        #expect(try ImageProbe.probe(Array(made.data)).pixelWidth == 30)
        #expect(try await load(harness, thumbnail).source == .memory)
        await harness.forgetMemory()
        let fromDisk = try await load(harness, thumbnail)
        #expect(fromDisk.source == .disk)
        #expect(fromDisk.data == made.data)
        #expect(harness.origin.requests().count == 1)
    }

    /// Thirty megapixel originals would push everything else out.
    @Test func theOriginalOfAVariantStaysOutOfMemory() async throws {
        let harness = try await harness()
        _ = try await load(harness, thumbnail)
        #expect(harness.pipeline.cachedImage(for: harness.request("/1")) == nil)
        #expect(try await load(harness, .original).source == .disk)
        #expect(try await load(harness, .original).data == Data(photo))
    }

    @Test func oneFetchServesManyVariantsAndTheOriginalAtOnce() async throws {
        let harness = try await harness()
        let gate = Gate()
        harness.origin.on("*") { [photo] exchange in
            gate.waitBlocking()
            exchange.respond(body: photo)
        }
        let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
            for width in [10, 20, 30, 40, 120] {
                let variant = width == 120 ? ImageVariant.original : .resized(width: width)
                for _ in 0..<3 { group.addTask { try await load(harness, variant).pixelWidth } }
            }
            _ = await harness.origin.requests(reach: 1)
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sizes.sorted() == [10, 20, 30, 40, 120].flatMap { [$0, $0, $0] })
        #expect(harness.origin.requests().count == 1)
        // Whoever wanted the original in memory has it there, whoever began the fetch.
        #expect(harness.pipeline.cachedImage(for: harness.request("/1")) != nil)
    }

    @Test(arguments: [
        ("image/avif;q=0.1, image/webp", "image/webp"), ("image/webp;q=0, */*", "image/png"), (nil, "image/png"),
        ("image/jpeg", "image/jpeg"), ("text/html", "image/png"),
    ])
    func autoFollowsWhatIsAccepted(accepted: String?, type: String) async throws {
        let harness = try await harness()
        let variant = ImageVariant.resized(width: 30).encoded(.auto)
        #expect(try await load(harness, variant, .init(acceptedTypes: accepted)).contentType == type)
        // Many ways to say the same, one entry.
        let same = accepted.map { $0 + ", image/x-other" }
        #expect(try await load(harness, variant, .init(acceptedTypes: same)).source == .memory)
    }

    @Test func afterARestartAKeptVariantNeedsNoOriginal() async throws {
        let folder = try TemporaryFolder()
        let first = try await harness(folder: folder)
        _ = try await load(first, thumbnail, .init(acceptedTypes: "image/webp"))
        let url = first.origin.url("/1")
        // As if the disk had been short of room: the large original went first.
        let key = try first.pipeline.key(for: ImageRequest(url: url))
        _ = try await first.pipeline.diskCache?.purge(.key(key), isDryRun: false)
        await first.pipeline.shutDown()
        let second = try await PipelineHarness(origin: first.origin, folder: folder)
        let kept = try await load(second, thumbnail, .init(acceptedTypes: "image/webp, */*"))
        #expect(kept.source == .disk)
        #expect(kept.contentType == "image/webp")
        #expect(first.origin.requests().count == 1)
    }

    @Test func aPurgeOfThePhotoTakesItsVariantsAlong() async throws {
        let harness = try await harness()
        for purge in [ImagePipeline.Purge.url(harness.origin.url("/1")), .tags(["student:1"]), .host("127.0.0.1")] {
            _ = try await load(harness, thumbnail, .init(tags: ["student:1"]))
            _ = await harness.pipeline.diskCache?.commitPending()
            #expect(try await harness.pipeline.purge(purge).count == 2)
            await #expect(throws: ImagePipeline.Error.self) {
                try await load(harness, thumbnail, .init(cachePolicy: .onlyFromCache))
            }
        }
        #expect(harness.origin.requests().count == 3)
    }

    @Test func aPurgeOfACallersKeyTakesItsVariantsAlong() async throws {
        let harness = try await harness()
        let options = ImageRequest.Options(cacheKey: "face")
        _ = try await load(harness, thumbnail, options)
        _ = await harness.pipeline.diskCache?.commitPending()
        #expect(try await harness.pipeline.purge(.key("face")).count == 2)
        #expect(await harness.pipeline.diskCache?.statistics().count == 0)
    }

    /// A 304 keeps the pixels: they are not made again, and live as long as the original does now.
    @Test func aVariantIsRenewedWithItsOriginal() async throws {
        let harness = try await harness { $0.disk.expiration = .seconds(100) }
        harness.origin.on("*") { [photo] exchange in
            if exchange.request["If-None-Match"] != nil {
                exchange.respond(304, fields: [("ETag", "\"a\"")])
            } else {
                exchange.respond(fields: [("ETag", "\"a\"")], body: photo)
            }
        }
        let first = try await load(harness, thumbnail)
        harness.clock.advance(by: 101)
        let second = try await load(harness, thumbnail)
        #expect(second.source == .revalidated)
        #expect(second.data == first.data)
        harness.clock.advance(by: 99)
        #expect(try await load(harness, thumbnail).source == .memory)
        await harness.forgetMemory()
        #expect(try await load(harness, thumbnail).source == .disk)
        #expect(harness.origin.requests().count == 2)
    }

    @Test(arguments: [true, false]) func aNewPhotoPutsAnEndToTheVariantsOfTheOld(isOriginalKept: Bool) async throws {
        let harness = try await harness()
        let old = try await load(harness, thumbnail)
        let other = SampleImage.png(width: 120, height: 80, seed: 2)
        harness.origin.on("*") { $0.respond(body: other) }
        if !isOriginalKept {
            let key = try harness.pipeline.key(for: harness.request("/1"))
            await harness.forgetMemory()
            _ = try await harness.pipeline.diskCache?.purge(.key(key), isDryRun: false)
        }
        #expect(try await load(harness, .original, .init(cachePolicy: .refresh)).data == Data(other))
        let new = try await load(harness, thumbnail)
        #expect(new.data != old.data)
        #expect(new.source == .rendered)
    }

    @Test func whenTheOriginFailsAStaleVariantStandsIn() async throws {
        let harness = try await harness { $0.disk.expiration = .seconds(10) }
        let first = try await load(harness, thumbnail)
        _ = await harness.pipeline.diskCache?.commitPending()
        harness.origin.on("*") { $0.respond(503) }
        harness.clock.advance(by: 60)
        let stale = try await load(harness, thumbnail)
        #expect(stale.source == .stale(.originStatus))
        #expect(stale.data == first.data)
        harness.origin.on("*") { $0.respond(404) }
        harness.clock.advance(by: 60)
        await #expect(throws: ImagePipeline.Error.self) { try await load(harness, thumbnail) }
        #expect(await harness.pipeline.diskCache?.statistics().count == 0)
    }

    /// Its header is right, so it passes as an image; what follows is not.
    @Test func halfAPictureIsAnErrorAndIsNotDecodedAgainAtOnce() async throws {
        let harness = try await harness()
        var broken = photo
        // The first byte of the compressed data (RFC 1950 §2.2: 8 is its method).
        broken[41] = 0xFF
        harness.origin.on("*") { [broken] in $0.respond(body: broken) }
        for _ in 0..<2 {
            let error = await #expect(throws: ImagePipeline.Error.self) { try await load(harness, thumbnail) }
            #expect(error?.kind == .unavailable)
        }
        #expect(harness.events.all.count { if case .failed = $0 { true } else { false } } == 1)
    }

    @Test func aPrefetchWarmsTheVariantsOfEveryItem() async throws {
        let harness = try await harness()
        let items = (1...3).map { ImagePrefetcher.Item(id: "\($0)", url: harness.origin.url("/\($0)")) }
        let summary = await ImagePrefetcher(pipeline: harness.pipeline).run(
            items, variants: [thumbnail, ImageVariant.resized(width: 60)])
        #expect(summary.fetched == 3)
        #expect(harness.origin.requests().count == 3)
        #expect(await harness.pipeline.diskCache?.statistics().count == 9)
        #expect(try await load(harness, thumbnail).source == .disk)
    }
}
