/// A clock of any kind as durations since this value was made.
struct LoopClock: Sendable {
    let now: @Sendable () -> Duration
    let sleep: @Sendable (_ until: Duration) async throws -> Void
    /// It runs as fast as the poll timeout does.
    let isContinuous: Bool

    init(_ clock: any Clock<Duration>) {
        self = Self.opened(clock)
    }

    private init<C: Clock<Duration>>(opened clock: C) {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
        isContinuous = clock is ContinuousClock
    }

    private static func opened(_ clock: some Clock<Duration>) -> LoopClock { LoopClock(opened: clock) }
}
