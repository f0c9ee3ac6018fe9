import Foundation
import Synchronization
import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct MaintenanceLoopTests {
    /// Sleeping moves the time on; after the given time it throws as cancellation does.
    final class FakeTime: Sendable {
        private let value: Mutex<Date>
        private let end: Date

        init(_ start: String, _ end: String) throws {
            value = Mutex(try Date(start, strategy: .iso8601))
            self.end = try Date(end, strategy: .iso8601)
        }

        var now: Date { value.withLock { $0 } }

        func sleep(_ duration: Duration) throws {
            let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
            let now = value.withLock { value in
                value += seconds
                return value
            }
            if now > end { throw CancellationError() }
        }
    }

    static func rounds(_ schedule: Schedule, _ time: FakeTime, zone: String) async throws -> [String] {
        let zone = try #require(TimeZone(identifier: zone))
        let loop = MaintenanceLoop(schedule: schedule, timeZone: zone, now: { time.now }, sleep: { try time.sleep($0) })
        var rounds: [String] = []
        await loop.run { rounds.append(time.now.ISO8601Format()) }
        return rounds
    }

    @Test func anIntervalRunsFromTheEndOfTheRoundBefore() async throws {
        let time = try FakeTime("2026-01-01T00:00:00Z", "2026-01-01T00:35:00Z")
        let rounds = try await Self.rounds(.every(.seconds(600)), time, zone: "UTC")
        #expect(rounds == ["2026-01-01T00:10:00Z", "2026-01-01T00:20:00Z", "2026-01-01T00:30:00Z"])
    }

    @Test func aCronExpressionRunsAtItsTimes() async throws {
        let time = try FakeTime("2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z")
        let rounds = try await Self.rounds(.cron(try CronExpression("0 3 * * *")), time, zone: "Asia/Seoul")
        #expect(rounds == ["2026-01-01T18:00:00Z", "2026-01-02T18:00:00Z"])
    }

    @Test func aCancelledLoopReturns() async throws {
        let loop = MaintenanceLoop(schedule: .every(.seconds(3600)))
        let task = Task { await loop.run {} }
        task.cancel()
        await task.value
    }
}
