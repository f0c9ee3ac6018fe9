internal import HalcyonSQLite

/// What a database that nobody writes holds: checked as a whole, and counted.
struct BackupContent {
    let schemaVersion: Int
    let rows: [String: Int]
    let media: [Media]

    /// - Throws: ``BackupError/damaged(_:)`` for what SQLite's own checks find.
    init(database path: String) throws {
        let connection = try Connection(path: path, options: .init(isReadOnly: true))
        let findings = try connection.all("PRAGMA integrity_check(10)") { $0.text(0) }
        guard findings == ["ok"] else { throw BackupError.damaged(findings.joined(separator: "; ")) }
        let strays = try connection.all("PRAGMA foreign_key_check") { $0.text(0) }
        guard strays.isEmpty else {
            throw BackupError.damaged("rows of \(Set(strays).sorted().joined(separator: ", ")) refer to nothing")
        }
        guard try connection.first("PRAGMA application_id", read: { $0.int(0) }) == RecordSchema.applicationID else {
            throw BackupError.notABackup(path)
        }
        schemaVersion = try connection.first("PRAGMA user_version") { $0.int(0) } ?? 0
        let tables = try connection.all(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        ) { $0.text(0) }
        var rows: [String: Int] = [:]
        for table in tables {
            rows[table] = try connection.first("SELECT count(*) FROM \"\(table)\"") { $0.int(0) }
        }
        self.rows = rows
        media =
            try rows["media"] == nil
            ? [] : connection.all("SELECT \(Media.columns) FROM media ORDER BY digest") { Media($0) }.compactMap { $0 }
    }
}
