internal import HalcyonSQLite

extension RecordStore {
    /// Adds the students of the roster and updates those already recorded, in one transaction. Students who are not in it
    /// stay as they are. Two students may swap seats.
    ///
    /// - Parameters:
    ///   - skipBad: import the good rows even if others are bad; otherwise nothing is written unless all are good.
    ///   - isDryRun: only say what would happen.
    package func importRoster(
        _ roster: ParsedRoster, skipBad: Bool = false, isDryRun: Bool = false
    ) async throws(RecordError) -> ImportReport {
        try await write { connection, changes in
            var plan = RosterImport(roster, into: try connection.recordedSchool())
            guard !isDryRun, skipBad || plan.report.problems.isEmpty else { return plan.report }
            try connection.vacate(plan.moves)
            for student in plan.updates { try connection.update(student) }
            for student in plan.insertions { try connection.insert(student) }
            try connection.settle(plan.moves)
            try connection.rememberFormerIDs(plan.moves.map { (former: $0.old.id, id: $0.new.id) })
            for grade in plan.completeGrades {
                try connection.run("DELETE FROM gradesBeforeRoster WHERE grade = ?", [Value(grade)])
            }
            changes = plan.changes
            plan.markApplied()
            return plan.report
        }
    }

    /// The roster as CSV (RFC 4180, CRLF) with every column, in order of grade, class, number.
    ///
    /// Text is written as it is recorded: importing the file again changes nothing. A spreadsheet may take a name that
    /// begins with `=`, `+`, `-` or `@` for a formula; such names are not altered.
    ///
    /// - Throws: ``RecordError/roster(_:)`` naming the student whose text `encoding` cannot express.
    package func exportRoster(
        encoding: RosterEncoding = .utf8, hasByteOrderMark: Bool = false, grade: Int? = nil, classNumber: Int? = nil
    ) async throws(RecordError) -> [UInt8] {
        let students = try await allStudents(grade: grade, classNumber: classNumber)
        return try RosterWriter.write(students, encoding: encoding, hasByteOrderMark: hasByteOrderMark)
    }
}

extension Connection {
    fileprivate func recordedSchool() throws(DatabaseError) -> RecordedSchool {
        let students = try students(StudentQuery(), after: nil, limit: -1)
        let grades = try all("SELECT grade FROM gradesBeforeRoster") { $0.int(0) }
        let formerIDs = try all("SELECT former, studentID FROM formerIDs") { ($0.int(0), $0.int(1)) }
        return RecordedSchool(
            students: students, formerIDs: Dictionary(uniqueKeysWithValues: formerIDs),
            gradesBeforeRoster: Set(grades), promotedYear: try promotedYear())
    }

    /// Of two students the last who had an id is remembered by it.
    func rememberFormerIDs(_ ids: [(former: Int, id: Int)]) throws(DatabaseError) {
        for (former, id) in ids where former != id {
            try run("INSERT OR REPLACE INTO formerIDs (former, studentID) VALUES (?, ?)", [Value(former), Value(id)])
        }
    }

    /// Takes students out of their seats and ids. Whatever refers to a student finds it again at the commit, which is when
    /// foreign keys are checked; guidances of those who get another id, and former ids, wait under the negative of the old one.
    fileprivate func vacate(_ moves: [(old: Student, new: Student)]) throws(DatabaseError) {
        for (old, new) in moves {
            if old.id != new.id {
                try run("UPDATE guidances SET studentID = -studentID WHERE studentID = ?", [Value(old.id)])
            }
            try run("UPDATE formerIDs SET studentID = -studentID WHERE studentID = ?", [Value(old.id)])
            try run("DELETE FROM students WHERE id = ?", [Value(old.id)])
        }
    }

    fileprivate func settle(_ moves: [(old: Student, new: Student)]) throws(DatabaseError) {
        for (old, new) in moves {
            if old.id != new.id {
                try run("UPDATE guidances SET studentID = ? WHERE studentID = ?", [Value(new.id), Value(-old.id)])
            }
            try insert(new)
            try run("UPDATE formerIDs SET studentID = ? WHERE studentID = ?", [Value(new.id), Value(-old.id)])
        }
    }
}
