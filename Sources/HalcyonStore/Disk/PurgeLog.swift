internal import HalcyonSQLite

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The purges of all processes, in order, so that each learns of those of the others.
struct PurgeLog {
    let connection: Connection

    /// As many as a process may be behind before it has to drop everything.
    static let keptPurges = 1_000

    struct Record: Sendable {
        let sequence: Int
        /// `nil` if a later version wrote it; then it has to be taken for everything.
        let selector: PurgeSelector?
        let process: Int
    }

    func append(_ selector: PurgeSelector, process: Int) throws -> Int {
        let text = String(decoding: try JSONEncoder().encode(selector), as: UTF8.self)
        try connection.run("INSERT INTO purge(selector, process) VALUES (?, ?)", [.text(text), .init(process)])
        let sequence = connection.lastInsertedRowID
        try connection.run("DELETE FROM purge WHERE sequence <= ?", [.init(sequence - Self.keptPurges)])
        return sequence
    }

    var last: Int {
        get throws(DatabaseError) { try connection.first("SELECT max(sequence) FROM purge") { $0.int(0) } ?? 0 }
    }

    var first: Int {
        get throws(DatabaseError) { try connection.first("SELECT min(sequence) FROM purge") { $0.int(0) } ?? 0 }
    }

    func records(after sequence: Int) throws(DatabaseError) -> [Record] {
        try connection.all(
            "SELECT sequence, selector, process FROM purge WHERE sequence > ? ORDER BY sequence", [.init(sequence)]
        ) { row in
            let selector: PurgeSelector?
            do { selector = try JSONDecoder().decode(PurgeSelector.self, from: Data(row.text(1).utf8)) } catch {
                selector = nil
            }
            return Record(sequence: row.int(0), selector: selector, process: row.int(2))
        }
    }
}
