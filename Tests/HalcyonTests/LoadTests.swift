import Foundation
import HalcyonTestSupport
import Testing

@testable import Halcyon

@Suite(.timeLimit(.minutes(1)))
struct LoadTests {
    private let photo = SampleImage.png(width: 64, height: 48, seed: 7)

    @Test("HB-97 HB-99 the first load fetches, later ones come from memory and disk with the origin's bytes")
    func layersAnswerInOrder() async throws {
        let harness = try await PipelineHarness()
        harness.origin.on("/a.jpg") { [photo] in $0.respond(fields: [("Content-Type", "image/jpeg")], body: photo) }
        let fetched = try await harness.load("/a.jpg")
        #expect(fetched.source == .origin)
        #expect(fetched.data == photo)
        #expect(fetched.contentType == "image/png", "HB-51: the bytes decide, not the URL and not the header")
        #expect(fetched.pixelWidth == 64 && fetched.pixelHeight == 48)
        #expect(try await harness.load("/a.jpg").source == .memory)
        await harness.forgetMemory()
        let fromDisk = try await harness.load("/a.jpg")
        #expect(fromDisk.source == .disk)
        #expect(fromDisk.data == photo)
        #expect(try await harness.load("/a.jpg").source == .memory)
        #expect(harness.origin.requests().count == 1)
        let statistics = await harness.pipeline.statistics()
        #expect(statistics.fetched == 1)
        #expect(statistics.diskHits == 1)
        #expect(statistics.memoryHits == 2)
    }

    @Test("HB-31 another pipeline on the same folder finds what the first one fetched")
    func folderIsShared() async throws {
        let first = try await PipelineHarness()
        first.origin.on("/a") { [photo] in $0.respond(body: photo) }
        _ = try await first.load("/a")
        await first.forgetMemory()
        let second = try await PipelineHarness(origin: first.origin, folder: first.folder)
        #expect(try await second.load("/a").source == .disk)
        #expect(first.origin.requests().count == 1)
    }

    @Test("HB-45 spellings of one URL are one image")
    func equivalentURLsShareAnEntry() async throws {
        let harness = try await PipelineHarness()
        harness.origin.on("*") { [photo] in $0.respond(body: photo) }
        _ = try await harness.load("/a/../b/%7Eme.png#top")
        let again = try await harness.pipeline.image(
            for: ImageRequest(url: "HTTP://127.0.0.1:\(harness.origin.port)/b/~me.png"))
        #expect(again.source == .memory)
        #expect(harness.origin.requests().map(\.target) == ["/b/~me.png"])
    }

