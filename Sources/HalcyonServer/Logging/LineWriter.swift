internal import Dispatch
internal import Glibc
internal import Synchronization

/// Writes lines from a queue of its own. What waits is bounded; what goes beyond is dropped and counted.
final class LineWriter: Sendable {
    static let maximumPendingBytes = 1 << 20

    private struct Pending {
        var bytes: [UInt8] = []
        var isScheduled = false
        var dropped = 0
    }

    private let pending = Mutex(Pending())
    private let queue = DispatchQueue(label: "halcyon.log", qos: .utility)
    private let descriptor: Int32

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    var dropped: Int { pending.withLock { $0.dropped } }

    func append(_ line: [UInt8]) {
        let mustSchedule = pending.withLock { pending in
            guard pending.bytes.count + line.count <= Self.maximumPendingBytes else {
                pending.dropped += 1
                return false
            }
            pending.bytes += line
            defer { pending.isScheduled = true }
            return !pending.isScheduled
        }
        if mustSchedule { queue.async { self.drain() } }
    }

    func flush() {
        queue.sync { drain() }
    }

    private func drain() {
        while true {
            let bytes = pending.withLock { pending in
                let bytes = pending.bytes
                pending.bytes = []
                if bytes.isEmpty { pending.isScheduled = false }
                return bytes
            }
            if bytes.isEmpty { return }
            bytes.withUnsafeBytes { buffer in
                var offset = 0
                while offset < buffer.count {
                    let count = write(
                        descriptor, UnsafeRawBufferPointer(rebasing: buffer[offset...]).baseAddress,
                        buffer.count - offset)
                    if count < 0 && errno == EINTR { continue }
                    // A log that nobody can take is lost; the service goes on.
                    guard count > 0 else { return }
                    offset += count
                }
            }
        }
    }
}
