import Foundation
import HalcyonTestSupport
import Testing

@testable import Halcyon

@Suite(.timeLimit(.minutes(2)))
struct CoalescingTests {
    private let photo = SampleImage.png(width: 32, height: 32, seed: 3)

    @Test("HB-70 H-01 H-12 a thousand cold requests are one request at the origin")
    func oneRequestHoweverManyCallers() async throws {
        let harness = try await PipelineHarness()
        let hold = Gate()
        harness.origin.on("/a") { [photo] exchange in
            hold.waitBlocking()
            exchange.respond(body: photo)
        }
        let shared = try await withThrowingTaskGroup(of: ImageResponse.self) { group in
            for _ in 0..<1_000 { group.addTask { try await harness.load("/a") } }
            await harness.origin.requests(to: "/a", reach: 1)
            hold.open()
            return try await group.reduce(into: 0) { count, response in
                #expect(response.data == photo)
                if response.isShared { count += 1 }
            }
        }
        #expect(harness.origin.requests().count == 1)
        let statistics = await harness.pipeline.statistics()
        #expect(statistics.coalesced == shared)
        #expect(shared + statistics.memoryHits + 1 == 1_000)
        #expect(statistics.flights == 0)
    }

    @Test("HB-69 waiters may leave, the last one still gets the image")
    func waitersMayLeave() async throws {
        let harness = try await PipelineHarness()
        let hold = Gate()
        harness.origin.on("/a") { [photo] exchange in
            hold.waitBlocking()
            exchange.respond(body: photo)
        }
        let tasks = (0..<20).map { _ in Task { try await harness.load("/a") } }
        await harness.origin.requests(to: "/a", reach: 1)
        for task in tasks.dropLast() { task.cancel() }
        for task in tasks.dropLast() {
            await #expect(throws: ImagePipeline.Error.cancelled) { try await task.value }
        }
        hold.open()
        #expect(try await tasks[19].value.data == photo)
        #expect(harness.origin.requests().count == 1)
    }

    @Test("HB-69 when the last waiter leaves, the connection to the origin is closed")
    func lastWaiterLeavingCancelsTheTransfer() async throws {
        let harness = try await PipelineHarness()
        let closed = Gate()
        harness.origin.on("/a") { exchange in
            exchange.head(declaring: 1_000)
            exchange.waitForClose()
            closed.open()
        }
        let tasks = (0..<3).map { _ in Task { try await harness.load("/a") } }
        await harness.origin.requests(to: "/a", reach: 1)
        for task in tasks { task.cancel() }
        await closed.wait()
        for task in tasks { await #expect(throws: ImagePipeline.Error.cancelled) { try await task.value } }
    }

    @Test("HB-83 the one who began may leave, the others keep their result")
    func leaderMayLeave() async throws {
        let harness = try await PipelineHarness()
        let hold = Gate()
        harness.origin.on("/a") { [photo] exchange in
            hold.waitBlocking()
            exchange.respond(body: photo)
        }
        let leader = Task { try await harness.load("/a") }
        await harness.origin.requests(to: "/a", reach: 1)
        let followerBoarded = Watched(false)
        let follower = Task {
            followerBoarded.update { $0 = true }
            return try await harness.load("/a")
        }
        await followerBoarded.wait { $0 }
        while harness.pipeline.passengerCount < 2 { await Task.yield() }
        leader.cancel()
        await #expect(throws: ImagePipeline.Error.cancelled) { try await leader.value }
        hold.open()
        #expect(try await follower.value.data == photo)
        #expect(harness.origin.requests().count == 1)
    }

    @Test("HB-74 H-02 R-14 a failure reaches every waiter once, after one request")
    func failureIsShared() async throws {
        let harness = try await PipelineHarness()
        let hold = Gate()
        harness.origin.on("/a") { exchange in
            hold.waitBlocking()
            exchange.respond(503)
        }
        let failures = await withTaskGroup(of: ImagePipeline.Error?.self) { group in
            for _ in 0..<200 { group.addTask { await harness.failure("/a") } }
            await harness.origin.requests(to: "/a", reach: 1)
            hold.open()
            return await group.reduce(into: 0) { count, error in
                #expect(error?.reason == .originStatus && error?.status ?? 503 == 503)
                if error != nil { count += 1 }
            }
        }
        #expect(failures == 200)
        #expect(harness.origin.requests().count == 1)
    }

    @Test("K-14 H-03 what the origin wants stored by nobody is fetched by each, in parallel")
    func unstorableAnswersAreNotShared() async throws {
        let harness = try await PipelineHarness {
            $0.disk.expiration = .origin
            $0.fetch.maximumPerHost = 8
        }
        let hold = Gate()
        harness.origin.on("/a") { exchange in
            hold.waitBlocking()
            exchange.respond(
                fields: [("Cache-Control", "no-store")],
                body: SampleImage.png(seed: UInt64.random(in: 1...UInt64.max)))
        }
        let faces = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<8 { group.addTask { try await harness.load("/a").data } }
            await harness.origin.requests(to: "/a", reach: 1)
            hold.open()
            return try await group.reduce(into: Set<Data>()) { $0.insert($1) }
        }
        #expect(faces.count == 8)
        #expect(harness.origin.requests().count == 8)
    }

    @Test("HB-71 random cancellation returns each call once and leaves nothing behind")
    func randomCancellation() async throws {
        let harness = try await PipelineHarness(usesDisk: false)
        harness.origin.on("*") { [photo] in $0.respond(body: photo) }
        let ends = await withTaskGroup(of: Int.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var generator = SeededGenerator(seed: UInt64(worker))
                    var ends = 0
                    for round in 0..<200 {
                        let task = Task {
                            do throws(ImagePipeline.Error) {
                                _ = try await harness.load("/\(round % 7)", .init(cachePolicy: .refresh))
                            } catch {
                                #expect(error.reason == .cancelled)
                            }
                        }
                        for _ in 0..<Int.random(in: 0...6, using: &generator) { await Task.yield() }
                        if Bool.random(using: &generator) { task.cancel() }
                        await task.value
                        ends += 1
                    }
                    return ends
                }
            }
            return await group.reduce(0, +)
        }
        #expect(ends == 1_600)
        #expect(harness.pipeline.passengerCount == 0)
    }
}

/// SplitMix64, so that a failing run can be repeated.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
