internal import Glibc

/// One direction of iconv(3). Used by one thread, in one scope.
struct TextConverter: ~Copyable {
    /// Where the input could not be converted.
    struct Failure: Error, Hashable {
        /// Bytes of the input that were good.
        let offset: Int
    }

    private let handle: iconv_t

    /// `nil` if this system's C library lacks the conversion.
    init?(from source: RosterEncoding, to target: RosterEncoding) {
        guard let handle = iconv_open(target.iconvName, source.iconvName), handle != iconv_t(bitPattern: -1) else {
            return nil
        }
        self.handle = handle
    }

    deinit { iconv_close(handle) }

    func convert(_ input: [UInt8]) throws(Failure) -> [UInt8] {
        var input = input
        var output: [UInt8] = []
        output.reserveCapacity(input.count * 2)
        // No character takes more than four bytes; a short line needs no long buffer.
        var chunk = [UInt8](repeating: 0, count: min(64 * 1024, input.count * 4 + 8))
        var offset = 0
        // The handle keeps shift state; a call without input puts it back to the start.
        iconv(handle, nil, nil, nil, nil)
        while offset < input.count {
            let (read, written, isStuck) = step(&input, from: offset, into: &chunk)
            output.append(contentsOf: chunk[..<written])
            offset += read
            if isStuck { throw Failure(offset: offset) }
        }
        return output
    }

    /// Converts as much as fits into `chunk`.
    private func step(
        _ input: inout [UInt8], from offset: Int, into chunk: inout [UInt8]
    ) -> (read: Int, written: Int, isStuck: Bool) {
        let total = input.count - offset
        let capacity = chunk.count
        return input.withUnsafeMutableBytes { source in
            chunk.withUnsafeMutableBytes { target in
                var from = source.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
                var to = target.baseAddress?.assumingMemoryBound(to: CChar.self)
                var sourceLeft = total
                var targetLeft = capacity
                let isStuck = iconv(handle, &from, &sourceLeft, &to, &targetLeft) == -1 && errno != E2BIG
                return (total - sourceLeft, capacity - targetLeft, isStuck)
            }
        }
    }
}
