internal import Glibc

/// Which file a path leads to. Another process may have set an index aside and begun a new one.
struct FileIdentity: Sendable, Hashable {
    let device: UInt
    let inode: UInt

    /// `nil` if there is no such file.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }
}
