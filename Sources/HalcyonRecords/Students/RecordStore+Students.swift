internal import HalcyonSQLite

extension RecordStore {
    package func student(id: Int) async throws(RecordError) -> Student? {
        try await read { try $0.student(id: id) }
    }

    package func student(grade: Int, classNumber: Int, number: Int) async throws(RecordError) -> Student? {
        try await read { connection in
            try connection.first(
                "SELECT \(Student.columns) FROM students WHERE grade = ? AND classNumber = ? AND number = ?",
                [Value(grade), Value(classNumber), Value(number)]
            ) { Student($0) }
        }
    }

    /// `nil` if there is no such student.
    package func photoSource(forStudent id: Int) async throws(RecordError) -> PhotoSource? {
        try await student(id: id).map { PhotoSource($0) }
    }

    /// - Throws: ``RecordError/invalid(field:accepted:)`` for a `limit` or `after` that no page can have.
    package func students(matching query: StudentQuery) async throws(RecordError) -> StudentPage {
        let range = StudentQuery.limitRange
        guard range.contains(query.limit) else {
            throw .invalid(field: "limit", accepted: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        let cursor: StudentCursor? = if let after = query.after { try StudentCursor(after) } else { nil }
        // One more than asked for tells whether there is a next page.
        let found = try await read { try $0.students(query, after: cursor, limit: query.limit + 1) }
        guard found.count > query.limit else { return StudentPage(students: found, next: nil) }
        let students = Array(found.dropLast())
        return StudentPage(students: students, next: students.last.map { StudentCursor($0).text })
    }

    /// Every student of the school, of a grade or of a class, in order.
    package func allStudents(grade: Int? = nil, classNumber: Int? = nil) async throws(RecordError) -> [Student] {
        try await read { try $0.students(StudentQuery(grade: grade, classNumber: classNumber), after: nil, limit: -1) }
    }

    package func totals() async throws(RecordError) -> SchoolTotals {
        try await read { connection in
            var totals = SchoolTotals()
            try connection.run("SELECT grade, classNumber, count(*) FROM students GROUP BY grade, classNumber") { row in
                totals.add(grade: row.int(0), classNumber: row.int(1), students: row.int(2))
            }
            return totals
        }
    }

    /// - Throws: ``RecordError/conflict(field:)`` with `id`, or `number` for the seat.
    package func add(_ student: Student) async throws(RecordError) {
        try await write { connection, changes in
            guard try connection.student(id: student.id) == nil else { throw RecordError.conflict(field: "id") }
            try connection.requireFreeSeat(for: student)
            try connection.insert(student)
            changes.append(RecordChange(.students, .created, record: student.id))
        }
    }

    /// Replaces every field of the student with this id; a photo that is kept here goes only if another URL is given.
    /// Answers the student as it was.
    ///
    /// - Throws: ``RecordError/notFound``, or ``RecordError/conflict(field:)`` with `number` for the seat.
    @discardableResult
    package func update(_ student: Student) async throws(RecordError) -> Student {
        try await write { connection, changes in
            guard let old = try connection.student(id: student.id) else { throw RecordError.notFound }
            let student = student.replacing(old)
            guard old != student else { return old }
            try connection.requireFreeSeat(for: student)
            try connection.update(student)
            changes.append(student.change(from: old))
            return old
        }
    }

    /// Changes what the patch names and leaves the rest, in one transaction. Answers the student before and after.
    ///
    /// - Throws: ``RecordError/notFound``, ``RecordError/conflict(field:)`` with `number` for the seat, or
    ///   ``RecordError/invalid(field:accepted:)``.
    package func changeStudent(
        id: Int, _ patch: StudentPatch
    ) async throws(RecordError) -> (before: Student, after: Student) {
        try await write { connection, changes in
            guard let old = try connection.student(id: id) else { throw RecordError.notFound }
            let student = try patch.applied(to: old)
            guard old != student else { return (old, old) }
            try connection.requireFreeSeat(for: student)
            try connection.update(student)
            changes.append(student.change(from: old))
            return (old, student)
        }
    }

    /// Removes the student and everything recorded about it. Answers the student as it was.
    ///
    /// - Throws: ``RecordError/notFound``.
    @discardableResult
    package func removeStudent(id: Int) async throws(RecordError) -> Student {
        try await write { connection, changes in
            guard let old = try connection.student(id: id) else { throw RecordError.notFound }
            let guidances = try connection.all("DELETE FROM guidances WHERE studentID = ? RETURNING id", [Value(id)]) {
                $0.int(0)
            }
            changes += guidances.map { RecordChange(.guidances, .removed, record: $0) }
            try connection.run("DELETE FROM students WHERE id = ?", [Value(id)])
            changes.append(RecordChange(.students, .removed, record: id))
            return old
        }
    }
}

extension Connection {
    func student(id: Int) throws(DatabaseError) -> Student? {
        try first("SELECT \(Student.columns) FROM students WHERE id = ?", [Value(id)]) { Student($0) }
    }

    /// - Parameter limit: negative for all.
    func students(_ query: StudentQuery, after cursor: StudentCursor?, limit: Int) throws(DatabaseError) -> [Student] {
        if let name = query.nameQuery, let pattern = NamePattern(name) {
            return try students(query, named: pattern, after: cursor, limit: limit)
        }
        var conditions: [String] = []
        var values: [Value] = []
        if let grade = query.grade {
            conditions.append("grade = ?")
            values.append(Value(grade))
        }
        if let classNumber = query.classNumber {
            conditions.append("classNumber = ?")
            values.append(Value(classNumber))
        }
        if let cursor {
            conditions.append("(grade, classNumber, number) > (?, ?, ?)")
            values += cursor.seat.numbers.map { Value($0) }
        }
        let filter = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        let sql = "SELECT \(Student.columns) FROM students \(filter) ORDER BY grade, classNumber, number LIMIT ?"
        return try all(sql, values + [Value(limit)]) { Student($0) }
    }

    func insert(_ student: Student) throws(DatabaseError) {
        try run("INSERT INTO students (\(Student.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)", student.values)
        try insertName(of: student)
    }

    func update(_ student: Student) throws(DatabaseError) {
        try run(
            """
            UPDATE students SET grade = ?2, classNumber = ?3, number = ?4, name = ?5, profileImageURL = ?6, photo = ?7
            WHERE id = ?1
            """,
            student.values)
        try run("DELETE FROM studentNames WHERE studentID = ?", [Value(student.id)])
        try insertName(of: student)
    }

    fileprivate func requireFreeSeat(for student: Student) throws {
        let holder = try first(
            "SELECT id FROM students WHERE grade = ? AND classNumber = ? AND number = ?",
            [Value(student.grade), Value(student.classNumber), Value(student.number)]
        ) { $0.int(0) }
        guard holder == nil || holder == student.id else { throw RecordError.conflict(field: "number") }
    }
}
