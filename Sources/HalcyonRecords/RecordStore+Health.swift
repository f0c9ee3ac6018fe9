internal import Dispatch
internal import Glibc
internal import HalcyonSQLite

extension RecordStore {
    /// What SQLite's `quick_check` finds, at most ten findings; empty if all is well. Reads the whole file on a connection
    /// of its own, so that nobody waits for it.
    package func integrityFindings() async throws(RecordError) -> [String] {
        let path = path
        let result = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(
                    returning: Result {
                        let connection = try Connection(path: path, options: .init(isReadOnly: true))
                        return try connection.all("PRAGMA quick_check(10)") { $0.text(0) }.filter { $0 != "ok" }
                    })
            }
        }
        do { return try result.get() } catch { throw RecordError(error) }
    }

    /// Whether a write would succeed now: the database takes one, and there is room beside it. Changes nothing in it,
    /// because other processes look at its version. That another process is writing is no failure.
    ///
    /// - Throws: ``RecordError/database(code:message:)``.
    package func checkWritable() async throws(RecordError) {
        let path = path
        let result = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(returning: Result { try Self.probe(path) })
            }
        }
        do { try result.get() } catch { throw RecordError(error) }
    }

    private static func probe(_ path: String) throws {
        let (busy, failed, full): (Int32, Int32, Int32) = (5, 10, 13)
        do {
            let connection = try Connection(path: path, options: .init(busyTimeoutMilliseconds: 0))
            try connection.transaction {}
        } catch let error as DatabaseError where error.primaryCode == busy {
            // Somebody else is writing just now.
        }
        let code = writeAndRemove("\(path)-probe")
        guard code == 0 else {
            throw DatabaseError(code: code == ENOSPC ? full : failed, message: String(cString: strerror(code)))
        }
    }

    /// Writes some pages to disk. Answers `errno`, 0 for success.
    private static func writeAndRemove(_ file: String) -> Int32 {
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return errno }
        defer {
            close(descriptor)
            unlink(file)
        }
        let pages = [UInt8](repeating: 0, count: 1 << 16)
        let count = Glibc.write(descriptor, pages, pages.count)
        guard count == pages.count else { return count < 0 ? errno : ENOSPC }
        return fsync(descriptor) == 0 ? 0 : errno
    }
}