    @Test("HB-43 query items that the configuration drops make no difference, all others do")
    func droppedQueryItems() async throws {
        let harness = try await PipelineHarness { $0.origins[0].droppedQueryItems = ["sig", "expires"] }
        harness.origin.on("/a") { [photo] in $0.respond(body: photo) }
        _ = try await harness.load("/a?size=1&sig=aa&expires=5")
        #expect(try await harness.load("/a?size=1&sig=bb&expires=6").source == .memory)
        #expect(try await harness.load("/a?size=2&sig=aa&expires=5").source == .origin)
        #expect(
            harness.origin.requests().map(\.target) == ["/a?size=1&sig=aa&expires=5", "/a?size=2&sig=aa&expires=5"])
    }

    @Test func customKeyNamesTheImage() async throws {
        let harness = try await PipelineHarness()
        harness.origin.on("*") { [photo] in $0.respond(body: photo) }
        _ = try await harness.load("/today", .init(cacheKey: "portrait-7"))
        #expect(try await harness.load("/tomorrow", .init(cacheKey: "portrait-7")).source == .memory)
        _ = try await harness.pipeline.purge(.key("portrait-7"))
        #expect(try await harness.load("/tomorrow", .init(cacheKey: "portrait-7")).source == .origin)
    }

    @Test func onlyFromCacheNeverFetches() async throws {
        let harness = try await PipelineHarness()
        harness.origin.on("/a") { [photo] in $0.respond(body: photo) }
        #expect(await harness.failure("/a", .init(cachePolicy: .onlyFromCache))?.reason == .notCached)
        #expect(harness.origin.requests().isEmpty)
        _ = try await harness.load("/a")
        await harness.forgetMemory()
        #expect(try await harness.load("/a", .init(cachePolicy: .onlyFromCache)).source == .disk)
    }

    @Test("HB-88 a load for the disk leaves memory as it is")
    func destinationDisk() async throws {
        let harness = try await PipelineHarness()
        harness.origin.on("/a") { [photo] in $0.respond(body: photo) }
        _ = try await harness.load("/a", .init(destination: .disk))
        #expect(harness.pipeline.cachedImage(for: harness.request("/a")) == nil)
        #expect(await harness.pipeline.statistics().memoryEntries == 0)
        #expect(try await harness.load("/a").source == .disk)
    }

    @Test func destinationMemoryLeavesTheDiskAlone() async throws {
        let harness = try await PipelineHarness()
        harness.origin.on("/a") { [photo] in $0.respond(body: photo) }
        _ = try await harness.load("/a", .init(destination: .memory))
        #expect(await harness.pipeline.statistics().diskEntries == 0)
        await harness.forgetMemory()
        #expect(try await harness.load("/a").source == .origin)
    }

    @Test("a memory-only origin with expiry 0 is asked each time, and nobody is shown another's face")
    func expiredIsNeverShared() async throws {
        let harness = try await PipelineHarness {
            $0.origins[0].isMemoryOnly = true
            $0.origins[0].expiration = .seconds(0)
        }
        let bothArrived = Gate()
        harness.origin.on("/random") { exchange in
            bothArrived.waitBlocking()
            exchange.respond(body: SampleImage.png(seed: UInt64(exchange.request.connection)))
        }
        async let first = harness.load("/random")
        async let second = harness.load("/random")
        await harness.origin.requests(to: "/random", reach: 2)
        bothArrived.open()
        let faces = try await [first.data, second.data]
        #expect(faces[0] != faces[1])
        let statistics = await harness.pipeline.statistics()
        #expect(statistics.memoryEntries == 0 && statistics.diskEntries == 0)
        #expect(try await harness.pipeline.load(harness.request("/random")).isStorable == false)
    }

    @Test("S-04 a host that is not named is refused, whoever asks")
    func unknownHostIsRefused() async throws {
        let harness = try await PipelineHarness()
        let error = await #expect(throws: ImagePipeline.Error.self) {
            try await harness.pipeline.image(for: ImageRequest(url: "http://photos.example/a?token=secret"))
        }
        #expect(error?.reason == .blockedHost && error?.kind == .refused && error?.code == 2001)
        #expect(error?.description.contains("secret") == false)
    }

    @Test(arguments: ["", "photo.jpg", "ftp://127.0.0.1/a", "http://user:pw@127.0.0.1/a", "file:///etc/passwd"])
    func unreadableURLIsRefused(url: String) async throws {
        let harness = try await PipelineHarness()
        let error = await #expect(throws: ImagePipeline.Error.self) {
            try await harness.pipeline.image(for: ImageRequest(url: url))
        }
        #expect(error?.reason == .invalidURL)
    }

    @Test func placeholderStandsInAndIsNotKept() async throws {
        let harness = try await PipelineHarness()
        let placeholder = ImagePlaceholder(bytes: [1, 2, 3], contentType: "image/png")
        let answer = try await harness.load("/none", .init(placeholder: placeholder))
        #expect(answer.source == .placeholder(.missing))
        #expect(answer.data == [1, 2, 3])
        #expect(await harness.pipeline.statistics().diskEntries == 0)
    }

    @Test("HB-60 different credentials are different images")
    func credentialScopesAreApart() async throws {
        let folder = try TemporaryFolder()
        let origin = try ScriptedOrigin()
        origin.on("/me") { exchange in
            exchange.respond(body: SampleImage.png(seed: exchange.request["Authorization"] == "Bearer a" ? 1 : 2))
        }
        let first = try await PipelineHarness(origin: origin, folder: folder) {
            $0.origins[0].authorization = "Bearer a"
        }
        let second = try await PipelineHarness(origin: origin, folder: folder) {
            $0.origins[0].authorization = "Bearer b"
        }
        #expect(try await first.load("/me").data == SampleImage.png(seed: 1))
        #expect(try await second.load("/me").data == SampleImage.png(seed: 2))
        await first.forgetMemory()
        #expect(try await first.load("/me").data == SampleImage.png(seed: 1))
        #expect(origin.requests().count == 2)
    }

    @Test("HB-73 cancelling while the request is being signed sends nothing")
    func cancelDuringModifier() async throws {
        let harness = try await PipelineHarness()
        let signing = Gate()
        let goOn = Gate()
        let modifier = ImageRequest.RequestModifier(identifier: "sign") { request in
            signing.open()
            await goOn.wait()
            request.fields["X-Signature"] = "1"
        }
        let task = Task { await harness.failure("/a", .init(requestModifier: modifier)) }
        await signing.wait()
        task.cancel()
        #expect(await task.value?.reason == .cancelled)
        goOn.open()
        await harness.pipeline.shutDown()
        #expect(harness.origin.requests().isEmpty)
    }

    @Test("an image that the origin has compressed is decoded and kept as it was")
    func contentCodingIsUndone() async throws {
        let harness = try await PipelineHarness()
        let photo = SampleImage.png(seed: 1)
        let file = harness.folder.file("photo.png")
        try Data(photo).write(to: URL(fileURLWithPath: file))
        let gzip = Process()
        gzip.executableURL = URL(fileURLWithPath: "/bin/gzip")
        gzip.arguments = ["-9", "-n", file]
        try gzip.run()
        gzip.waitUntilExit()
        let coded = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file + ".gz")))
        harness.origin.on("/a") { $0.respond(fields: [("Content-Encoding", "gzip")], body: coded) }
        #expect(try await harness.load("/a").data == photo)
        #expect(harness.origin.requests().first?["Accept-Encoding"] == "identity")
    }

    @Test func progressIsReported() async throws {
        let harness = try await PipelineHarness()
        let photo = SampleImage.png(width: 200, height: 200)
        harness.origin.on("/a") { $0.respond(body: photo) }
        let seen = Watched<[ImageRequest.Progress]>([])
        _ = try await harness.load("/a", .init(onProgress: { progress in seen.update { $0.append(progress) } }))
        #expect(seen.value.last?.completedBytes == photo.count)
        #expect(seen.value.last?.totalBytes == photo.count)
    }
}
