internal import Foundation
internal import Glibc
internal import Synchronization

/// Where bodies wait for their routes, and how many may. Files are named by the process that writes them, so that the
/// next start removes what a killed one left.
final class UploadFolder: Sendable {
    private static let prefix = "halcyon-upload-"

    /// One of the uploads that there may be at once: until its files are gone, not just until it is read.
    final class Place: Sendable {
        private let folder: UploadFolder

        fileprivate init(_ folder: UploadFolder) { self.folder = folder }

        deinit { folder.taken.subtract(1, ordering: .relaxed) }
    }

    let path: String
    private let limit: Int
    private let taken = Atomic<Int>(0)

    init(path: String, limit: Int) {
        self.path = path
        self.limit = limit
    }

    /// `nil` if all places are taken.
    func place() -> Place? {
        guard taken.add(1, ordering: .relaxed).newValue <= limit else {
            taken.subtract(1, ordering: .relaxed)
            return nil
        }
        return Place(self)
    }

    /// The places that are taken.
    var count: Int { taken.load(ordering: .relaxed) }

    /// Removes what processes that are gone left behind.
    func removeLeftovers() {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: path) } catch {
            // It is made when it is first needed.
            return
        }
        for name in names where name.hasPrefix(Self.prefix) {
            let process = pid_t(name.dropFirst(Self.prefix.count).prefix { $0 != "-" })
            if let process, kill(process, 0) != 0, errno == ESRCH { unlink("\(path)/\(name)") }
        }
    }

    /// A new file that only this process's user can read, open for writing and closed in children; its descriptor and
    /// its path.
    func makeFile() throws(BodyFault) -> (descriptor: Int32, path: String) {
        let name = "\(path)/\(Self.prefix)\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        let make = { open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
        var descriptor = make()
        if descriptor < 0, errno == ENOENT {
            do {
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch { throw .noRoom }
            descriptor = make()
        }
        guard descriptor >= 0 else { throw .noRoom }
        return (descriptor, name)
    }
}
