internal import Glibc
internal import HalcyonCrypto

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The image files: made, read and removed here, all with blocking calls.
///
/// `<path>/<first two digits>/<digest>.<extension>`, and `<path>/incoming/` for what is not whole yet.
struct MediaFolder: Sendable {
    let path: String

    var incoming: String { "\(path)/incoming" }

    func path(of id: MediaID) -> String { "\(path)/\(id.folder)/\(id.description)" }

    // MARK: Keeping

    /// When this returns, the bytes are on disk under their name. A file of the right length that has the name already
    /// is trusted; it counts as new again.
    ///
    /// - Parameter source: a private file that holds these very bytes, taken instead of a copy where possible. It is gone
    ///   afterwards.
    func keep(_ bytes: [UInt8], as id: MediaID, from source: String? = nil) throws(MediaError) {
        try create(for: id)
        // While a sweep looks at the same file, either it sees the new time or the file is gone before we look.
        let lock = try locked(LOCK_SH)
        defer { Glibc.close(lock) }
        let target = path(of: id)
        if Self.length(of: target) == bytes.count, utimensat(AT_FDCWD, target, nil, AT_SYMLINK_NOFOLLOW) == 0 {
            if let source { unlink(source) }
            return
        }
        if let source, try move(source, to: target) {
            // Moved.
        } else {
            let draft = "\(incoming)/\(Hex.encode(SecureRandom.bytes(16)))"
            do {
                try Self.succeed(DurableFile.write(bytes, to: draft))
                try Self.check(rename(draft, target))
            } catch {
                unlink(draft)
                throw error
            }
            if let source { unlink(source) }
        }
        try Self.succeed(DurableFile.synchronize("\(path)/\(id.folder)"))
    }

    /// `false` if it is on another file system.
    private func move(_ source: String, to target: String) throws(MediaError) -> Bool {
        let descriptor = Glibc.open(source, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        try Self.check(descriptor)
        defer { Glibc.close(descriptor) }
        try Self.check(fchmod(descriptor, 0o600))
        // A file that was written long ago must not look like a leftover.
        try Self.check(futimens(descriptor, nil))
        try Self.check(fsync(descriptor))
        if rename(source, target) == 0 { return true }
        guard errno == EXDEV else { throw .system(errno) }
        return false
    }

    /// Makes the folders that are not there, with mode 0700 whatever the umask. What is there keeps its mode.
    private func create(for id: MediaID) throws(MediaError) {
        let folder = "\(path)/\(id.folder)"
        guard access(incoming, F_OK) != 0 || access(folder, F_OK) != 0 else { return }
        try createIncoming()
        try Self.create(folder)
        try Self.succeed(DurableFile.synchronize(path))
    }

    func createIncoming() throws(MediaError) { try Self.create(incoming) }

    private static func create(_ path: String) throws(MediaError) {
        if mkdir(path, 0o700) == 0 { return try check(chmod(path, 0o700)) }
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

    // MARK: Reading

    /// The whole file, which `limit` bytes are known to be enough for.
    static func read(_ file: String, limit: Int = .max) throws(MediaError) -> [UInt8] {
        // Opening must not wait, whatever somebody has put in a file's place: a pipe would for ever.
        let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw errno == ENOENT ? .missing : .system(errno) }
        defer { Glibc.close(descriptor) }
        var status = stat()
        try check(fstat(descriptor, &status))
        guard status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) <= limit else { throw .wrongLength }
        let size = Int(status.st_size)
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, initializedCount in
            while initializedCount < size, let start = buffer.baseAddress {
                let count = Glibc.read(descriptor, start + initializedCount, size - initializedCount)
                if count > 0 {
                    initializedCount += count
                } else if count == 0 {
                    break
                } else if errno != EINTR {
                    code = errno
                    break
                }
            }
        }
        guard code == 0 else { throw .system(code) }
        guard bytes.count == size else { throw .wrongLength }
        return bytes
    }

    /// `nil` if it is no plain file.
    private static func length(of file: String) -> Int? {
        var status = stat()
        guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    // MARK: Sweeping

    /// Removes files that are not in `named`, and leftovers, if they are older than `oldest`. What is named like none of
    /// ours is not touched. Returns the number and size of what is gone.
    func sweep(keeping named: Set<MediaID>, olderThan oldest: Date) throws(MediaError) -> (files: Int, bytes: Int) {
        guard access(path, F_OK) == 0 else { return (0, 0) }
        var removed = (files: 0, bytes: 0)
        func consider(_ file: String) throws(MediaError) {
            let lock = try locked(LOCK_EX)
            defer { Glibc.close(lock) }
            var status = stat()
            guard lstat(file, &status) == 0, Double(status.st_mtim.tv_sec) < oldest.timeIntervalSince1970,
                unlink(file) == 0
            else { return }
            removed.files += 1
            removed.bytes += Int(status.st_size)
        }
        for name in Self.names(in: incoming) { try consider("\(incoming)/\(name)") }
        for folder in UInt8.min...UInt8.max {
            for name in Self.names(in: "\(path)/\(Hex.encode([folder]))") {
                guard let id = MediaID(name), !named.contains(id) else { continue }
                try consider("\(path)/\(Hex.encode([folder]))/\(name)")
            }
        }
        return removed
    }

    private static func names(in folder: String) -> [String] {
        do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            // Not there yet, or not ours to read: nothing in it is removed.
            return []
        }
    }

    // MARK: Helpers

    /// Closing the descriptor gives the lock back; so does the end of the process.
    private func locked(_ operation: Int32) throws(MediaError) -> Int32 {
        let descriptor = Glibc.open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        try Self.check(descriptor)
        while flock(descriptor, operation) != 0 {
            guard errno == EINTR else {
                let code = errno
                Glibc.close(descriptor)
                throw .system(code)
            }
        }
        return descriptor
    }

    private static func check(_ result: Int32) throws(MediaError) {
        if result < 0 { throw .system(errno) }
    }

    private static func succeed(_ code: Int32) throws(MediaError) {
        if code != 0 { throw .system(code) }
    }
}
