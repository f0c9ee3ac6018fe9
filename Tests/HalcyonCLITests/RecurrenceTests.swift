import Foundation
import HalcyonServer
import Synchronization
import Testing

@testable import HalcyonCLI

@Suite(.timeLimit(.minutes(1)))
struct RecurrenceTests {
    /// A clock that moves by what is slept, and cancels the work after a number of rounds.
    private final class Log: Sendable {
        let now = Mutex(Date(timeIntervalSince1970: 1_700_000_000))
        let rounds = Mutex<[TimeInterval]>([])
        let sleeps = Mutex<[Duration]>([])

        func recurrence(_ schedule: Schedule) -> Recurrence {
            Recurrence(
                schedule: schedule, now: { self.now.withLock { $0 } },
                sleep: { duration in
                    self.sleeps.withLock { $0.append(duration) }
                    self.now.withLock { $0 += duration.inSeconds }
                })
        }

        func round(until count: Int) {
            let seconds = now.withLock { $0.timeIntervalSince1970 - 1_700_000_000 }
            let done = rounds.withLock {
                $0.append(seconds)
                return $0.count
            }
            if done == count { withUnsafeCurrentTask { $0?.cancel() } }
        }
    }

    @Test func anIntervalBeginsAtOnce() async {
        let log = Log()
        await Task { await log.recurrence(.every(.seconds(600))).run { log.round(until: 3) } }.value
        #expect(log.rounds.withLock { $0 } == [0, 600, 1200])
        #expect(log.sleeps.withLock { $0.max() } == .seconds(60))
    }

    @Test func aCronExpressionWaitsForItsTime() async throws {
        // 1,700,000,000 is 2023-11-14 22:13:20 UTC; every fifteen minutes: 22:15:00 is 100 s later in any zone of
        // whole quarter hours.
        let log = Log()
        let schedule = Schedule.cron(try CronExpression("*/15 * * * *"))
        await Task { await log.recurrence(schedule).run { log.round(until: 2) } }.value
        #expect(log.rounds.withLock { $0 } == [100, 1000])
    }

    @Test func cancellingWhileWaitingEndsIt() async {
        let recurrence = Recurrence(
            schedule: .every(.seconds(3600)), sleep: { _ in throw CancellationError() })
        let rounds = Mutex(0)
        await recurrence.run { rounds.withLock { $0 += 1 } }
        #expect(rounds.withLock { $0 } == 1)
    }
}
