internal import Glibc
internal import Synchronization

/// SIGINT, SIGTERM and SIGHUP as calls on the main thread, where anything may be done.
///
/// The signals are blocked in every thread and waited for by the main one, so that no handler runs in the middle of other
/// work. (Were the main thread left to Dispatch, it would wait with every signal unblocked, and they would end the process.)
final class SignalWatch: Sendable {
    static let shared = SignalWatch()

    private let handler = Mutex<(@Sendable (Int32) -> Void)?>(nil)

    /// Before there is a second thread: threads inherit what is blocked.
    func block() {
        var signals = Self.watched
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Never returns.
    func wait() -> Never {
        var signals = Self.watched
        var signal: Int32 = 0
        while true {
            if sigwait(&signals, &signal) == 0 { arrived(signal) }
        }
    }

    /// `nil`: what the signal would have done without us.
    func handle(_ body: (@Sendable (Int32) -> Void)?) {
        handler.withLock { $0 = body }
    }

    private func arrived(_ signal: Int32) {
        if let body = handler.withLock({ $0 }) {
            body(signal)
        } else if signal == SIGINT {
            _exit(ExitCode.interrupted.rawValue)
        } else {
            // Ends the process, unless the signal was ignored when it began, as under nohup.
            var signals = Self.watched
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            raise(signal)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
        }
    }

    private static var watched: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        return signals
    }
}

/// Runs `body`; the first SIGINT or SIGTERM cancels it, which it must notice, the second ends the process.
///
/// Answers the signal that came, if one did.
///
/// - Parameter onHangup: what SIGHUP does; nothing by default.
func interruptible<Value: Sendable>(
    onHangup: @escaping @Sendable () -> Void = {}, _ body: @escaping @Sendable () async throws -> Value
) async throws -> (value: Value, signal: Int32?) {
    let task = Task { try await body() }
    let first = Mutex<Int32?>(nil)
    SignalWatch.shared.handle { signal in
        if signal == SIGHUP {
            onHangup()
        } else if first.withLock({ first in
            defer { first = first ?? signal }
            return first == nil
        }) {
            task.cancel()
        } else {
            _exit(ExitCode.interrupted.rawValue)
        }
    }
    defer { SignalWatch.shared.handle(nil) }
    let value = try await withTaskCancellationHandler {
        try await task.value
    } onCancel: {
        task.cancel()
    }
    return (value, first.withLock { $0 })
}
