internal import HalcyonHTTP
internal import Synchronization

/// A body that is read to its end whether or not its client keeps up, because it is to be stored: the client reads what has
/// come so far. Should it outgrow what may be stored it is kept no longer, and comes in as fast as the client reads.
final class RetainedBody: ByteSource {
    private struct State {
        var bytes: [UInt8] = []
        var position = 0
        var ending: BytePipe.Piece?
        var isAbandoned = false
        var isKept = true
        var readerWaker: (@Sendable () -> Void)?
        var roomWaker: (@Sendable () -> Void)?

        /// What the client has read goes.
        mutating func trim() {
            bytes.removeFirst(position)
            position = 0
        }
    }

    private static let capacity = 256 << 10
    private let state = Mutex(State())

    /// What has come, once all has.
    var bytes: [UInt8] { state.withLock { $0.bytes } }

    /// Called in turn with ``room()``: adds a piece.
    func append(_ bytes: [UInt8]) {
        let waker = state.withLock { state in
            state.bytes += bytes
            return state.readerWaker.take()
        }
        waker?()
    }

    /// It will not be stored: what the client has read goes, and ``room()`` waits for the client from now on.
    func release() {
        state.withLock { state in
            state.isKept = false
            state.trim()
        }
    }

    /// Waits until more may come; `false` if nobody wants it.
    func room() async -> Bool {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> Bool? in
                if state.isKept { return true }
                if state.isAbandoned { return false }
                if state.bytes.count - state.position < Self.capacity { return true }
                state.roomWaker = { continuation.resume(returning: true) }
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    func finish(trailers: HTTPFields) { end(.end(trailers: trailers)) }

    func fail(_ error: FetchError) { end(.failed(error)) }

    private func end(_ ending: BytePipe.Piece) {
        let waker = state.withLock { state in
            state.ending = state.ending ?? ending
            return state.readerWaker.take()
        }
        waker?()
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer, whenEmpty: () -> @Sendable () -> Void
    ) -> BytePipe.Piece {
        let (piece, waker): (BytePipe.Piece, (@Sendable () -> Void)?) = state.withLock { state in
            let left = state.bytes.count - state.position
            guard left > 0 else {
                if let ending = state.ending { return (ending, nil) }
                state.readerWaker = whenEmpty()
                return (.waiting, nil)
            }
            let count = min(buffer.count, left)
            state.bytes.withUnsafeBytes {
                buffer.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: $0[state.position..<state.position + count]))
            }
            state.position += count
            if !state.isKept, state.position >= Self.capacity || state.position == state.bytes.count { state.trim() }
            return (.bytes(count), state.roomWaker.take())
        }
        waker?()
        return piece
    }

    func abandon() {
        let waker = state.withLock { state in
            state.isAbandoned = true
            return state.roomWaker.take()
        }
        waker?()
    }
}
