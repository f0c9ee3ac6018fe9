// Whichever of the two the compiler reads first has the constants of <sys/socket.h>.
internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// A connection as the sweep sees it: which phase it is in, and since when.
final class ClientConnection: Sendable {
    enum Phase: Int {
        case idle, header, body, upload, answering
        /// A stream on which nothing waits to be sent.
        case quiet
    }

    let socket: Int32
    let id: Int
    /// Seconds of the monotonic clock times eight, plus the phase: one store a change.
    private let packed: Atomic<Int>

    init(socket: Int32, id: Int, now: Int) {
        self.socket = socket
        self.id = id
        packed = Atomic(now << 3 | Phase.idle.rawValue)
    }

    /// The socket kept open to hear out a client that was answered early, if any. Set and read by the I/O thread alone.
    let lingering = Atomic<Int32>(-1)

    /// libmicrohttpd closes a connection that it was told to give up in the middle of something with the next event on its
    /// socket, and clears it up when it has been idle for long if there is none. This is one. Called on the I/O thread.
    func wakeToClose() { shutdown(socket, Int32(SHUT_WR)) }

    func enter(_ phase: Phase, now: Int) {
        packed.store(now << 3 | phase.rawValue, ordering: .relaxed)
    }

    var phase: Phase { Phase(rawValue: packed.load(ordering: .relaxed) & 7) ?? .idle }

    private let hasEnded = Atomic(false)

    /// Whether the client has gone in the middle of a body, since the sweep before. Where its end came together with its last
    /// bytes libmicrohttpd waits for another event, and what has arrived would be kept until the connection is idle for long.
    var isAbandoned: Bool {
        switch phase {
        case .body, .upload: break
        case .idle, .header, .answering, .quiet: return false
        }
        var byte: UInt8 = 0
        guard recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0 else { return false }
        // The first time its last bytes may be about to be handled.
        return hasEnded.exchange(true, ordering: .relaxed)
    }

    /// POLLRDHUP of <poll.h>, which has it for _GNU_SOURCE alone.
    private static let pollPeerEnded: Int16 = 0x2000

    /// Whether the client has sent its last byte before the sweep before, while it waits for an answer. One that only says that
    /// it will ask for nothing more looks the same, and is granted what time there is between two sweeps.
    var isLeft: Bool {
        var descriptor = pollfd(fd: socket, events: Self.pollPeerEnded, revents: 0)
        guard poll(&descriptor, 1, 0) == 1 else { return false }
        return hasEnded.exchange(true, ordering: .relaxed)
    }

    func isOverdue(now: Int, limits: ListenerConfiguration) -> Bool {
        let value = packed.load(ordering: .relaxed)
        let elapsed = now - value >> 3
        return switch Phase(rawValue: value & 7) ?? .idle {
        // Bytes of a request line that never ends arrive in this phase.
        case .idle: elapsed > limits.idleSeconds
        case .header: elapsed > limits.headerSeconds
        case .body: elapsed > limits.bodySeconds
        // Moved on by what has arrived: see `HTTPListener.take`.
        case .upload: elapsed > limits.uploadSeconds
        case .answering: elapsed > limits.answerSeconds
        case .quiet: false
        }
    }
}
