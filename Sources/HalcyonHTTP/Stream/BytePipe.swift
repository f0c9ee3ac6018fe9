internal import Synchronization

/// Bytes on their way from one thread to another. Neither side ever blocks: who finds it full or empty is called when that
/// has changed.
package final class BytePipe: Sendable {
    package enum Piece {
        case bytes(Int)
        /// Nothing is there yet.
        case waiting
        case end(trailers: HTTPFields)
        /// After all that was written before.
        case failed(FetchError)
    }

    /// The same for tasks.
    package enum Chunk: Sendable {
        case bytes([UInt8])
        case end(trailers: HTTPFields)
        case failed(FetchError)
    }

    private enum Ending {
        case finished(HTTPFields)
        case failed(FetchError)
    }

    private struct State {
        var waiting: [UInt8] = []
        /// Where in `waiting` the reader is.
        var offset = 0
        var ending: Ending?
        var isAbandoned = false
        var writerWaker: (@Sendable () -> Void)?
        var readerWaker: (@Sendable () -> Void)?
        var onAbandon: (@Sendable () -> Void)?

        var count: Int { waiting.count - offset }
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: in bytes. With so many or more waiting nothing is taken; with fewer a whole piece is.
    package init(capacity: Int) { self.capacity = capacity }

    // MARK: Writing

    /// Takes all of it, or nothing: then `whenFull` is run before room can be made, and what it returns is called once,
    /// without the lock, when there is room or the reader has left.
    ///
    /// - Returns: how many bytes were taken. A reader that has left takes everything.
    package func write(_ bytes: UnsafeRawBufferPointer, whenFull: () -> @Sendable () -> Void) -> Int {
        let (taken, waker): (Int, (@Sendable () -> Void)?) = state.withLock { state in
            if state.isAbandoned || state.ending != nil { return (bytes.count, nil) }
            guard state.count < capacity else {
                state.writerWaker = whenFull()
                return (0, nil)
            }
            state.waiting.append(contentsOf: bytes)
            return (bytes.count, bytes.isEmpty ? nil : state.readerWaker.take())
        }
        waker?()
        return taken
    }

    /// No more comes. Further calls change nothing.
    package func finish(trailers: HTTPFields = []) { end(.finished(trailers)) }

    /// The rest does not come. The reader gets what was written before. Further calls change nothing.
    package func fail(_ error: FetchError) { end(.failed(error)) }

    private func end(_ ending: Ending) {
        let waker = state.withLock { state in
            guard state.ending == nil else { return (@Sendable () -> Void)?.none }
            state.ending = ending
            state.onAbandon = nil
            return state.readerWaker.take()
        }
        waker?()
    }

    // MARK: Reading

    /// If nothing is there, `whenEmpty` is run before anything can come, and what it returns is called once, without the
    /// lock, when something has.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, whenEmpty: () -> @Sendable () -> Void
    ) -> Piece {
        let (piece, waker): (Piece, (@Sendable () -> Void)?) = state.withLock { state in
            guard state.count > 0 else {
                switch state.ending {
                case .finished(let trailers): return (.end(trailers: trailers), nil)
                case .failed(let error): return (.failed(error), nil)
                case nil:
                    state.readerWaker = whenEmpty()
                    return (.waiting, nil)
                }
            }
            let count = min(buffer.count, state.count)
            state.waiting.withUnsafeBytes {
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[state.offset..<state.offset + count]))
            }
            state.offset += count
            if state.offset == state.waiting.count {
                // An idle pipe keeps no memory beyond a piece.
                state.waiting.removeAll(keepingCapacity: state.waiting.capacity <= capacity)
                state.offset = 0
            } else if state.offset >= capacity {
                state.waiting.removeFirst(state.offset)
                state.offset = 0
            }
            return (.bytes(count), state.count < capacity ? state.writerWaker.take() : nil)
        }
        waker?()
        return piece
    }

    /// All that is there, as soon as something is. A task that is cancelled gets ``FetchError/cancelled``.
    package func next() async -> Chunk {
        while true {
            let (chunk, waker) = takeAll()
            waker?()
            if let chunk { return chunk }
            if Task.isCancelled { return .failed(.cancelled) }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let mustWait = state.withLock { state in
                        guard state.count == 0, state.ending == nil, !Task.isCancelled else { return false }
                        state.readerWaker = { continuation.resume() }
                        return true
                    }
                    if !mustWait { continuation.resume() }
                }
            } onCancel: {
                let waker = state.withLock { $0.readerWaker.take() }
                waker?()
            }
        }
    }

    private func takeAll() -> (Chunk?, waker: (@Sendable () -> Void)?) {
        state.withLock { state in
            guard state.count > 0 else {
                switch state.ending {
                case .finished(let trailers): return (.end(trailers: trailers), nil)
                case .failed(let error): return (.failed(error), nil)
                case nil: return (nil, nil)
                }
            }
            let bytes = state.offset == 0 ? state.waiting : Array(state.waiting[state.offset...])
            state.waiting = []
            state.offset = 0
            return (.bytes(bytes), state.writerWaker.take())
        }
    }

    /// The reader leaves: what waits is dropped, and so is all that is still written.
    package func abandon() {
        let wakers = state.withLock { state in
            guard !state.isAbandoned else { return [(@Sendable () -> Void)?]() }
            state.isAbandoned = true
            state.waiting = []
            state.offset = 0
            return [state.writerWaker.take(), state.ending == nil ? state.onAbandon.take() : nil]
        }
        for waker in wakers { waker?() }
    }

    package var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// Called once when the reader leaves before the end; at once if it has.
    package func onAbandon(_ body: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if !state.isAbandoned, state.ending == nil { state.onAbandon = body }
            return state.isAbandoned
        }
        if isLate { body() }
    }
}
