package import Foundation

/// Does something whenever a schedule says so, one round at a time, until the task is cancelled.
package struct MaintenanceLoop: Sendable {
    /// The clock may be set while we wait, so it is looked at this often.
    static let longestSleep = Duration.seconds(30)

    private let schedule: Schedule
    private let timeZone: TimeZone
    private let now: @Sendable () -> Date
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameter sleep: waits for so long, or throws when the task is cancelled.
    package init(
        schedule: Schedule, timeZone: TimeZone = .current, now: @escaping @Sendable () -> Date = { Date() },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.schedule = schedule
        self.timeZone = timeZone
        self.now = now
        self.sleep = sleep
    }

    /// A round that takes longer than the schedule leaves out those it overlaps. Returns when the task is cancelled, or
    /// when the schedule names no further time.
    package func run(_ round: () async -> Void) async {
        while let due = schedule.nextFire(after: now(), in: timeZone) {
            while case let left = due.timeIntervalSince(now()), left > 0 {
                let wait = min(Duration.seconds(left), Self.longestSleep)
                do { try await sleep(wait) } catch { return }
            }
            guard !Task.isCancelled else { return }
            await round()
        }
    }
}
