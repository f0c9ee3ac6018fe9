internal import CSQLite

/// One SQLite connection. Not safe for concurrent use: ``Database`` owns the thread that a connection is used from.
package final class Connection {
    private let handle: OpaquePointer
    private var statements: [String: Statement] = [:]

    /// How a database is opened.
    package struct Options: Sendable, Hashable {
        package var isReadOnly = false
        /// `FULL` survives a power cut after commit; `NORMAL` survives a crash of the process.
        package var isSynchronousFull = true
        /// How long a writer waits for another process's transaction.
        package var busyTimeoutMilliseconds: Int32 = 5_000

        package init(
            isReadOnly: Bool = false, isSynchronousFull: Bool = true, busyTimeoutMilliseconds: Int32 = 5_000
        ) {
            self.isReadOnly = isReadOnly
            self.isSynchronousFull = isSynchronousFull
            self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
        }
    }

    package init(path: String, options: Options = Options()) throws(DatabaseError) {
        var handle: OpaquePointer?
        let flags =
            (options.isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
            | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
            sqlite3_close_v2(handle)
            throw DatabaseError(code: code, message: message)
        }
        self.handle = handle
        sqlite3_busy_timeout(handle, options.busyTimeoutMilliseconds)
        // Views and triggers of a file that somebody else wrote may not call into the application.
        halcyon_sqlite_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        halcyon_sqlite_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        if !options.isReadOnly { try enterWAL(within: options.busyTimeoutMilliseconds) }
        try execute("PRAGMA synchronous=\(options.isSynchronousFull ? "FULL" : "NORMAL")")
        try execute("PRAGMA foreign_keys=ON")
    }

    /// SQLite does not wait for others when the journal mode changes: two processes that make one file at the same moment
    /// would fail each other.
    private func enterWAL(within milliseconds: Int32) throws(DatabaseError) {
        var waited: Int32 = 0
        while true {
            do {
                return try execute("PRAGMA journal_mode=WAL")
            } catch {
                guard error.primaryCode == SQLITE_BUSY, waited < milliseconds else { throw error }
                sqlite3_sleep(5)
                waited += 5
            }
        }
    }

    deinit {
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Runs statements that take no values, one after another.
    package func execute(_ sql: String) throws(DatabaseError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else {
            throw DatabaseError(
                code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)), sql: sql)
        }
    }

    /// Runs one statement, prepared once and kept.
    package func run(
        _ sql: String,
        _ values: [Value] = [],
        row: (borrowing Row) throws(DatabaseError) -> Void = { (_: borrowing Row) throws(DatabaseError) in }
    ) throws(DatabaseError) {
        try statement(sql).run(values, row: row)
    }

    /// The first row as `read` sees it, or `nil` if there is none.
    package func first<T>(
        _ sql: String, _ values: [Value] = [], read: (borrowing Row) throws(DatabaseError) -> T
    ) throws(DatabaseError) -> T? {
        var result: T?
        try run(sql, values) { (row) throws(DatabaseError) in
            if result == nil { result = try read(row) }
        }
        return result
    }

    /// Every row as `read` sees it.
    package func all<T>(
        _ sql: String, _ values: [Value] = [], read: (borrowing Row) throws(DatabaseError) -> T
    ) throws(DatabaseError) -> [T] {
        var result: [T] = []
        try run(sql, values) { (row) throws(DatabaseError) in result.append(try read(row)) }
        return result
    }

    package func statement(_ sql: String) throws(DatabaseError) -> Statement {
        if let statement = statements[sql] { return statement }
        let statement = try Statement(connection: handle, sql: sql)
        statements[sql] = statement
        return statement
    }

    /// Rows changed by the last INSERT, UPDATE or DELETE.
    package var changes: Int { Int(sqlite3_changes64(handle)) }
    package var lastInsertedRowID: Int { Int(sqlite3_last_insert_rowid(handle)) }

    /// Runs `body` in one transaction that takes the write lock at its start, so that it cannot fail half-way for
    /// another writer. Rolled back if `body` throws.
    package func transaction<T, E: Error>(_ body: () throws(E) -> T) throws -> T {
        try transaction(beginning: "BEGIN IMMEDIATE", body)
    }

    /// Runs `body`, which only reads, on one state of the database.
    package func readTransaction<T, E: Error>(_ body: () throws(E) -> T) throws -> T {
        try transaction(beginning: "BEGIN", body)
    }

    /// Runs `body` within a transaction; if it throws, what it did is taken back and the transaction goes on.
    package func savepoint<T>(_ body: () throws -> T) throws -> T {
        try execute("SAVEPOINT halcyon")
        do {
            let result = try body()
            try execute("RELEASE halcyon")
            return result
        } catch {
            // Some failures (a full disk) have ended the transaction; then there is nothing left to take back.
            if isInTransaction { try execute("ROLLBACK TO halcyon; RELEASE halcyon") }
            throw error
        }
    }

    package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    private func transaction<T, E: Error>(beginning: String, _ body: () throws(E) -> T) throws -> T {
        try execute(beginning)
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // Some failures (a full disk) have rolled back already; then there is nothing left to undo.
            if sqlite3_get_autocommit(handle) == 0 { try execute("ROLLBACK") }
            throw error
        }
    }

    /// Brings the schema up to date: `migrations[n]` takes a database from `user_version` n to n + 1, each in a
    /// transaction of its own. A database of a newer version than we know is refused, not guessed at.
    package func migrate(_ migrations: [String]) throws {
        let version = try first("PRAGMA user_version") { $0.int(0) } ?? 0
        guard version <= migrations.count else {
            throw DatabaseError(
                code: SQLITE_MISMATCH,
                message: "the database has schema version \(version); this program knows up to \(migrations.count)")
        }
        for next in version..<migrations.count {
            try transaction {
                // Looked at again under the write lock: another process may have migrated since.
                guard try first("PRAGMA user_version", read: { $0.int(0) }) == next else { return }
                try execute(migrations[next])
                try execute("PRAGMA user_version=\(next + 1)")
            }
        }
    }

    /// A number that changes when another connection, of this process or another, has committed.
    package func dataVersion() throws(DatabaseError) -> Int {
        try first("PRAGMA data_version") { $0.int(0) } ?? 0
    }

    /// A consistent copy of the whole database in a new file.
    package func backup(to path: String) throws(DatabaseError) {
        try run("VACUUM INTO ?", [.text(path)])
    }
}
