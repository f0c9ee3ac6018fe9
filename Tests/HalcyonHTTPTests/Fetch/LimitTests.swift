import Foundation
import HalcyonTestSupport
import Testing

@testable import HalcyonHTTP

/// Bytes, time and numbers that an origin may take.
@Suite(.timeLimit(.minutes(1)))
struct LimitTests {
    @Test("HB-62, D-05, R-10 a body without end is cut off at the limit") func endless() async throws {
        let origin = try ScriptedOrigin()
        let sent = Watched(0)
        origin.on("/") { exchange in
            exchange.headChunked()
            let piece = [UInt8](repeating: 7, count: 32_768)
            while exchange.write("8000\r\n"), exchange.write(piece), exchange.write("\r\n") {
                sent.update { $0 += 32_768 }
            }
            exchange.closeNow()
        }
        let fetcher = try makeFetcher { $0.maximumBodyBytes = 1 << 20 }
        #expect(await fetcher.failure(origin.url("/")) == .bodyTooLarge(limit: 1 << 20))
        await origin.openConnections(fallTo: 0)
        // What fits in the buffers of both sockets may be under way.
        #expect(sent.value < 16 << 20)
        #expect(origin.requests().count == 1)
        await fetcher.shutDown()
    }

    @Test("HB-64 sixty-four downloads of 8 MiB at once take their bodies and 64 MiB")
    func memory() async throws {
        let origin = try ScriptedOrigin()
        defer { origin.stop() }
        let body = [UInt8](repeating: 7, count: 8 << 20)
        let all = Gate()
        origin.on("*") { exchange in
            exchange.head(declaring: body.count)
            exchange.write(Array(body[..<(body.count - 1)]))
            // None ends before each has nearly all.
            all.waitBlocking()
            exchange.write([7])
        }
        let fetcher = try makeFetcher {
            $0.maximumConcurrent = 64
            $0.maximumPerHost = 64
        }
        let base = try Self.memory("VmRSS")
        try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        let bytes = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<64 { group.addTask { try await fetcher.get(origin.url("/\(number)")).body.count } }
            await origin.running(reach: 64)
            all.open()
            return try await group.reduce(0, +)
        }
        #expect(bytes == 64 * (8 << 20))
        // The origin writes from a copy of its own a thread.
        let origins = 64 * (8 << 20)
        #expect(try Self.memory("VmHWM") - base < 64 * (8 << 20) + (64 << 20) + origins)
        await fetcher.shutDown()
    }

    /// Of this process, in bytes.
    private static func memory(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
        return try #require(Int(line.filter(\.isNumber))) << 10
    }

    @Test("D-10 slots that are all taken for longer than the deadline are stuck, and the deadline frees them")
    func stuckSlots() async throws {
        var statistics = FetchStatistics()
        statistics.maximumConcurrent = 2
        #expect(!statistics.isStuck(deadline: .seconds(15)))
        statistics.running = 2
        statistics.oldestRunning = .seconds(15)
        #expect(!statistics.isStuck(deadline: .seconds(15)))
        statistics.oldestRunning = .seconds(16)
        #expect(statistics.isStuck(deadline: .seconds(15)))
        statistics.running = 1
        #expect(!statistics.isStuck(deadline: .seconds(15)))

        let origin = try ScriptedOrigin()
        defer { origin.stop() }
        origin.on("/stuck") { $0.waitForClose() }
        origin.on("/fine") { $0.respond(body: [1]) }
        let fetcher = try makeFetcher {
            $0.maximumConcurrent = 2
            $0.retries = 0
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    // Whoever only waited for a place has another error than those who had one.
                    #expect(await fetcher.failure(origin.url("/stuck")) { $0.timeout = .milliseconds(200) } != nil)
                }
            }
        }
        #expect(try await fetcher.get(origin.url("/fine")).body == [1])
        #expect(fetcher.statistics.running == 0)
        await fetcher.shutDown()
    }

    @Test("D-05 a length over the limit is enough") func declared() async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") {
            $0.head(declaring: 1001)
            $0.waitForClose()
        }
        origin.on("/fits") { $0.respond(body: [UInt8](repeating: 1, count: 1000)) }
        let fetcher = try makeFetcher { $0.maximumBodyBytes = 1000 }
        #expect(await fetcher.failure(origin.url("/")) == .bodyTooLarge(limit: 1000))
        #expect(try await fetcher.get(origin.url("/fits")).body.count == 1000)
        #expect(await fetcher.failure(origin.url("/fits")) { $0.maximumBodyBytes = 999 } == .bodyTooLarge(limit: 999))
        await fetcher.shutDown()
    }

    @Test("HB-62 a decompression bomb is cut off at the limit") func bomb() async throws {
        let origin = try ScriptedOrigin()
        let bomb = SampleImage.gzipBomb(decodedBytes: 64 << 20)
        origin.on("/") { $0.respond(fields: [("Content-Encoding", "gzip")], body: bomb) }
        #expect(bomb.count < 1 << 20)
        let progress = Watched(0)
        let fetcher = try makeFetcher { $0.maximumBodyBytes = 1 << 20 }
        let error = await fetcher.failure(origin.url("/")) {
            $0.acceptsContentCodings = true
            $0.onProgress = { step in progress.update { $0 = step.receivedBytes } }
        }
        #expect(error == .bodyTooLarge(limit: 1 << 20))
        #expect(progress.value <= 1 << 20)
        await fetcher.shutDown()
    }

    @Test("HB-62 the encoded body has the same limit") func encoded() async throws {
        let origin = try ScriptedOrigin()
        // A gzip member may hold a name of any length: many bytes that decode to nothing.
        origin.on("/") { exchange in
            exchange.headChunked(fields: [("Content-Encoding", "gzip")])
            exchange.chunk([0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 255])
            exchange.chunk([UInt8](repeating: 0x61, count: 200_000))
            exchange.chunk([0])
            exchange.chunk(Array(SampleImage.gzipBomb(decodedBytes: 100).dropFirst(10)))
            exchange.endChunks()
        }
        let fetcher = try makeFetcher { $0.maximumBodyBytes = 100_000 }
        let error = await fetcher.failure(origin.url("/")) { $0.acceptsContentCodings = true }
        #expect(error == .bodyTooLarge(limit: 100_000))
        await fetcher.shutDown()
    }

    @Test("HB-96, D-12 a stalled body ends by the low-speed limit, and is tried again") func stalled() async throws {
        let clock = ManualClock()
        let origin = try ScriptedOrigin()
        let count = Watched(0)
        origin.on("/") { exchange in
            if count.update({
                $0 += 1
                return $0
            }) > 1 {
                return exchange.respond(body: [1, 2])
            }
            exchange.head(declaring: 2)
            exchange.write([1])
            exchange.waitForClose()
        }
        let received = Watched(0)
        let fetcher = try makeFetcher(clock: clock)
        let task = Task {
            try await fetcher.get(origin.url("/")) {
                $0.onProgress = { step in received.update { $0 = step.receivedBytes } }
            }
        }
        await received.wait { $0 == 1 }
        clock.advance(by: .seconds(5))
        let response = try await task.value
        #expect(response.body == [1, 2])
        #expect(response.metrics.attempts == 2)
        await fetcher.shutDown()
    }

    @Test("HB-96 without retries the low-speed limit is the error") func lowSpeed() async throws {
        let clock = ManualClock()
        let origin = try ScriptedOrigin()
        origin.on("/") { $0.waitForClose() }
        let fetcher = try makeFetcher(clock: clock) {
            $0.lowSpeedTime = .seconds(2)
            $0.retries = 0
        }
        let task = Task { await fetcher.failure(origin.url("/")) }
        await origin.requests(reach: 1)
        clock.advance(by: .seconds(2))
        #expect(await task.value == .timeout(phase: .lowSpeed))
        await origin.openConnections(fallTo: 0)
        await fetcher.shutDown()
    }

    @Test("HB-96, D-12 the total deadline holds though every byte is in time") func deadline() async throws {
        let clock = ManualClock()
        let origin = try ScriptedOrigin()
        let gates = (0..<5).map { _ in Gate() }
        origin.on("/") { exchange in
            exchange.head(declaring: 50_000)
            exchange.drip([UInt8](repeating: 3, count: 50_000), waitingOn: gates)
            exchange.waitForClose()
        }
        let received = Watched(0)
        let fetcher = try makeFetcher(clock: clock)
        let task = Task {
            await fetcher.failure(origin.url("/")) {
                $0.onProgress = { step in received.update { $0 = step.receivedBytes } }
            }
        }
        for (index, gate) in gates.dropLast().enumerated() {
            gate.open()
            await received.wait { $0 == (index + 1) * 10_000 }
            clock.advance(by: .milliseconds(3750))
        }
        #expect(await task.value == .timeout(phase: .total))
        gates[4].open()
        await origin.openConnections(fallTo: 0)
        await fetcher.shutDown()
    }

    @Test("HB-96 the deadline counts the time in the queue") func queueDeadline() async throws {
        let clock = ManualClock()
        let origin = try ScriptedOrigin()
        origin.on("/") { $0.waitForClose() }
        let fetcher = try makeFetcher(clock: clock) {
            $0.maximumConcurrent = 1
            $0.lowSpeedBytesPerSecond = 0
        }
        let tasks = (0..<3).map { _ in Task { await fetcher.failure(origin.url("/")) { $0.timeout = .seconds(7) } } }
        await origin.requests(reach: 1)
        // All three have their deadline before the clock moves, or the late ones would wait for ever.
        while fetcher.statistics.queued < 2 { await Task.yield() }
        await clock.sleeper(and: .seconds(7))
        clock.advance(by: .seconds(7))
        var ends: [FetchError?] = []
        for task in tasks { ends.append(await task.value) }
        // Who never had a place was held up by us, not by the origin.
        #expect(ends.count { $0 == .timeout(phase: .total) } == 1)
        #expect(ends.count { $0 == .queueFull } == 2)
        await fetcher.shutDown()
    }

    @Test("D-13 content that is not wanted is refused when its fields are in") func unacceptable() async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") { exchange in
            exchange.head(fields: [("Content-Type", "multipart/x-mixed-replace; boundary=x")])
            exchange.waitForClose()
        }
        let fetcher = try makeFetcher()
        let error = await fetcher.failure(origin.url("/")) {
            $0.acceptsContent = { fields, status in status == 200 && fields["Content-Type"]?.hasPrefix("image/") == true
            }
        }
        #expect(error == .unacceptable)
        await origin.openConnections(fallTo: 0)
        #expect(origin.requests().count == 1)
        await fetcher.shutDown()
    }

    @Test("at most so many transfers of a host, and of all, at a time", arguments: [(3, 64), (8, 2)])
    func concurrency(perHost: Int, total: Int) async throws {
        let origin = try ScriptedOrigin()
        let most = min(perHost, total)
        let gate = Gate()
        origin.on("*") {
            gate.waitBlocking()
            $0.respond(body: [1])
        }
        let fetcher = try makeFetcher {
            $0.maximumPerHost = perHost
            $0.maximumConcurrent = total
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<40 { group.addTask { try await fetcher.get(origin.url("/\(index)")).status } }
            await origin.running(reach: most)
            gate.open()
            for try await status in group { #expect(status == 200) }
        }
        #expect(origin.mostConcurrent() == most)
        #expect(origin.acceptedConnections <= most)
        #expect(origin.requests().count == 40)
        await fetcher.shutDown()
    }
}
