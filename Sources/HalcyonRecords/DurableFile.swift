internal import Glibc

/// Private files that are on disk when these return. Each answers 0 or the `errno` of what failed.
enum DurableFile {
    /// A new file of mode 0600, whatever the umask.
    static func write(_ bytes: [UInt8], to path: String) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        guard fchmod(descriptor, 0o600) == 0 else { return errno }
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? ENOSPC : errno }
            done += count
        }
        return fsync(descriptor) == 0 ? 0 : errno
    }

    /// A file or a folder.
    static func synchronize(_ path: String) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        return fsync(descriptor) == 0 ? 0 : errno
    }
}
