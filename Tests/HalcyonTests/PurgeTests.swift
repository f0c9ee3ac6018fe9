import Foundation
import HalcyonStore
import HalcyonTestSupport
import Testing

@testable import Halcyon

@Suite(.timeLimit(.minutes(1)))
struct PurgeTests {
    private let photo = SampleImage.png(seed: 1)

    private func filled(_ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }) async throws
        -> PipelineHarness
    {
        let harness = try await PipelineHarness(configure: configure)
        harness.origin.on("*") { [photo] in $0.respond(body: photo) }
        for number in 1...4 {
            _ = try await harness.load(
                "/\(number)", .init(tags: ["student:\(number)", "class:1-\(number % 2)"]))
        }
        return harness
    }

    private func kept(_ harness: PipelineHarness) async -> [Int] {
        var kept: [Int] = []
        for number in 1...4 {
            await harness.forgetMemory()
            if await harness.failure("/\(number)", .init(cachePolicy: .onlyFromCache)) == nil { kept.append(number) }
        }
        return kept
    }

    @Test("HB-41 a purge by URL removes the image from both layers and says how many")
    func byURL() async throws {
        let harness = try await filled()
        let report = try await harness.pipeline.purge(.url(harness.origin.url("/2")))
        #expect(report.count == 1 && report.bytes >= photo.count)
        #expect(harness.pipeline.cachedImage(for: harness.request("/2")) == nil)
        #expect(await kept(harness) == [1, 3, 4])
    }

    @Test("F-11 F-12 a pupil's and a class's photos go by their tags, and twice is no error")
    func byTag() async throws {
        let harness = try await filled()
        #expect(try await harness.pipeline.purge(.tags(["student:3"])).count == 1)
        #expect(try await harness.pipeline.purge(.tags(["student:3"])).count == 0)
        #expect(try await harness.pipeline.purge(.tags(["class:1-0"])).count == 2)
        #expect(await kept(harness) == [1])
    }

    @Test func byHostAndAge() async throws {
        let harness = try await filled()
        #expect(try await harness.pipeline.purge(.host("other.example")).count == 0)
        #expect(try await harness.pipeline.purge(.olderThan(.seconds(60))).count == 0)
        harness.clock.advance(by: 61)
        #expect(try await harness.pipeline.purge(.olderThan(.seconds(60))).count == 4)
        _ = try await harness.load("/1")
        #expect(try await harness.pipeline.purge(.host("127.0.0.1")).count == 1)
        #expect(await kept(harness) == [])
    }

    @Test func byExpiry() async throws {
        let harness = try await filled { $0.disk.expiration = .seconds(10) }
        #expect(try await harness.pipeline.purge(.expired).count == 0)
        harness.clock.advance(by: 11)
        #expect(try await harness.pipeline.purge(.expired).count == 4)
        #expect(await harness.pipeline.statistics().diskEntries == 0)
    }

    @Test func dryRunRemovesNothing() async throws {
        let harness = try await filled()
        #expect(try await harness.pipeline.purge(.all, isDryRun: true).count == 4)
        #expect(await kept(harness) == [1, 2, 3, 4])
        #expect(try await harness.pipeline.purge(.all).count == 4)
        #expect(await kept(harness) == [])
    }

    @Test("O-12 a fetch begun before a purge answers its caller and is not kept; one begun after it is")
    func fetchBegunBeforeAPurge() async throws {
        let harness = try await PipelineHarness()
        let hold = Gate()
        let (old, new) = (SampleImage.png(seed: 1), SampleImage.png(seed: 2))
        harness.origin.on("/a") { exchange in
            hold.waitBlocking()
            exchange.respond(body: old)
        }
        let before = Task { try await harness.load("/a") }
        await harness.origin.requests(to: "/a", reach: 1)
        try await harness.pipeline.purge(.all)
        harness.origin.on("/a") { $0.respond(body: new) }
        #expect(try await harness.load("/a").data == new, "does not join the flight from before the purge")
        hold.open()
        #expect(try await before.value.data == old)
        #expect(try await harness.load("/a").data == new)
        await harness.forgetMemory()
        #expect(try await harness.load("/a").data == new)
    }

    @Test("HB-31 memory follows the purge of another process")
    func purgeByAnotherProcess() async throws {
        let server = try await filled()
        let command = try await PipelineHarness(origin: server.origin, folder: server.folder)
        try await command.pipeline.purge(.tags(["student:1"]))
        await server.pipeline.applyExternalPurges()
        #expect(server.pipeline.cachedImage(for: server.request("/1")) == nil)
        #expect(server.pipeline.cachedImage(for: server.request("/2")) != nil)
        #expect(try await server.load("/1").source == .origin)
    }

    @Test("HB-53 a refresh for the disk alone ends the old picture in memory, here and in other processes")
    func refreshReachesMemory() async throws {
        let (old, new) = (SampleImage.png(seed: 1), SampleImage.png(seed: 2))
        let server = try await PipelineHarness()
        let other = try await PipelineHarness(origin: server.origin, folder: server.folder)
        server.origin.on("/a") { $0.respond(body: old) }
        _ = try await server.load("/a")
        await server.forgetMemory()
        _ = try await server.load("/a")
        _ = try await other.load("/a")
        server.origin.on("/a") { $0.respond(body: new) }
        let items = [ImagePrefetcher.Item(id: "a", url: server.origin.url("/a"))]
        _ = await ImagePrefetcher(pipeline: server.pipeline).run(
            items, options: .init(cachePolicy: .refresh, destination: .disk))
        #expect(try await server.load("/a").data == new)
        await other.pipeline.applyExternalPurges()
        #expect(try await other.load("/a").data == new)
    }

    @Test("HB-25 O-06 a cache folder that cannot be used leaves memory, one event and a working service")
    func memoryAlone() async throws {
        let folder = try TemporaryFolder()
        #expect(FileManager.default.createFile(atPath: folder.file("cache"), contents: Data("a file".utf8)))
        let harness = try await PipelineHarness(folder: folder)
        let photo = photo
        harness.origin.on("/a") { $0.respond(body: photo) }
        #expect(try await harness.load("/a").source == .origin)
        #expect(try await harness.load("/a").source == .memory)
        let faults = harness.events.all.filter { event in
            if case .storage(let event) = event { event.isFault } else { false }
        }
        #expect(faults.count == 1)
        #expect(await harness.pipeline.statistics().diskFault != nil)
    }
}
