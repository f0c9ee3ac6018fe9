internal import HalcyonSQLite

extension RecordStore {
    /// By student: the most first, then in order of seats. By class: in order. By reason: every reason, with 0 too.
    package func guidanceCounts(_ query: GuidanceCountQuery) async throws(RecordError) -> [GuidanceCount] {
        var conditions = ["g.deletedAt IS NULL"]
        var values: [Value] = []
        for (condition, value) in [
            ("g.createdAt >= ?", query.from?.milliseconds), ("g.createdAt < ?", query.to?.milliseconds),
            ("g.grade = ?", query.grade), ("g.classNumber = ?", query.classNumber),
        ] {
            guard let value else { continue }
            conditions.append(condition)
            values.append(Value(value))
        }
        let filter = conditions.joined(separator: " AND ")
        // A period is a small part of all that there is: sorting it costs less than walking the classes, which SQLite, not
        // knowing that, would do.
        let byTime = query.from != nil && query.grade == nil ? "INDEXED BY guidancesByTime" : ""
        return try await read { [values] connection in
            switch query.grouping {
            case .class:
                return try connection.all(
                    """
                    SELECT g.grade, g.classNumber, count(*) FROM guidances g \(byTime) WHERE \(filter)
                    GROUP BY g.grade, g.classNumber ORDER BY g.grade, g.classNumber
                    """, values
                ) { GuidanceCount(grade: $0.int(0), classNumber: $0.int(1), count: $0.int(2)) }
            case .student:
                return try connection.all(
                    """
                    SELECT \(Student.columns), count FROM (
                        SELECT g.studentID, count(*) AS count FROM guidances g WHERE \(filter) GROUP BY g.studentID
                    ) JOIN students ON id = studentID ORDER BY count DESC, grade, classNumber, number
                    """, values
                ) { row in
                    let student = Student(row)
                    return GuidanceCount(
                        studentID: student.id, grade: student.grade, classNumber: student.classNumber,
                        number: student.number, name: student.name, count: row.int(Student.columnCount))
                }
            case .reason:
                var counts: [GuidanceReason: Int] = [:]
                let sql = "SELECT g.reason, count(*) FROM guidances g WHERE \(filter) GROUP BY g.reason"
                try connection.run(sql, values) { row in
                    if let reason = GuidanceReason(rawValue: row.text(0)) { counts[reason] = row.int(1) }
                }
                return GuidanceReason.allCases.map { GuidanceCount(reason: $0, count: counts[$0] ?? 0) }
            }
        }
    }
}
