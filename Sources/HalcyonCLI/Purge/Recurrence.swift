internal import Foundation
internal import HalcyonServer

/// Does a piece of work again and again, when its schedule says so, until the task is cancelled.
struct Recurrence: Sendable {
    let schedule: Schedule
    var now: @Sendable () -> Date = { Date() }
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Clocks are set and machines sleep: the time is looked at again at least this often.
    static let longestSleep = Duration.seconds(60)

    /// An interval begins with a round at once, a cron expression waits for its time. Returns when the task is cancelled
    /// or the schedule has no further time.
    func run(_ round: @Sendable () async -> Void) async {
        if case .every = schedule { await round() }
        var last = now()
        while !Task.isCancelled, let next = schedule.nextFire(after: last) {
            do {
                while case let left = next.timeIntervalSince(now()), left > 0 {
                    try await sleep(min(.seconds(left), Self.longestSleep))
                }
            } catch {
                // Cancelled while waiting.
                return
            }
            await round()
            // A round that lasted past the next time does not make up for it.
            last = max(next, now())
        }
    }
}
