internal import Synchronization

/// The streams that are being sent, so that a stop can end them.
final class StreamTable: Sendable {
    private struct State {
        var streams: [ObjectIdentifier: ResponseStream] = [:]
        var isStopping = false
    }

    private let state = Mutex(State())

    func add(_ stream: ResponseStream) {
        let isStopping = state.withLock { state in
            state.streams[ObjectIdentifier(stream)] = stream
            return state.isStopping
        }
        if isStopping { stream.end() }
    }

    func remove(_ stream: ResponseStream) {
        state.withLock { $0.streams[ObjectIdentifier(stream)] = nil }
    }

    /// Ends all, and from now on each that is added.
    func endAll() {
        let streams = state.withLock { state in
            state.isStopping = true
            return Array(state.streams.values)
        }
        for stream in streams { stream.end() }
    }
}
