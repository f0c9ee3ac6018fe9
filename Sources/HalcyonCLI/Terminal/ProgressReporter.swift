internal import Synchronization

/// Shows the progress of a prefetch on stderr: a bar drawn over itself, lines, or JSON lines.
final class ProgressReporter: Sendable {
    enum Style: Sendable { case bar, plain, json, none }

    /// A bar at most ten times a second, lines at most every two seconds.
    static func interval(of style: Style) -> Duration {
        style == .bar ? .milliseconds(100) : .seconds(2)
    }

    private struct State {
        var progress: ProgressState
        var lastShown: Duration?
    }

    private let style: Style
    private let console: Console
    private let elapsed: @Sendable () -> Duration
    private let state: Mutex<State>

    /// - Parameter elapsed: time since the prefetch began, monotonic.
    init(total: Int, style: Style, console: Console, elapsed: @escaping @Sendable () -> Duration) {
        self.style = style
        self.console = console
        self.elapsed = elapsed
        state = Mutex(State(progress: ProgressState(total: total)))
    }

    static func style(of choice: ProgressChoice, console: Console) -> Style {
        switch choice {
        case .auto: console.terminalWidth() == nil ? .plain : .bar
        case .bar: .bar
        case .plain: .plain
        case .json: .json
        case .none: .none
        }
    }

    /// One more is done. Cheap when it is not yet time to show it.
    func advance(bytes: Int, isFailure: Bool) {
        show { progress in
            progress.done += 1
            progress.bytes += bytes
            if isFailure { progress.failures += 1 }
        }
    }

    /// Shows the last state in any case and leaves the line.
    func finish() {
        show(isLast: true) { _ in }
    }

    /// The text is written under the lock: two threads' bars must not interleave.
    private func show(isLast: Bool = false, _ change: (inout ProgressState) -> Void) {
        state.withLock { state in
            change(&state.progress)
            guard style != .none else { return }
            let now = elapsed()
            if !isLast, let last = state.lastShown, now - last < Self.interval(of: style) { return }
            state.lastShown = now
            state.progress.elapsed = now
            switch style {
            case .bar:
                // Return to the first column, then clear what a longer line left behind.
                console.err(
                    "\r\(state.progress.bar(width: console.terminalWidth() ?? 80))\u{1B}[K\(isLast ? "\n" : "")")
            case .plain: console.say(state.progress.line)
            case .json: console.say(state.progress.json.text())
            case .none: break
            }
        }
    }
}
