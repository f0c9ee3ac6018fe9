internal import HalcyonSQLite

extension RecordStore {
    /// The entries after `seq`, oldest first, at most `limit`.
    ///
    /// Entries come in the order of the commits: once one has been read, none with a smaller number appears.
    ///
    /// - Parameter topics: `nil` for all.
    package func journal(
        after seq: Int, limit: Int, topics: Set<RecordChange.Topic>? = nil
    ) async throws(RecordError) -> [JournalEntry] {
        let names = topics.map { $0.map { Value.text($0.rawValue) } }
        let filter = names.map { "AND topic IN (\($0.map { _ in "?" }.joined(separator: ", ")))" } ?? ""
        return try await read { connection in
            try connection.all(
                "SELECT \(JournalEntry.columns) FROM changes WHERE seq > ? \(filter) ORDER BY seq LIMIT ?",
                [Value(seq)] + (names ?? []) + [Value(limit)]
            ) { JournalEntry($0) }.compactMap { $0 }
        }
    }

    /// The number of the last entry that was written, 0 if there has been none. Entries that have been pruned count.
    package func lastJournalEntry() async throws(RecordError) -> Int {
        try await read { connection in
            try connection.first("SELECT seq FROM sqlite_sequence WHERE name = 'changes'") { $0.int(0) } ?? 0
        }
    }
}

extension Connection {
    /// To be called within the transaction of the changes.
    func enter(_ changes: [RecordChange], actor: Actor, at milliseconds: Int) throws(DatabaseError) {
        for change in changes {
            try run(
                "INSERT INTO changes (at, actor, topic, action, record, scope, fields) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    Value(milliseconds), .text(actor.description), .text(change.topic.rawValue),
                    .text(change.action.rawValue), .text(change.record), Value(change.scope),
                    .text(change.fields.joined(separator: ",")),
                ])
        }
    }
}
