import Dispatch
import HalcyonImage
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PixelLaneTests {
    @Test func workIsDoneAndItsErrorsComeThrough() async throws {
        let lane = PixelLane(width: 2)
        #expect(try await lane.run { 7 } == 7)
        await #expect(throws: RenderError.tooSlow) { () async throws in
            try await lane.run { () throws(RenderError) -> Int in throw .tooSlow }
        }
        lane.stop()
    }

    @Test("HB-84 D-11 no more than the width at once, in the order of arrival") func widthIsKept() async throws {
        let lane = PixelLane(width: 2)
        let counts = Shared((now: 0, most: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try await lane.run { () throws(RenderError) in
                        counts.mutex.withLock { ($0.now, $0.most) = ($0.now + 1, max($0.most, $0.now + 1)) }
                        counts.mutex.withLock { $0.now -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(counts.mutex.withLock { $0.now } == 0)
        #expect((1...2).contains(counts.mutex.withLock { $0.most }))
    }

    @Test("HB-84 what comes when the queue is full is refused at once, and the rest is done") func fullQueue()
        async throws
    {
        let lane = PixelLane(width: 1, maximumWaiting: 1)
        let gate = Gate()
        let first = Task { try await lane.run { gate.hold() } }
        await gate.isReached()
        let order = Shared<[Int]>([])
        // One waits; whichever of the two comes later finds the queue full.
        let outcomes = await withTaskGroup(of: Result<Void, any Error>.self) { group in
            for number in 1...2 {
                group.addTask {
                    do { return .success(try await lane.run { order.mutex.withLock { $0.append(number) } }) } catch {
                        gate.open()
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        try await first.value
        let errors = outcomes.compactMap { outcome -> (any Error)? in
            if case .failure(let error) = outcome { error } else { nil }
        }
        #expect(errors.count == 1)
        #expect(errors.first as? RenderError == .busy(retryAfterSeconds: 1))
        #expect(order.mutex.withLock { $0.count } == 1)
        lane.stop()
        let statistics = lane.statistics
        #expect((statistics.done, statistics.failed, statistics.refused) == (2, 0, 1))
        #expect((statistics.running, statistics.waiting) == (0, 0))
        #expect(statistics.seconds > 0)
    }

    @Test("HB-75 what is cancelled while it waits is never begun") func cancelledWhileWaiting() async throws {
        let lane = PixelLane(width: 1)
        let gate = Gate()
        let first = Task { try await lane.run { gate.hold() } }
        await gate.isReached()
        let ran = Shared(0)
        let waiting = (0..<10).map { _ in Task { try await lane.run { ran.mutex.withLock { $0 += 1 } } } }
        for task in waiting { task.cancel() }
        for task in waiting {
            await #expect(throws: RenderError.cancelled) { () async throws in try await task.value }
        }
        gate.open()
        try await first.value
        try await lane.run {}
        #expect(ran.mutex.withLock { $0 } == 0)
    }

    @Test func stoppingEndsWhatWaitsAndFinishesWhatRuns() async throws {
        let lane = PixelLane(width: 1)
        let gate = Gate()
        let first = Task { try await lane.run { gate.hold() } }
        await gate.isReached()
        let second = Task { try await lane.run {} }
        let stopping = Task.detached { lane.stop() }
        await #expect(throws: RenderError.cancelled) { () async throws in try await second.value }
        gate.open()
        try await first.value
        await stopping.value
        await #expect(throws: RenderError.cancelled) { () async throws in try await lane.run {} }
    }

    private final class Shared<Value: Sendable>: Sendable {
        let mutex: Mutex<Value>
        init(_ value: Value) { mutex = Mutex(value) }
    }

    /// Holds a thread of the lane until it is opened.
    private final class Gate: Sendable {
        private let reached = AsyncStream.makeStream(of: Void.self)
        private let opened = DispatchSemaphore(value: 0)

        func hold() {
            reached.continuation.yield()
            opened.wait()
        }

        func isReached() async { for await _ in reached.stream { return } }

        func open() { opened.signal() }
    }
}
