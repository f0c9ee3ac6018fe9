internal import Glibc

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The object files: made, read and removed here, all with blocking calls.
struct ObjectFolder: Sendable {
    let path: String

    enum ReadOutcome {
        case bytes(EntryBytes)
        case missing
        case truncated
        case failed(DiskFailure)
    }

    struct Listed {
        let name: ObjectName
        let size: Int
        let modifiedAt: Date
    }

    func path(of name: ObjectName) -> String { "\(path)/\(name.folder)/\(name.file)" }

    /// Makes the folder and those above it, with mode 0700 whatever the umask. What is there keeps its mode.
    func create() throws(DiskFailure) { try Self.create(path) }

    private static func create(_ path: String) throws(DiskFailure) {
        if mkdir(path, 0o700) == 0 {
            guard chmod(path, 0o700) == 0 else { throw .system(errno) }
            return
        }
        let code = errno
        switch code {
        case EEXIST: return
        case ENOENT:
            guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { throw .system(code) }
            try create(String(path[..<slash]))
            try create(path)
        default: throw .system(code)
        }
    }

    /// Writes body and trailer to a new file of mode 0600. Leaves nothing behind if it fails.
    func write(_ body: [UInt8], trailer: [UInt8], to name: ObjectName) throws(DiskFailure) {
        let file = path(of: name)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        var descriptor = Glibc.open(file, flags, 0o600)
        if descriptor < 0, errno == ENOENT {
            // The folder itself is not made again here: if it has gone, so has the index.
            let folder = "\(path)/\(name.folder)"
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST, chmod(folder, 0o700) == 0 else { throw .system(errno) }
            descriptor = Glibc.open(file, flags, 0o600)
        }
        guard descriptor >= 0 else { throw .system(errno) }
        var failure: Int32 = 0
        if fchmod(descriptor, 0o600) != 0 { failure = errno }
        if failure == 0 {
            failure = body.withUnsafeBytes { body in
                trailer.withUnsafeBytes { Self.writeAll(descriptor, body, $0) }
            }
        }
        // Some file systems report a full disk only here.
        if Glibc.close(descriptor) != 0, failure == 0 { failure = errno }
        guard failure == 0 else {
            unlink(file)
            throw .system(failure)
        }
    }

    /// Returns 0 or the `errno`.
    private static func writeAll(
        _ descriptor: Int32, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
    ) -> Int32 {
        var written = 0
        while written < first.count + second.count {
            let head = UnsafeMutableRawBufferPointer(
                mutating: UnsafeRawBufferPointer(rebasing: first.dropFirst(written)))
            let tail = UnsafeMutableRawBufferPointer(
                mutating: UnsafeRawBufferPointer(rebasing: second.dropFirst(max(0, written - first.count))))
            let parts = [
                iovec(iov_base: head.baseAddress, iov_len: head.count),
                iovec(iov_base: tail.baseAddress, iov_len: tail.count),
            ]
            let count = writev(descriptor, parts, Int32(parts.count))
            if count > 0 {
                written += count
            } else if count < 0, errno != EINTR {
                return errno
            } else if count == 0 {
                return ENOSPC
            }
        }
        return 0
    }

    /// Opening must not wait, whatever somebody has put in a file's place: a pipe would for ever.
    private static let readFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK

    /// The body of a file that should be `size` bytes long.
    func read(_ name: ObjectName, byteCount: Int, size: Int) -> ReadOutcome {
        let descriptor = Glibc.open(path(of: name), Self.readFlags)
        guard descriptor >= 0 else { return errno == ENOENT ? .missing : .failed(.system(errno)) }
        defer { Glibc.close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .failed(.system(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == size, byteCount <= size else {
            return .truncated
        }
        var failure: Int32 = 0
        let bytes = EntryBytes(count: byteCount) { buffer in
            let (count, code) = Self.readAll(descriptor, into: buffer, from: 0)
            failure = code
            return count == byteCount
        }
        if let bytes { return .bytes(bytes) }
        return failure == 0 ? .truncated : .failed(.system(failure))
    }

    /// The trailer, and the file's size; `nil` if there is none that holds.
    func readTrailer(of name: ObjectName) -> (ObjectTrailer, size: Int)? {
        let descriptor = Glibc.open(path(of: name), Self.readFlags)
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        let size = Int(status.st_size)
        var wanted = min(size, ObjectTrailer.usualBytes)
        for _ in 0..<2 {
            var tail = [UInt8](repeating: 0, count: wanted)
            let (count, _) = tail.withUnsafeMutableBytes { Self.readAll(descriptor, into: $0, from: size - wanted) }
            guard count == wanted else { return nil }
            switch ObjectTrailer.read(tail: tail, fileSize: size) {
            case .trailer(let trailer): return (trailer, size)
            case .needs(let more): wanted = more
            case .invalid: return nil
            }
        }
        return nil
    }

    private static func readAll(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, from offset: Int
    ) -> (count: Int, code: Int32) {
        var done = 0
        while done < buffer.count, let base = buffer.baseAddress {
            let count = pread(descriptor, base + done, buffer.count - done, offset + done)
            if count > 0 {
                done += count
            } else if count == 0 {
                break
            } else if errno != EINTR {
                return (done, errno)
            }
        }
        return (done, 0)
    }

    /// A file that is not there is as good as removed.
    @discardableResult
    func remove(_ name: ObjectName) -> Bool { unlink(path(of: name)) == 0 }

    /// Whether there may be object files: whether any of the 256 folders is there.
    var hasObjects: Bool {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).contains { $0.utf8.count == 2 }
        } catch {
            return true
        }
    }

    /// The object files of one of the 256 folders. What is not named like one of ours is not listed, so not touched.
    func list(folder: Int) -> [Listed] {
        let folderName = String(UInt8(folder), radix: 16)
        let padded = folderName.count == 1 ? "0" + folderName : folderName
        let files: [String]
        do { files = try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(padded)") } catch {
            // Not there yet, or gone: then there is nothing in it.
            return []
        }
        return files.compactMap { file in
            guard let name = ObjectName(folder: padded, file: file) else { return nil }
            var status = stat()
            // One that vanishes meanwhile was removed by somebody who knows about it.
            guard lstat("\(path)/\(padded)/\(file)", &status) == 0 else { return nil }
            let modifiedAt = Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) * 1e-9
            return Listed(
                name: name, size: Int(status.st_size), modifiedAt: Date(timeIntervalSince1970: modifiedAt))
        }
    }
}
