internal import Glibc
internal import Synchronization

/// Where a command writes, and what it knows of the terminal there. Tests put buffers in its place.
struct Console: Sendable {
    /// Results: what a script reads.
    let out: @Sendable (String) -> Void
    /// Everything said to a person: progress, messages, logs.
    let err: @Sendable (String) -> Void
    /// Raw bytes to standard output.
    let outBytes: @Sendable ([UInt8]) -> Bool
    /// Columns of the terminal on stderr; `nil` if it is none. Asked for each time: windows change.
    let terminalWidth: @Sendable () -> Int?
    /// Why something of the results could not be written; `nil` if all was.
    var outProblem: @Sendable () -> String? = { nil }

    func print(_ line: String) { out(line + "\n") }
    func say(_ line: String) { err(line + "\n") }
}

extension Console {
    static let standard = Console(
        out: { _ = writeOut(Array($0.utf8)) },
        err: { _ = write(Array($0.utf8), to: STDERR_FILENO) },
        outBytes: { writeOut($0) },
        terminalWidth: { width(of: STDERR_FILENO) },
        outProblem: {
            let number = outError.load(ordering: .relaxed)
            return number == 0 ? nil : String(cString: strerror(number))
        }
    )

    /// The first `errno` of standard output; 0 without one.
    private static let outError = Atomic<Int32>(0)

    private static func writeOut(_ bytes: [UInt8]) -> Bool {
        if write(bytes, to: STDOUT_FILENO) { return true }
        _ = outError.compareExchange(expected: 0, desired: errno, ordering: .relaxed)
        return false
    }

    /// Writes all, or says that the reader has gone away.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    return false
                }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    private static func width(of descriptor: Int32) -> Int? {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
