internal import CMicroHTTPD
internal import Synchronization

/// The body of an answer whose bytes come bit by bit, for as long as anybody writes and the client reads.
///
/// What is written waits until the client has taken what came before; the connection costs no thread meanwhile. It ends
/// when the writer ends it, the client leaves, the server stops, or more waits than the limit allows.
package final class ResponseStream: Sendable {
    package static let defaultLimitBytes = 256 << 10

    /// Guard: the connection cannot go while it is suspended, and is not used after it has been resumed.
    private struct Connection: @unchecked Sendable {
        let handle: OpaquePointer
    }

    private enum Ending {
        /// After all that waits.
        case whenSent
        /// At once, so that the client sees that something is missing.
        case now
    }

    private struct State {
        var waiting: [UInt8] = []
        var ending: Ending?
        var suspended: Connection?
        var hasClosed = false
    }

    private let limitBytes: Int
    private let onEnd: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limitBytes: how much may wait for the client.
    ///   - onEnd: called once, on no particular thread, when nothing that is written will be sent any more.
    package init(limitBytes: Int = defaultLimitBytes, onEnd: @escaping @Sendable () -> Void = {}) {
        self.limitBytes = limitBytes
        self.onEnd = onEnd
    }

    /// One that nothing is written to: for answers of which the header alone is sent.
    package static var ended: ResponseStream {
        let stream = ResponseStream()
        stream.end()
        return stream
    }

    /// Says whether the stream goes on: `false` if it has ended, or if this is more than may wait, which ends it.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        let (goesOn, suspended) = state.withLock { state -> (Bool, Connection?) in
            guard state.ending == nil, !state.hasClosed else { return (false, nil) }
            guard state.waiting.count + bytes.count <= limitBytes else {
                state.waiting = []
                state.ending = .now
                return (false, state.suspended.take())
            }
            state.waiting += bytes
            return (true, bytes.isEmpty ? nil : state.suspended.take())
        }
        if let suspended { MHD_resume_connection(suspended.handle) }
        return goesOn
    }

    /// Whether it was ended because its client did not read.
    package var hasOverflown: Bool {
        state.withLock { if case .now = $0.ending { true } else { false } }
    }

    /// Ends the answer once the client has what was written. Further calls change nothing.
    package func end() {
        let suspended = state.withLock { state -> Connection? in
            guard state.ending == nil else { return nil }
            state.ending = .whenSent
            return state.suspended.take()
        }
        if let suspended { MHD_resume_connection(suspended.handle) }
    }

    enum Piece {
        case bytes(Int)
        /// Nothing is there yet: the connection has been suspended.
        case suspended
        case end
        case broken
    }

    /// Called on the I/O thread of `handle`, when the client has taken what came before.
    func read(into buffer: UnsafeMutableRawBufferPointer, for handle: OpaquePointer) -> Piece {
        state.withLock { state in
            if case .now = state.ending { return .broken }
            guard !state.waiting.isEmpty else {
                guard state.ending == nil else { return .end }
                state.suspended = Connection(handle: handle)
                // Under the lock: whoever writes next is sure to find it suspended.
                MHD_suspend_connection(handle)
                return .suspended
            }
            let count = min(buffer.count, state.waiting.count)
            state.waiting.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            // An idle stream keeps no memory.
            if count == state.waiting.count { state.waiting = [] } else { state.waiting.removeFirst(count) }
            return .bytes(count)
        }
    }

    /// The answer is over, whole or not. Called once.
    func close() {
        state.withLock { state in
            state.hasClosed = true
            state.waiting = []
        }
        onEnd()
    }
}
