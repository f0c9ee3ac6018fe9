internal import CSQLite

/// A prepared statement: prepared in `init`, finalised in `deinit`. Used on its connection's thread alone.
package final class Statement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer
    private let sql: String

    init(connection: OpaquePointer, sql: String) throws(DatabaseError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else {
            throw DatabaseError(
                code: code == SQLITE_OK ? SQLITE_MISUSE : sqlite3_extended_errcode(connection),
                message: String(cString: sqlite3_errmsg(connection)),
                sql: sql
            )
        }
        self.handle = handle
        self.connection = connection
        self.sql = sql
    }

    deinit { sqlite3_finalize(handle) }

    /// Runs the statement from its start and calls `row` for each row it yields.
    package func run(
        _ values: [Value] = [],
        row: (borrowing Row) throws(DatabaseError) -> Void = { (_: borrowing Row) throws(DatabaseError) in }
    ) throws(DatabaseError) {
        // Reset on every way out: a statement left stepping would hold its read transaction open.
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        for (index, value) in values.enumerated() {
            try bind(value, at: Int32(index + 1))
        }
        while true {
            let code = sqlite3_step(handle)
            switch code {
            case SQLITE_ROW: try row(Row(handle: handle))
            case SQLITE_DONE: return
            default: throw failure()
            }
        }
    }

    private func bind(_ value: Value, at index: Int32) throws(DatabaseError) {
        let code: Int32
        switch value {
        case .null: code = sqlite3_bind_null(handle, index)
        case .integer(let integer): code = sqlite3_bind_int64(handle, index, integer)
        case .real(let real): code = sqlite3_bind_double(handle, index, real)
        case .text(var text):
            code = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { chars in
                    // An empty buffer may have no address, which SQLite would take for NULL.
                    sqlite3_bind_text(
                        handle, index, chars.baseAddress ?? emptyText, Int32(chars.count), halcyon_sqlite_transient())
                }
            }
        case .blob(let blob):
            code = blob.withUnsafeBytes { bytes in
                bytes.isEmpty
                    ? sqlite3_bind_zeroblob(handle, index, 0)
                    : sqlite3_bind_blob(
                        handle, index, bytes.baseAddress, Int32(bytes.count), halcyon_sqlite_transient())
            }
        }
        guard code == SQLITE_OK else { throw failure() }
    }

    private func failure() -> DatabaseError {
        DatabaseError(
            code: sqlite3_extended_errcode(connection), message: String(cString: sqlite3_errmsg(connection)), sql: sql)
    }
}

/// One NUL byte that lives as long as the process.
nonisolated(unsafe) private let emptyText: UnsafePointer<CChar> = {
    // Guard: written once here, read-only afterwards.
    let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return UnsafePointer(byte)
}()

/// The current row of a statement. Columns are counted from 0; a column of another type is converted as SQLite does.
package struct Row: ~Copyable {
    let handle: OpaquePointer

    package func isNull(_ column: Int) -> Bool { sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL }
    package func int(_ column: Int) -> Int { Int(sqlite3_column_int64(handle, Int32(column))) }
    package func double(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }

    package func text(_ column: Int) -> String {
        guard let bytes = sqlite3_column_text(handle, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    package func blob(_ column: Int) -> [UInt8] {
        guard let bytes = sqlite3_column_blob(handle, Int32(column)) else { return [] }
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    package func optionalInt(_ column: Int) -> Int? { isNull(column) ? nil : int(column) }
    package func optionalDouble(_ column: Int) -> Double? { isNull(column) ? nil : double(column) }
    package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }
    package func optionalBlob(_ column: Int) -> [UInt8]? { isNull(column) ? nil : blob(column) }
}
