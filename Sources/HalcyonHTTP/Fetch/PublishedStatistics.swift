internal import Synchronization

/// The transfer thread's numbers for everybody else.
final class PublishedStatistics: Sendable {
    private struct State: Sendable {
        var statistics = FetchStatistics()
        var oldestStart: Duration?
    }

    private let state = Mutex(State())
    private let clock: LoopClock

    init(clock: LoopClock) { self.clock = clock }

    func publish(_ statistics: FetchStatistics, oldestStart: Duration?) {
        state.withLock { state in
            state.statistics = statistics
            state.oldestStart = oldestStart
        }
    }

    var current: FetchStatistics {
        let state = state.withLock { $0 }
        var statistics = state.statistics
        statistics.oldestRunning = state.oldestStart.map { max(.zero, clock.now() - $0) }
        return statistics
    }
}
