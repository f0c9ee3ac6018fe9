internal import HalcyonSQLite

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension RecordStore {
    /// - Parameters:
    ///   - reason: one of ``GuidanceReason``, as text in any Unicode form.
    ///   - detail: with ``GuidanceReason/other`` alone; white space counts as none.
    /// - Throws: ``RecordError/invalid(field:accepted:)`` naming `reason` or `detail`; ``RecordError/notFound`` if there is
    ///   no such student.
    package func addGuidance(
        studentID: Int, reason: String, detail: String? = nil, now: Date = Date()
    ) async throws(RecordError) -> Guidance {
        guard let known = GuidanceReason(rawValue: NameText.composed(StudentRules.trimmed(reason))) else {
            throw .invalid(field: "reason", accepted: GuidanceReason.accepted)
        }
        var text: String?
        if let detail, !StudentRules.trimmed(detail).isEmpty {
            guard known == .other else {
                throw .invalid(
                    field: "detail", accepted: "nothing, unless the reason is \(GuidanceReason.other.rawValue)")
            }
            text = try RecordText.check(
                NameText.composed(detail), field: "detail", length: 1...1000, isMultiline: true)
        }
        return try await write { [text] connection, changes in
            try connection.run(
                """
                INSERT INTO guidances (studentID, reason, detail, createdAt, grade, classNumber)
                SELECT id, ?, ?, ?, grade, classNumber FROM students WHERE id = ?
                """,
                [.text(known.rawValue), Value(text), Value(now.milliseconds), Value(studentID)])
            guard connection.changes > 0 else { throw RecordError.notFound }
            let id = connection.lastInsertedRowID
            changes.append(RecordChange(.guidances, .created, record: id))
            return try connection.guidance(id: id)
        }
    }

    /// All of them, newest first.
    package func guidances(matching query: GuidanceQuery = GuidanceQuery()) async throws(RecordError) -> [Guidance] {
        try await guidancePage(matching: query).guidances
    }

    /// Newest first.
    ///
    /// - Throws: ``RecordError/invalid(field:accepted:)`` for a `limit` or `after` that no page can have.
    package func guidancePage(matching query: GuidanceQuery) async throws(RecordError) -> GuidancePage {
        let range = GuidanceQuery.limitRange
        guard query.limit.map(range.contains) ?? true else {
            throw .invalid(field: "limit", accepted: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        let cursor: GuidanceCursor? = if let after = query.after { try GuidanceCursor(after) } else { nil }
        // One more than asked for tells whether there is a next page.
        let found = try await read { try $0.guidances(query, after: cursor, limit: query.limit.map { $0 + 1 } ?? -1) }
        guard let limit = query.limit, found.count > limit else { return GuidancePage(guidances: found, next: nil) }
        let guidances = Array(found.prefix(limit))
        return GuidancePage(guidances: guidances, next: guidances.last.map { GuidanceCursor($0).text })
    }

    /// Marks a guidance deleted.
    ///
    /// - Throws: ``RecordError/notFound`` if there is no valid one with this id.
    @discardableResult
    package func removeGuidance(id: Int, now: Date = Date()) async throws(RecordError) -> Guidance {
        try await write { connection, changes in
            try connection.run(
                "UPDATE guidances SET deletedAt = ? WHERE id = ? AND deletedAt IS NULL",
                [Value(now.milliseconds), Value(id)])
            guard connection.changes > 0 else { throw RecordError.notFound }
            changes.append(RecordChange(.guidances, .removed, record: id))
            return try connection.guidance(id: id)
        }
    }

    /// Makes a deleted guidance valid again.
    ///
    /// - Throws: ``RecordError/notFound``; ``RecordError/conflict(field:)`` with `status` if it is valid.
    @discardableResult
    package func restoreGuidance(id: Int) async throws(RecordError) -> Guidance {
        try await write { connection, changes in
            try connection.run(
                "UPDATE guidances SET deletedAt = NULL WHERE id = ? AND deletedAt IS NOT NULL", [Value(id)])
            let isRestored = connection.changes > 0
            let guidance = try connection.guidance(id: id)
            guard isRestored else { throw RecordError.conflict(field: "status") }
            changes.append(RecordChange(.guidances, .restored, record: id))
            return guidance
        }
    }
}

extension Connection {
    /// - Parameter limit: negative for all.
    fileprivate func guidances(
        _ query: GuidanceQuery, after cursor: GuidanceCursor?, limit: Int
    ) throws(DatabaseError) -> [Guidance] {
        var conditions: [String] = []
        var values: [Value] = []
        for (column, value) in [
            ("g.grade", query.grade), ("g.classNumber", query.classNumber), ("g.studentID", query.studentID),
        ] {
            guard let value else { continue }
            conditions.append("\(column) = ?")
            values.append(Value(value))
        }
        switch query.status {
        case .valid: conditions.append("g.deletedAt IS NULL")
        case .deleted: conditions.append("g.deletedAt IS NOT NULL")
        case .all: break
        }
        if let cursor {
            conditions.append("(g.createdAt, g.id) < (?, ?)")
            values += [Value(cursor.createdAt), Value(cursor.id)]
        }
        let filter = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        // In this order: the guidances come from an index that has them sorted, and each finds its student.
        return try all(
            """
            SELECT \(Guidance.columns) FROM guidances g CROSS JOIN students s ON s.id = g.studentID
            \(filter) ORDER BY g.createdAt DESC, g.id DESC LIMIT ?
            """, values + [Value(limit)]
        ) { Guidance($0) }.compactMap { $0 }
    }

    fileprivate func guidance(id: Int) throws -> Guidance {
        let found = try first(
            "SELECT \(Guidance.columns) FROM guidances g JOIN students s ON s.id = g.studentID WHERE g.id = ?",
            [Value(id)]
        ) { Guidance($0) }
        guard let guidance = found ?? nil else { throw RecordError.notFound }
        return guidance
    }
}
