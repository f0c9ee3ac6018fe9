internal import Glibc

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Files that commands read and write; `-` is standard input or output.
enum FileBytes {
    /// - Parameters:
    ///   - what: the option or operand that names the file, for the message.
    ///   - limit: of a larger file somewhat more than this is read, so that the reader of the bytes can tell.
    static func read(_ path: String, what: String, limit: Int) throws(CommandFailure) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        func failure() -> CommandFailure {
            CommandFailure("\(what): cannot read \(path): \(String(cString: strerror(errno)))")
        }
        guard descriptor >= 0 else { throw failure() }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limit {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure() }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    /// A file is replaced as a whole or not at all.
    static func write(_ bytes: [UInt8], to path: String, console: Console) throws(CommandFailure) {
        if path == "-" {
            guard console.outBytes(bytes) else {
                throw CommandFailure(
                    "cannot write to standard output: \(console.outProblem() ?? "it was closed")")
            }
            return
        }
        do {
            try Data(bytes).write(to: URL(filePath: path), options: isSpecial(path) ? [] : .atomic)
        } catch {
            throw CommandFailure("cannot write \(path)")
        }
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Devices and pipes are written to, never replaced.
    private static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }
}
