// Whichever of the two the compiler reads first has the constants of <sys/socket.h>.
internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// Sockets of clients that were answered before they had sent all. Closing such a socket makes the kernel reset the
/// connection, and a client that is still sending then loses the answer (RFC 9112 §9.6): so what it sends is read and
/// thrown away for a while.
final class Lingering: Sendable {
    private static let maximumSockets = 64
    private static let maximumBytes = 16 << 20
    private static let pause = Duration.milliseconds(20)
    /// In pauses: half a minute altogether, five seconds without a byte. A client on a slow link reads its answer when it has
    /// sent all.
    private static let rounds = 1500
    private static let quietRounds = 250

    private let count = Atomic<Int>(0)

    /// A second descriptor of the socket, which keeps it open; `nil` if too many are.
    func hold(_ socket: Int32) -> Int32? {
        guard count.add(1, ordering: .relaxed).newValue <= Self.maximumSockets else {
            count.subtract(1, ordering: .relaxed)
            return nil
        }
        let second = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard second >= 0 else {
            count.subtract(1, ordering: .relaxed)
            return nil
        }
        return second
    }

    /// Called when the answer is on its way: says that nothing follows, and reads until the client has closed too.
    func drain(_ socket: Int32) {
        shutdown(socket, Int32(SHUT_WR))
        Task.detached { [self] in
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            var total = 0
            var quiet = 0
            rounds: for _ in 0..<Self.rounds where quiet < Self.quietRounds {
                quiet += 1
                while total < Self.maximumBytes {
                    let received = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                    if received < 0, errno == EAGAIN { break }
                    guard received > 0 else { break rounds }
                    total += received
                    quiet = 0
                }
                if total >= Self.maximumBytes { break }
                do { try await Task.sleep(for: Self.pause) } catch { break }
            }
            close(socket)
            count.subtract(1, ordering: .relaxed)
        }
    }
}
