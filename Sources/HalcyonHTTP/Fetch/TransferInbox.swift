internal import CCurl
internal import Glibc
internal import Synchronization

/// What callers leave for the transfer thread, and how they wake it.
final class TransferInbox: Sendable {
    enum Command: Sendable {
        case submit(Submission)
        case cancel(UInt64)
        case raisePriority(UInt64)
        /// Without certificates: those in use stay.
        case reconfigure(FetchConfiguration, Handover<CABundle>?)
    }

    struct Submission: Sendable {
        let request: FetchRequest
        let ticket: Ticket
        let continuation: CheckedContinuation<Result<FetchResponse, FetchError>, Never>
    }

    /// Set by a cancellation that comes before the submission it is for.
    final class Ticket: Sendable {
        let isCancelled = Atomic(false)
    }

    // Guard: `curl_multi_wakeup` alone is called with it outside the transfer thread, which libcurl allows, and only
    // under the lock while the handle lives.
    private struct Multi: @unchecked Sendable {
        let handle: UnsafeMutableRawPointer
    }

    private struct State: Sendable {
        var commands: [Command] = []
        var multi: Multi?
        var isAsleep = false
        /// Woken while awake: the next sleep is left out.
        var isWoken = false
        var isStopping = false
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []

        /// A write of one byte that never blocks; at most one for each sleep.
        mutating func wake() {
            guard isAsleep, let multi else {
                isWoken = true
                return
            }
            isAsleep = false
            curl_multi_wakeup(multi.handle)
        }
    }

    private let state: Mutex<State>

    init(multi: UnsafeMutableRawPointer) {
        state = Mutex(State(multi: Multi(handle: multi)))
    }

    /// `false` if the thread is stopping and will not look at it.
    func add(_ command: Command) -> Bool {
        state.withLock { state in
            guard !state.isStopping else { return false }
            state.commands.append(command)
            state.wake()
            return true
        }
    }

    func wake() {
        state.withLock { $0.wake() }
    }

    func stop() {
        state.withLock { state in
            state.isStopping = true
            state.wake()
        }
    }

    /// For the transfer thread: what has come. With nothing there and `maySleep`, the next command wakes it.
    func take(maySleep: Bool) -> (commands: [Command], isStopping: Bool, sleeps: Bool) {
        state.withLock { state in
            var commands: [Command] = []
            swap(&commands, &state.commands)
            let sleeps = maySleep && commands.isEmpty && !state.isStopping && !state.isWoken
            state.isAsleep = sleeps
            state.isWoken = false
            return (commands, state.isStopping, sleeps)
        }
    }

    func awoke() {
        state.withLock { $0.isAsleep = false }
    }

    /// For the transfer thread: the multi handle is about to go.
    func detach() {
        state.withLock { state in
            state.multi = nil
            state.isAsleep = false
        }
    }

    /// For the transfer thread, last of all.
    func end() {
        let waiters = state.withLock { state in
            state.hasEnded = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func ended() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waiters.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }
}
