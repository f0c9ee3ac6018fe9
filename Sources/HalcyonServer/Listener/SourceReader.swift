internal import CMicroHTTPD
internal import HalcyonHTTP
internal import Synchronization

/// A source on the connection that it is sent on: the connection is suspended while nothing is there.
///
/// Guard: `handle` and `response` are used on the connection's I/O thread alone, except to resume a connection that is
/// suspended, which the lock admits once.
final class SourceReader: @unchecked Sendable {
    private static let endOfStream = -1
    private static let endWithError = -2

    private struct State {
        var isSuspended = false
        var isEnded = false
    }

    private let source: any ByteSource
    private let handle: OpaquePointer
    private let connection: ClientConnection
    private let clock: @Sendable () -> Int
    private let onClose: @Sendable (SourceReader) -> Void
    private let state = Mutex(State())
    /// Takes the trailers; `nil` where the body has a length and so no room for them.
    var response: OpaquePointer?
    private(set) var byteCount = 0

    init(
        _ source: any ByteSource, handle: OpaquePointer, connection: ClientConnection,
        clock: @escaping @Sendable () -> Int, onClose: @escaping @Sendable (SourceReader) -> Void
    ) {
        self.source = source
        self.handle = handle
        self.connection = connection
        self.clock = clock
        self.onClose = onClose
    }

    /// libmicrohttpd asks for more once the client has taken all that came before.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard !state.withLock({ $0.isEnded }) else { return broken() }
        let piece = source.read(into: buffer) {
            suspend()
            return { [weak self] in self?.wake() }
        }
        switch piece {
        case .bytes(let count):
            byteCount += count
            connection.enter(.answering, now: clock())
            return count
        case .waiting:
            return 0
        case .end(let trailers):
            if let response {
                for line in trailers.lines { MHD_add_response_footer(response, line.name, line.value) }
            }
            return Self.endOfStream
        case .failed:
            return broken()
        }
    }

    /// The rest is not sent: the server stops.
    func end() {
        state.withLock { $0.isEnded = true }
        wake()
    }

    private func suspend() {
        connection.enter(.quiet, now: clock())
        state.withLock { state in
            guard !state.isEnded else { return }
            state.isSuspended = true
            MHD_suspend_connection(handle)
        }
    }

    private func wake() {
        let mayResume = state.withLock { state in
            defer { state.isSuspended = false }
            return state.isSuspended
        }
        if mayResume { MHD_resume_connection(handle) }
    }

    /// The client sees that something is missing: a chunked body has no last chunk, another is shorter than it said.
    private func broken() -> Int {
        connection.wakeToClose()
        return Self.endWithError
    }

    deinit {
        source.abandon()
        onClose(self)
    }
}
