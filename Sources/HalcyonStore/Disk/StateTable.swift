internal import HalcyonSQLite

/// Numbers that belong to the cache as a whole, and the processes that have it open.
struct StateTable {
    let connection: Connection

    enum Name: String {
        case keyVersion, entries, bytes, orphanSweepAt, isRebuilding
    }

    func value(_ name: Name) throws(DatabaseError) -> Int {
        try connection.first("SELECT value FROM state WHERE name = ?", [.text(name.rawValue)]) { $0.int(0) } ?? 0
    }

    func set(_ name: Name, to value: Int) throws(DatabaseError) {
        try connection.run("UPDATE state SET value = ? WHERE name = ?", [.init(value), .text(name.rawValue)])
    }

    func addToTotals(count: Int, bytes: Int) throws(DatabaseError) {
        guard count != 0 || bytes != 0 else { return }
        try connection.run(
            "UPDATE state SET value = value + CASE name WHEN 'entries' THEN ? ELSE ? END WHERE name IN ('entries', 'bytes')",
            [.init(count), .init(bytes)])
    }

    /// Process numbers and system process ids.
    func sessions() throws(DatabaseError) -> [(process: Int, pid: Int)] {
        try connection.all("SELECT process, pid FROM session") { ($0.int(0), $0.int(1)) }
    }

    func beginSession(_ process: Int, pid: Int) throws(DatabaseError) {
        try connection.run("INSERT OR REPLACE INTO session VALUES (?, ?)", [.init(process), .init(pid)])
    }

    func endSession(_ process: Int) throws(DatabaseError) {
        try connection.run("DELETE FROM session WHERE process = ?", [.init(process)])
    }
}
