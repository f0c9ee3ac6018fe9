package import Foundation

/// A clock that moves only when a test says so, with a wall time that moves along.
package final class ManualClock: Clock, Sendable {
    package struct Instant: InstantProtocol, Sendable {
        package var offset: Duration

        package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        package func duration(to other: Instant) -> Duration { other.offset - offset }
        package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State: Sendable {
        var offset: Duration = .zero
        var sleepers: [Duration] = []
    }

    private let state = Watched(State())
    private let start: Date

    package init(wallStart: Date = Date(timeIntervalSince1970: 1_700_000_000)) {
        start = wallStart
    }

    package var now: Instant { Instant(offset: state.value.offset) }
    package var minimumResolution: Duration { .nanoseconds(1) }

    /// Wall time: the start plus what the clock was moved.
    package var wallNow: Date {
        let (seconds, attoseconds) = state.value.offset.components
        return start.addingTimeInterval(Double(seconds) + Double(attoseconds) / 1e18)
    }

    package func advance(by duration: Duration) {
        state.update { $0.offset += duration }
    }

    package func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let end = deadline.offset
        state.update { $0.sleepers.append(end) }
        await state.wait { $0.offset >= end }
        state.update { state in
            if let index = state.sleepers.firstIndex(of: end) { state.sleepers.remove(at: index) }
        }
        try Task.checkCancellation()
    }

    /// Returns once somebody sleeps until a time between `earliest` and `latest`, counted from the clock's start.
    package func sleeper(between earliest: Duration = .zero, and latest: Duration) async {
        await state.wait { $0.sleepers.contains { $0 >= earliest && $0 <= latest } }
    }

    /// Returns once at least `count` sleepers wait.
    package func sleepers(reach count: Int) async {
        await state.wait { $0.sleepers.count >= count }
    }
}
