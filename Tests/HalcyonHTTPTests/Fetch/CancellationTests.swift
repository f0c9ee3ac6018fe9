import Foundation
import HalcyonTestSupport
import Synchronization
import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct CancellationTests {
    @Test("HB-69 cancelling closes the connection to the origin") func closes() async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") {
            $0.head(declaring: 100)
            $0.waitForClose()
        }
        let fetcher = try makeFetcher()
        let task = Task { await fetcher.failure(origin.url("/")) }
        await origin.running(reach: 1)
        task.cancel()
        #expect(await task.value == .cancelled)
        await origin.openConnections(fallTo: 0)
        #expect(fetcher.statistics.running == 0)
        await fetcher.shutDown()
    }

    @Test("HB-73 a cancellation that comes first is not forgotten") func first() async throws {
        let origin = try ScriptedOrigin()
        let fetcher = try makeFetcher()
        for _ in 0..<100 {
            let gate = Gate()
            let task = Task {
                await gate.wait()
                return await fetcher.failure(origin.url("/"))
            }
            task.cancel()
            gate.open()
            #expect(await task.value == .cancelled)
        }
        #expect(origin.acceptedConnections == 0)
        await fetcher.shutDown()
    }

    @Test("HB-18 nothing of a cancelled transfer gets into the next one of the same URL") func restart() async throws {
        let origin = try ScriptedOrigin()
        let count = Watched(0)
        // Each answer consists of one byte value of its own.
        origin.on("/") { exchange in
            let value = UInt8(
                truncatingIfNeeded: count.update {
                    $0 += 1
                    return $0
                })
            exchange.head(fields: [("X-Value", "\(value)")], declaring: 256 << 10)
            for _ in 0..<64 {
                guard exchange.write([UInt8](repeating: value, count: 4096)) else { return exchange.closeNow() }
            }
        }
        let fetcher = try makeFetcher()
        for round in 0..<60 {
            let received = Watched(0)
            let task = Task {
                try await fetcher.get(origin.url("/")) {
                    $0.onProgress = { step in received.update { $0 = step.receivedBytes } }
                }
            }
            await received.wait { $0 > 0 }
            if round % 3 != 2 { task.cancel() }
            var responses = [try await fetcher.get(origin.url("/"))]
            if case .success(let response) = await task.result { responses.append(response) }
            for response in responses {
                let value = try #require(response.fields["X-Value"].flatMap { UInt8($0) })
                #expect(response.body == [UInt8](repeating: value, count: 256 << 10))
            }
        }
        await fetcher.shutDown()
    }

    @Test("every call returns once, whenever it is cancelled") func storm() async throws {
        let origin = try ScriptedOrigin()
        origin.on("*") { $0.respond(body: [1]) }
        let fetcher = try makeFetcher { $0.maximumConcurrent = 4 }
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<2000 {
                group.addTask {
                    let task = Task { await fetcher.failure(origin.url("/\(index)")) }
                    for _ in 0..<(index % 7) { await Task.yield() }
                    if index % 3 != 0 { task.cancel() }
                    let error = await task.value
                    #expect(error == nil || (error == .cancelled && index % 3 != 0))
                }
            }
        }
        let statistics = fetcher.statistics
        #expect(statistics.running == 0 && statistics.queued == 0 && statistics.waitingForRetry == 0)
        #expect(statistics.successes + (statistics.failures["cancelled"] ?? 0) == 2000)
        await fetcher.shutDown()
    }

    @Test func shuttingDownEndsEveryWaiter() async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") { $0.waitForClose() }
        let fetcher = try makeFetcher { $0.maximumPerHost = 2 }
        let tasks = (0..<10).map { _ in Task { await fetcher.failure(origin.url("/")) } }
        await origin.requests(reach: 2)
        await fetcher.shutDown()
        for task in tasks { #expect(await task.value == .shutDown) }
        #expect(await fetcher.failure(origin.url("/")) == .shutDown)
        await origin.openConnections(fallTo: 0)
        await fetcher.shutDown()
    }

    @Test("HB-82 a thousand fetchers leave no descriptor behind") func descriptors() async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") { $0.respond(body: [1]) }
        let before = try descriptorCount()
        for index in 0..<1000 {
            let fetcher = try makeFetcher()
            if index % 10 == 0 { _ = try await fetcher.get(origin.url("/")) }
            if index % 2 == 0 { await fetcher.shutDown() }
        }
        // Other suites open sockets meanwhile, but not two for each fetcher, which is what one holds at least.
        #expect(try descriptorCount() - before < 500)
    }

    private func descriptorCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
}
