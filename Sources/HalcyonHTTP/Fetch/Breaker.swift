/// Leaves a host alone that keeps failing, and lets one transfer try again after a pause.
struct Breaker {
    private enum State {
        case closed
        /// `trials` failed since it opened first.
        case open(until: Duration, trials: Int)
        case trying(trials: Int)
    }

    private var state = State.closed
    private var failures = 0

    /// Nothing to remember about this host.
    var isQuiet: Bool {
        if case .closed = state { failures == 0 } else { false }
    }

    var isOpen: Bool {
        if case .closed = state { false } else { true }
    }

    /// When a trial may begin; `nil` unless it is open.
    var opensAt: Duration? {
        if case .open(let until, _) = state { until } else { nil }
    }

    func allowsStart(now: Duration) -> Bool {
        switch state {
        case .closed: true
        case .open(let until, _): now >= until
        case .trying: false
        }
    }

    /// For a request that could start at `start`: how long to leave the host alone, or `nil` if it may wait for its turn.
    /// A prefetch sits out the first pause if its deadline allows.
    func refusal(priority: FetchPriority, start: Duration, deadline: Duration) -> Duration? {
        guard case .open(let until, let trials) = state, start < until else { return nil }
        return priority == .prefetch && trials == 0 && until < deadline ? nil : until - start
    }

    mutating func started() {
        if case .open(_, let trials) = state { state = .trying(trials: trials) }
    }

    mutating func succeeded() {
        state = .closed
        failures = 0
    }

    /// Returns whether it opened now.
    mutating func failed(now: Duration, threshold: Int, cooldown: Duration) -> Bool {
        switch state {
        case .closed:
            failures += 1
            guard failures >= threshold else { return false }
            state = .open(until: now + cooldown, trials: 0)
            return true
        case .trying(let trials):
            state = .open(until: now + cooldown, trials: trials + 1)
            return true
        case .open: return false
        }
    }

    /// A transfer that says nothing about the host: cancelled, or refused by ourselves.
    mutating func endedWithoutWord(now: Duration) {
        if case .trying(let trials) = state { state = .open(until: now, trials: trials) }
    }
}
