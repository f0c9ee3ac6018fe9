import Foundation
import HalcyonTestSupport
import Testing

@testable import Halcyon

@Suite(.timeLimit(.minutes(2)))
struct PrefetcherTests {
    private let photo = SampleImage.png(seed: 1)

    @Test("F-10 HB-87 HB-80 every item is counted once, whatever becomes of it")
    func numbersAddUp() async throws {
        let harness = try await PipelineHarness()
        let photo = photo
        harness.origin.on("*") { exchange in
            switch (exchange.request.path.utf8.reduce(0) { $0 &* 31 &+ Int($1) }) % 5 {
            case 0: exchange.respond(404)
            case 1: exchange.respond(500)
            case 2: exchange.respond(body: Array("<html>".utf8))
            default: exchange.respond(body: photo)
            }
        }
        let items = (0..<1_000).map { number in
            ImagePrefetcher.Item(id: "\(number)", url: number % 10 == 9 ? nil : harness.origin.url("/\(number)"))
        }
        let seen = Watched<[String]>([])
        let summary = await ImagePrefetcher(pipeline: harness.pipeline).run(items) { item, _ in
            seen.update { $0.append(item.id) }
        }
        #expect(summary.total == 1_000)
        #expect(summary.noPhoto == 100)
        #expect(Set(seen.value).count == 1_000)
        #expect(summary.fetched > 0 && summary.failures(of: .missing).count > 0)
        #expect(summary.failures.contains { $0.error.reason == .notAnImage })
        #expect(!summary.isComplete)
        #expect(summary.fetched == harness.origin.requests().count - summary.failures.count)
    }

    @Test("HB-40 what was prefetched is served without another request, and a second run fetches nothing")
    func prefetchThenLoad() async throws {
        let harness = try await PipelineHarness()
        let photo = photo
        harness.origin.on("*") { $0.respond(body: photo) }
        let items = (0..<50).map { ImagePrefetcher.Item(id: "\($0)", url: harness.origin.url("/\($0)")) }
        let first = await ImagePrefetcher(pipeline: harness.pipeline).run(items)
        #expect(first.fetched == 50 && first.isComplete && first.fetchedBytes == 50 * photo.count)
        let second = await ImagePrefetcher(pipeline: harness.pipeline).run(items)
        #expect(second.alreadyFresh == 50)
        for number in 0..<50 { #expect(try await harness.load("/\(number)").source == .disk) }
        #expect(harness.origin.requests().count == 50)
    }

    @Test func concurrencyIsBounded() async throws {
        let harness = try await PipelineHarness { $0.fetch.maximumPerHost = 4 }
        let photo = photo
        harness.origin.on("*") { $0.respond(body: photo) }
        let items = (0..<300).map { ImagePrefetcher.Item(id: "\($0)", url: harness.origin.url("/\($0)")) }
        let summary = await ImagePrefetcher(pipeline: harness.pipeline, concurrency: 32).run(items)
        #expect(summary.fetched == 300)
        #expect(harness.origin.requests().count == 300)
        #expect(harness.origin.mostConcurrent() <= 4)
    }

    @Test("HB-89 a photo that fails once with 503 is had with one retry")
    func retriesHold() async throws {
        let harness = try await PipelineHarness { $0.fetch.retries = 1 }
        let photo = photo
        let asked = Watched(0)
        harness.origin.on("/a") { exchange in
            asked.update { $0 += 1 }
            if asked.value == 1 { exchange.respond(503) } else { exchange.respond(body: photo) }
        }
        let summary = await ImagePrefetcher(pipeline: harness.pipeline).run(
            [.init(id: "a", url: harness.origin.url("/a"))])
        #expect(summary.fetched == 1)
    }

    @Test func cancellingKeepsWhatWasFetched() async throws {
        let harness = try await PipelineHarness()
        let photo = photo
        harness.origin.on("/0") { $0.respond(body: photo) }
        harness.origin.on("/1") { $0.waitForClose() }
        let items = (0..<100).map { ImagePrefetcher.Item(id: "\($0)", url: harness.origin.url("/\(min($0, 1))?\($0)")) }
        let task = Task { await ImagePrefetcher(pipeline: harness.pipeline, concurrency: 1).run(items) }
        await harness.origin.requests(to: "/1", reach: 1)
        task.cancel()
        let summary = await task.value
        #expect(summary.total == 100)
        #expect(summary.fetched == 1 && summary.cancelled == 99)
        #expect(try await harness.load("/0?0").source == .disk)
    }

    @Test func refreshRevalidates() async throws {
        let harness = try await PipelineHarness()
        let photo = photo
        harness.origin.on("/a") { exchange in
            if exchange.request["If-None-Match"] == "\"1\"" {
                exchange.respond(304)
            } else {
                exchange.respond(fields: [("ETag", "\"1\"")], body: photo)
            }
        }
        let items = [ImagePrefetcher.Item(id: "a", url: harness.origin.url("/a"))]
        let prefetcher = ImagePrefetcher(pipeline: harness.pipeline)
        #expect(await prefetcher.run(items).fetched == 1)
        let refreshed = await prefetcher.run(items, options: .init(cachePolicy: .refresh, destination: .disk))
        #expect(refreshed.revalidated == 1 && refreshed.isComplete)
    }
}
