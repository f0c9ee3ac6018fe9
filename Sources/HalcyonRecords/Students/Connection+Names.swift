internal import HalcyonSQLite

extension Connection {
    func insertName(of student: Student) throws(DatabaseError) {
        for key in NameKeys.keys(of: student.name) {
            try run(
                "INSERT INTO studentNames (key, seat, studentID) VALUES (?, ?, ?)",
                [.text(key), Value(student.seat.rank), Value(student.id)])
        }
    }

    /// Gives every student its keys if nobody has any: SQL alone cannot make them.
    func fillNames() throws(DatabaseError) {
        guard try areNamesMissing else { return }
        for student in try students(StudentQuery(), after: nil, limit: -1) { try insertName(of: student) }
    }

    var areNamesMissing: Bool {
        get throws(DatabaseError) {
            let sql = "SELECT EXISTS (SELECT 1 FROM students) AND NOT EXISTS (SELECT 1 FROM studentNames)"
            return try first(sql) { $0.int(0) } == 1
        }
    }

    /// Those in order of seats whose name fits. Costs what the names that begin alike cost, not what the school does.
    func students(
        _ query: StudentQuery, named pattern: NamePattern, after cursor: StudentCursor?, limit: Int
    ) throws(DatabaseError) -> [Student] {
        var lists: [[Student]] = []
        for range in pattern.ranges {
            let found = try students(query, in: range, after: cursor, limit: limit)
            if !found.isEmpty { lists.append(found) }
        }
        guard lists.count > 1 else { return lists.first ?? [] }
        let bySeat = Dictionary(lists.joined().map { ($0.seat.rank, $0) }, uniquingKeysWith: { first, _ in first })
        let ordered = bySeat.sorted { $0.key < $1.key }.map(\.value)
        return limit < 0 ? ordered : Array(ordered.prefix(limit))
    }

    private func students(
        _ query: StudentQuery, in range: NamePattern.Range, after cursor: StudentCursor?, limit: Int
    ) throws(DatabaseError) -> [Student] {
        var conditions = ["key >= ?", "key < ?"]
        var values: [Value] = [.text(range.lower), .text(range.upper)]
        if let glob = range.pattern {
            conditions.append("key GLOB ?")
            values.append(.text(glob))
        }
        if let grade = query.grade {
            let first = Student.Seat(grade: grade, classNumber: query.classNumber ?? 0, number: 0)
            let last = Student.Seat(grade: grade, classNumber: query.classNumber ?? 99, number: 99)
            conditions.append("seat BETWEEN ? AND ?")
            values += [Value(first.rank), Value(last.rank)]
        } else if let classNumber = query.classNumber {
            conditions.append("seat / 100 % 100 = ?")
            values.append(Value(classNumber))
        }
        if let cursor {
            conditions.append("seat > ?")
            values.append(Value(cursor.seat.rank))
        }
        let columns = Student.columns.split(separator: ",").map { "s.\($0.drop { $0 == " " })" }.joined(separator: ", ")
        return try all(
            """
            SELECT \(columns) FROM (
                SELECT studentID, seat FROM studentNames WHERE \(conditions.joined(separator: " AND "))
                \(range.mayRepeat ? "GROUP BY seat, studentID" : "") ORDER BY seat LIMIT ?
            ) found CROSS JOIN students s ON s.id = found.studentID ORDER BY found.seat
            """, values + [Value(limit)]
        ) { Student($0) }
    }
}
