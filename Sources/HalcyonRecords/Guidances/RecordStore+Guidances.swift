internal import HalcyonSQLite

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension RecordStore {
    /// - Parameters:
    ///   - reason: one of ``GuidanceReason``, as text.
    ///   - detail: with ``GuidanceReason/other`` alone; white space counts as none.
    /// - Throws: ``RecordError/invalid(field:accepted:)`` naming `studentID`, `reason` or `detail`.
    package func addGuidance(
        studentID: Int, reason: String, detail: String? = nil, now: Date = Date()
    ) async throws(RecordError) -> Guidance {
        guard let known = GuidanceReason(rawValue: StudentRules.trimmed(reason)) else {
            throw .invalid(field: "reason", accepted: GuidanceReason.accepted)
        }
        var text: String?
        if let detail, !StudentRules.trimmed(detail).isEmpty {
            guard known == .other else {
                throw .invalid(
                    field: "detail", accepted: "nothing, unless the reason is \(GuidanceReason.other.rawValue)")
            }
            text = try RecordText.check(detail, field: "detail", length: 1...1000, isMultiline: true)
        }
        return try await write { [text] connection, changes in
            guard try connection.student(id: studentID) != nil else {
                throw RecordError.invalid(field: "studentID", accepted: "the id of a student who is recorded")
            }
            try connection.run(
                "INSERT INTO guidances (studentID, reason, detail, createdAt) VALUES (?, ?, ?, ?)",
                [Value(studentID), .text(known.rawValue), Value(text), Value(now.milliseconds)])
            let id = connection.lastInsertedRowID
            changes.append(RecordChange(.guidances, .created, record: id))
            return try connection.guidance(id: id)
        }
    }

    /// Newest first.
    package func guidances(matching query: GuidanceQuery = GuidanceQuery()) async throws(RecordError) -> [Guidance] {
        var conditions: [String] = []
        var values: [Value] = []
        for (column, value) in [
            ("s.grade", query.grade), ("s.classNumber", query.classNumber), ("s.id", query.studentID),
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
        let filter = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        return try await read { [values] connection in
            try connection.all(
                """
                SELECT \(Guidance.columns) FROM guidances g JOIN students s ON s.id = g.studentID
                \(filter) ORDER BY g.createdAt DESC, g.id DESC
                """, values
            ) { Guidance($0) }.compactMap { $0 }
        }
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

    /// Makes a deleted guidance valid again; one that is valid stays so.
    ///
    /// - Throws: ``RecordError/notFound``.
    @discardableResult
    package func restoreGuidance(id: Int) async throws(RecordError) -> Guidance {
        try await write { connection, changes in
            try connection.run(
                "UPDATE guidances SET deletedAt = NULL WHERE id = ? AND deletedAt IS NOT NULL", [Value(id)])
            if connection.changes > 0 { changes.append(RecordChange(.guidances, .restored, record: id)) }
            return try connection.guidance(id: id)
        }
    }
}

extension Connection {
    fileprivate func guidance(id: Int) throws -> Guidance {
        let found = try first(
            "SELECT \(Guidance.columns) FROM guidances g JOIN students s ON s.id = g.studentID WHERE g.id = ?",
            [Value(id)]
        ) { Guidance($0) }
        guard let guidance = found ?? nil else { throw RecordError.notFound }
        return guidance
    }
}
