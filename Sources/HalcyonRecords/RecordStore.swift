internal import Glibc
internal import HalcyonSQLite
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The records of one school in one SQLite file, which other processes may have open too.
///
/// One connection writes, in transactions that take the lock at their start and are on disk when the writes in them return
/// (``WriteQueue``); readers run beside it. A caller that is cancelled still gets its answer: the statements are short.
package final class RecordStore: Sendable {
    package let path: String
    private let writes: WriteQueue
    private let readers: [Database]
    private let watcher: Database
    /// For the access check, which must not wait for a long read.
    private let doorkeeper: Database
    private let nextReader = Atomic<Int>(0)
    let passwordLane = PasswordLane()
    private let onChange: @Sendable ([RecordChange]) -> Void

    /// Opens the database and brings its schema up to date. A file that others than this program write is refused before
    /// anything in it is changed. Blocks.
    ///
    /// - Parameter isCreated: whether a file that is missing is created, readable and writable by its owner alone.
    /// - Parameter onChange: called once after each commit made through this store that changed records, on no particular
    ///   thread, before the method that made it returns.
    package init(
        path: String, isCreated: Bool = true, onChange: @escaping @Sendable ([RecordChange]) -> Void = { _ in }
    ) throws(RecordError) {
        self.onChange = onChange
        self.path = path
        // SQLite gives the journal the mode of the database, so only this file has to be made private.
        let descriptor = open(path, O_RDWR | O_CLOEXEC | (isCreated ? O_CREAT : 0), 0o600)
        guard descriptor >= 0 else {
            throw .database(code: 14, message: "cannot open \(path): \(String(cString: strerror(errno)))")
        }
        close(descriptor)
        do {
            try Self.check(path, isCreated: isCreated)
            // The writer comes first: it brings the schema up to date.
            let writer = try Database(
                path: path, options: .init(busyTimeoutMilliseconds: 30_000), migrations: RecordSchema.migrations)
            // Looked at again in the transaction: another process may have done it since.
            try writer.runBlocking { if try $0.areNamesMissing { try $0.transaction($0.fillNames) } }
            writes = WriteQueue(writer)
            let reader = Connection.Options(isReadOnly: true)
            readers = [try Database(path: path, options: reader), try Database(path: path, options: reader)]
            watcher = try Database(path: path, options: reader)
            doorkeeper = try Database(path: path, options: reader)
        } catch {
            throw RecordError(error)
        }
    }

    static func check(_ path: String, isCreated: Bool) throws {
        let connection = try Connection(path: path, options: .init(isReadOnly: true))
        func number(_ sql: String) throws -> Int { try connection.first(sql) { $0.int(0) } ?? 0 }
        // On one state of the file: another process may be making its tables at this moment.
        let (application, version, tables, hasStudents) = try connection.readTransaction {
            (
                try number("PRAGMA application_id"), try number("PRAGMA user_version"),
                try number("SELECT count(*) FROM sqlite_schema"),
                try number("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'students'") > 0
            )
        }
        // Databases from before the number was written hold students; a file without anything in it is nobody's yet.
        let isOurs = application == RecordSchema.applicationID || application == 0 && version > 0 && hasStudents
        let isBlank = application == 0 && version == 0 && tables == 0
        guard isOurs || isBlank else {
            throw RecordError.database(code: 26, message: "\(path) is a database of another program")
        }
        guard isOurs || isCreated else {
            throw RecordError.database(code: 26, message: "\(path) is empty: there are no records in it")
        }
    }

    /// A number that differs from the one before if any connection, of this process or another, has committed since.
    /// Takes some microseconds and blocks the calling thread.
    package func dataVersion() throws(RecordError) -> Int {
        do { return try watcher.runBlocking { try $0.dataVersion() } } catch { throw RecordError(error) }
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws(RecordError) -> T {
        let index = nextReader.wrappingAdd(1, ordering: .relaxed).oldValue
        do {
            return try await readers[index & 1].run(body)
        } catch {
            throw RecordError(error)
        }
    }

    /// Runs `body` on a connection of its own and waits for it: point reads alone.
    func readBlocking<T>(_ body: (Connection) throws -> T) throws(RecordError) -> T {
        do { return try doorkeeper.runBlocking(body) } catch { throw RecordError(error) }
    }

    /// Runs `body` in one transaction, enters in the journal what it says it changed, and tells of it after the commit.
    func write<T: Sendable>(
        _ body: @escaping @Sendable (Connection, inout [RecordChange]) throws -> T
    ) async throws(RecordError) -> T {
        // The queue of the connection knows no task.
        let actor = Actor.current
        do {
            let (result, changes): (T, [RecordChange]) = try await withCheckedThrowingContinuation { continuation in
                writes.add(
                    WriteQueue.Pending { connection in
                        var changes: [RecordChange] = []
                        let result = try body(connection, &changes)
                        try connection.enter(changes, actor: actor, at: Date().milliseconds)
                        let done = (result, changes)
                        return { continuation.resume(returning: done) }
                    } fail: { error in
                        continuation.resume(throwing: error)
                    })
            }
            if !changes.isEmpty { onChange(changes) }
            return result
        } catch {
            throw RecordError(error)
        }
    }
}
