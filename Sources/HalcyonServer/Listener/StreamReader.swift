internal import CMicroHTTPD
internal import Glibc

/// A stream on the connection that it is sent on.
///
/// Guard: `handle` is used on the connection's I/O thread alone.
final class StreamReader: @unchecked Sendable {
    /// `MHD_CONTENT_READER_END_OF_STREAM` and `MHD_CONTENT_READER_END_WITH_ERROR`, macros with a cast in them.
    private static let endOfStream = -1
    private static let endWithError = -2

    private let stream: ResponseStream
    private let handle: OpaquePointer
    private let connection: ClientConnection
    private let clock: @Sendable () -> Int
    private let onClose: @Sendable (ResponseStream) -> Void

    init(
        _ stream: ResponseStream, handle: OpaquePointer, connection: ClientConnection,
        clock: @escaping @Sendable () -> Int, onClose: @escaping @Sendable (ResponseStream) -> Void
    ) {
        self.stream = stream
        self.handle = handle
        self.connection = connection
        self.clock = clock
        self.onClose = onClose
        // A client that is gone without a word is noticed once something is sent to it: after a minute, not a quarter of
        // an hour.
        var milliseconds: UInt32 = 60_000
        setsockopt(
            connection.socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds,
            socklen_t(MemoryLayout<UInt32>.size))
    }

    /// libmicrohttpd asks for more once the client has taken all that came before.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch stream.read(into: buffer, for: handle) {
        case .bytes(let count):
            connection.enter(.answering, now: clock())
            return count
        case .suspended:
            connection.enter(.quiet, now: clock())
            return 0
        case .end: return Self.endOfStream
        case .broken:
            connection.wakeToClose()
            return Self.endWithError
        }
    }

    deinit {
        stream.close()
        onClose(stream)
    }
}
