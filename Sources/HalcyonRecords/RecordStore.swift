internal import Glibc
internal import HalcyonSQLite
internal import Synchronization

/// The records of one school in one SQLite file, which other processes may have open too.
///
/// One connection writes, each write in a transaction that takes the lock at its start and is on disk when it returns;
/// readers run beside it. A caller that is cancelled still gets its answer: the statements are short.
package final class RecordStore: Sendable {
    private let writer: Database
    private let readers: [Database]
    private let watcher: Database
    private let nextReader = Atomic<Int>(0)
    let passwordLane = PasswordLane()
    private let onChange: @Sendable (RecordChange) -> Void

    /// Opens the database, creating it (readable and writable by its owner alone) and bringing its schema up to date.
    /// Blocks.
    ///
    /// - Parameter onChange: called after each commit made through this store, on no particular thread, before the
    ///   method that made it returns.
    package init(
        path: String, onChange: @escaping @Sendable (RecordChange) -> Void = { _ in }
    ) throws(RecordError) {
        self.onChange = onChange
        // SQLite gives the journal the mode of the database, so only this file has to be made private.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw .database(code: 14, message: "cannot open \(path): \(String(cString: strerror(errno)))")
        }
        close(descriptor)
        do {
            // The writer comes first: it brings the schema up to date.
            writer = try Database(
                path: path, options: .init(busyTimeoutMilliseconds: 30_000), migrations: RecordSchema.migrations)
            let reader = Connection.Options(isReadOnly: true)
            readers = [try Database(path: path, options: reader), try Database(path: path, options: reader)]
            watcher = try Database(path: path, options: reader)
        } catch {
            throw RecordError(error)
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

    /// Runs `body` in one transaction, then tells of what it says it changed.
    func write<T: Sendable>(
        _ body: @escaping @Sendable (Connection, inout [RecordChange]) throws -> T
    ) async throws(RecordError) -> T {
        do {
            let (result, changes) = try await writer.run { connection in
                try connection.transaction {
                    var changes: [RecordChange] = []
                    let result = try body(connection, &changes)
                    return (result, changes)
                }
            }
            changes.forEach(onChange)
            return result
        } catch {
            throw RecordError(error)
        }
    }
}
