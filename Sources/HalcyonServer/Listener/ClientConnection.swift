internal import Glibc
internal import Synchronization

/// A connection as the sweep sees it: which phase it is in, and since when.
final class ClientConnection: Sendable {
    enum Phase: Int {
        case idle, header, body, answering
    }

    let socket: Int32
    let id: Int
    /// Seconds of the monotonic clock times four, plus the phase: one store a change.
    private let packed: Atomic<Int>

    init(socket: Int32, id: Int, now: Int) {
        self.socket = socket
        self.id = id
        packed = Atomic(now << 2 | Phase.idle.rawValue)
    }

    func enter(_ phase: Phase, now: Int) {
        packed.store(now << 2 | phase.rawValue, ordering: .relaxed)
    }

    func isOverdue(now: Int, limits: ListenerConfiguration) -> Bool {
        let value = packed.load(ordering: .relaxed)
        let elapsed = now - value >> 2
        return switch Phase(rawValue: value & 3) ?? .idle {
        // Bytes of a request line that never ends arrive in this phase.
        case .idle: elapsed > limits.idleSeconds
        case .header: elapsed > limits.headerSeconds
        case .body: elapsed > limits.bodySeconds
        case .answering: elapsed > limits.answerSeconds
        }
    }
}
