internal import HalcyonSQLite

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension RecordStore {
    /// How long the journal is kept: 400 days, so that a school year can be looked back on. It says who did what and when,
    /// which is personal data too, and is not kept for ever.
    package static let journalLifetime: TimeInterval = 400 * 86_400

    /// Newest first.
    ///
    /// - Throws: ``RecordError/invalid(field:accepted:)`` with `limit`.
    package func audit(_ query: AuditQuery) async throws(RecordError) -> [JournalEntry] {
        let range = AuditQuery.limitRange
        guard range.contains(query.limit) else {
            throw .invalid(field: "limit", accepted: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        let conditions: [(sql: String, value: Value?)] = [
            ("topic = ?", query.topic.map { .text($0.rawValue) }), ("actor = ?", query.actor.map { .text($0) }),
            ("record = ?", query.record.map { .text($0) }), ("at >= ?", query.since.map { Value($0.milliseconds) }),
            ("seq > ?", query.after.map { Value($0) }), ("seq < ?", query.before.map { Value($0) }),
        ].filter { $0.1 != nil }
        let filter = conditions.isEmpty ? "" : "WHERE " + conditions.map(\.sql).joined(separator: " AND ")
        let values = conditions.compactMap(\.value) + [Value(query.limit)]
        return try await read { connection in
            try connection.all(
                "SELECT \(JournalEntry.columns) FROM changes \(filter) ORDER BY seq DESC LIMIT ?", values
            ) { JournalEntry($0) }.compactMap { $0 }
        }
    }

    /// Forgets what has been kept long enough: entries of the journal and tokens that have expired. For the start and once
    /// a day.
    package func prune(now: Date = Date()) async throws(RecordError) {
        try await write { connection, _ in
            try connection.run(
                "DELETE FROM changes WHERE at < ?",
                [Value(now.addingTimeInterval(-Self.journalLifetime).milliseconds)])
            try connection.run("DELETE FROM tokens WHERE expiresAt <= ?", [Value(now.milliseconds)])
        }
    }
}
