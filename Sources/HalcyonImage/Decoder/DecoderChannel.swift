internal import Glibc

/// The two ends between a process and its decoder: a socket for numbers, texts and results, and one piece of memory that
/// both see for the original, which so is copied once and read in place.
struct DecoderChannel {
    let socket: Int32
    let memory: Int32

    /// Where the decoder finds its ends.
    static let inherited = DecoderChannel(socket: 3, memory: 4)

    enum Failure: Error {
        case closed
        case timeout
    }

    /// Fixed numbers before each message, in the machine's byte order.
    func send(_ numbers: [Int64], _ text: [UInt8] = []) throws(Failure) {
        try send(numbers.withUnsafeBytes { Array($0) } + text)
    }

    private func send(_ bytes: [UInt8]) throws(Failure) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(socket, buffer.baseAddress.map { $0 + sent }, buffer.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .closed }
            sent += count
        }
    }

    func receiveNumbers(_ count: Int, until deadline: ContinuousClock.Instant? = nil) throws(Failure) -> [Int64] {
        let bytes = try receive(count * 8, until: deadline)
        return bytes.withUnsafeBytes { buffer in
            (0..<count).map { buffer.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self) }
        }
    }

    func receive(_ count: Int, until deadline: ContinuousClock.Instant? = nil) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var received = 0
        while received < count {
            if let deadline { try wait(until: deadline) }
            let length = bytes.withUnsafeMutableBytes { buffer in
                recv(socket, buffer.baseAddress.map { $0 + received }, count - received, 0)
            }
            if length < 0, errno == EINTR { continue }
            guard length > 0 else { throw .closed }
            received += length
        }
        return bytes
    }

    /// Whether the other side is there and says nothing, as it should between two pictures.
    var isQuiet: Bool {
        var request = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) == 0
    }

    private func wait(until deadline: ContinuousClock.Instant) throws(Failure) {
        while true {
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0 else { throw .timeout }
            var request = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let count = poll(&request, 1, Int32(min(left.rounded(.up), 1_000_000)))
            if count > 0 { return }
            guard count == 0 || errno == EINTR else { throw .closed }
        }
    }

    /// Puts the original where the other side sees it.
    func place(_ bytes: [UInt8]) throws(Failure) {
        var placed = 0
        while placed < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(memory, buffer.baseAddress.map { $0 + placed }, buffer.count - placed, placed)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .closed }
            placed += count
        }
    }

    /// Gives memory back that only an unusually large original needed.
    func release(_ count: Int) {
        if count > 4 << 20 { ftruncate(memory, 0) }
    }

    /// Looks at the first `count` bytes that the other side has placed.
    func withPlaced<Result>(_ count: Int, _ body: (UnsafeRawBufferPointer) -> Result) throws(Failure) -> Result {
        guard let address = mmap(nil, max(count, 1), PROT_READ, MAP_SHARED | MAP_POPULATE, memory, 0),
            address != MAP_FAILED
        else {
            throw .closed
        }
        defer { munmap(address, max(count, 1)) }
        return body(UnsafeRawBufferPointer(start: address, count: count))
    }
}
