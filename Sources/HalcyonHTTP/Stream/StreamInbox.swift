internal import CCurl
internal import Synchronization

/// What callers leave for the thread of the streams, and how they wake it.
final class StreamInbox: Sendable {
    enum Command: Sendable {
        case open(StreamRequest, CheckedContinuation<Result<StreamResponse, FetchError>, Never>)
        case cancel(UInt64)
        /// There is room for more of the answer, or more of the request.
        case resume(UInt64)
        case reconfigure(FetchConfiguration)
    }

    // Guard: `curl_multi_wakeup` alone is called with it outside the thread, which libcurl allows, and only under the lock
    // while the handle lives.
    private struct Multi: @unchecked Sendable {
        let handle: UnsafeMutableRawPointer
    }

    private struct State: Sendable {
        var commands: [Command] = []
        var multi: Multi?
        var isStopping = false
    }

    private let state: Mutex<State>

    init(multi: UnsafeMutableRawPointer) {
        state = Mutex(State(multi: Multi(handle: multi)))
    }

    /// `false` if the thread is stopping and will not look at it.
    @discardableResult
    func add(_ command: Command) -> Bool {
        state.withLock { state in
            guard !state.isStopping else { return false }
            state.commands.append(command)
            if let multi = state.multi { curl_multi_wakeup(multi.handle) }
            return true
        }
    }

    func stop() {
        state.withLock { state in
            state.isStopping = true
            if let multi = state.multi { curl_multi_wakeup(multi.handle) }
        }
    }

    func take() -> (commands: [Command], isStopping: Bool) {
        state.withLock { state in
            defer { state.commands = [] }
            return (state.commands, state.isStopping)
        }
    }

    /// The multi handle is about to go.
    func detach() {
        state.withLock { $0.multi = nil }
    }
}
