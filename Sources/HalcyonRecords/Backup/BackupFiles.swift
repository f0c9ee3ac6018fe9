internal import Glibc

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Files of backups: private, and on disk before they are relied on.
enum BackupFiles {
    static let draftSuffix = ".partial"

    /// With mode 0700, and those above it that are missing.
    static func makeFolder(_ path: String) throws(BackupError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw .system(file: path, code: errno)
        }
        try makeFolder(String(path[..<slash]))
        try check(mkdir(path, 0o700), path)
    }

    static func write(_ manifest: BackupManifest, to path: String) throws(BackupError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do { try write([UInt8](try encoder.encode(manifest)), to: path) } catch {
            throw BackupError(error, file: path)
        }
    }

    /// A new file with mode 0600.
    static func write(_ bytes: [UInt8], to path: String) throws(BackupError) {
        try succeed(DurableFile.write(bytes, to: path), path)
    }

    /// Everything in the folder, and the folder itself.
    static func synchronizeTree(_ path: String) throws(BackupError) {
        for name in try names(in: path) {
            let file = "\(path)/\(name)"
            var status = stat()
            try check(lstat(file, &status), file)
            if status.st_mode & S_IFMT == S_IFDIR {
                try synchronizeTree(file)
            } else {
                try synchronize(file)
            }
        }
        try synchronize(path)
    }

    static func synchronize(_ path: String) throws(BackupError) {
        try succeed(DurableFile.synchronize(path), path)
    }

    /// On disk when it returns.
    static func rename(_ path: String, to target: String) throws(BackupError) {
        try check(Glibc.rename(path, target), target)
        try synchronize(folder(of: target))
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func names(in folder: String) throws(BackupError) -> [String] {
        do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            throw .system(file: folder, code: ENOENT)
        }
    }

    /// With all that is in it; nothing is removed behind a symbolic link.
    static func remove(_ path: String) throws(BackupError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        do { try FileManager.default.removeItem(atPath: path) } catch {
            throw .system(file: path, code: EACCES)
        }
    }

    static func check(_ result: Int32, _ file: String) throws(BackupError) {
        if result < 0 { throw .system(file: file, code: errno) }
    }

    private static func succeed(_ code: Int32, _ file: String) throws(BackupError) {
        if code != 0 { throw .system(file: file, code: code) }
    }
}
