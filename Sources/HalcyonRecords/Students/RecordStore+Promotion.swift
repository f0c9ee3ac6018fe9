internal import HalcyonSQLite

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension RecordStore {
    /// The school year's end, in one transaction: every student goes up one grade and keeps class and number until the new
    /// roster is imported; those of the last grade leave, and their guidances with them. Ids by the rule become those of the
    /// new year and keep their guidances; free ids stay.
    ///
    /// - Parameters:
    ///   - year: the school year that begins.
    ///   - lastGrade: `nil` for the highest in which there is somebody.
    ///   - isAgain: also for a year to which students have been promoted, or which ids name, already.
    /// - Throws: ``RecordError/refused(_:)`` for a promotion that looks like a mistake.
    package func promoteStudents(
        toYear year: Int, lastGrade: Int? = nil, isAgain: Bool = false, isDryRun: Bool = false, now: Date = Date()
    ) async throws(RecordError) -> PromotionReport {
        try await write { connection, changes in
            let students = try connection.students(StudentQuery(), after: nil, limit: -1)
            guard let highest = students.last?.grade else { throw RecordError.refused("there are no students") }
            let lastGrade = lastGrade ?? highest
            guard lastGrade >= highest else {
                throw RecordError.refused("there are students of grade \(highest), which is above \(lastGrade)")
            }
            if !isAgain { try connection.requireFirstPromotion(of: students, to: year) }

            var report = PromotionReport(year: year, lastGrade: lastGrade)
            for (grade, members) in Dictionary(grouping: students, by: \.grade).sorted(by: { $0.key < $1.key }) {
                report.grades.append(
                    .init(grade: grade, students: members.count, next: grade < lastGrade ? grade + 1 : nil))
            }
            report.leavers = students.filter { $0.grade >= lastGrade }
            let staying = students.filter { $0.grade < lastGrade }
            let ids = staying.map { $0.id(inYear: year, grade: $0.grade + 1) }
            report.renumbered = zip(staying, ids).count { $0.id != $1 }
            report.removedGuidances =
                try connection.first(
                    "SELECT count(*) FROM guidances WHERE grade >= ?", [Value(lastGrade)], read: { $0.int(0) }) ?? 0
            guard Set(ids).count == ids.count else {
                throw RecordError.refused("a free id is one that the rule gives another student in \(year)")
            }
            guard !isDryRun else { return report }

            changes += try connection.removeStudents(fromGrade: lastGrade)
            try connection.run("DELETE FROM studentNames")
            // The highest grade first: it leaves the seats, and ids of the year, that the one below takes.
            for (student, id) in zip(staying, ids).reversed() {
                try connection.run(
                    "UPDATE students SET id = ?, grade = grade + 1 WHERE id = ?", [Value(id), Value(student.id)])
                changes.append(
                    RecordChange(
                        .students, .changed, record: id, fields: id == student.id ? ["grade"] : ["id", "grade"]))
            }
            try connection.rememberFormerIDs(zip(staying, ids).map { (former: $0.id, id: $1) })
            try connection.fillNames()
            try connection.run(
                "INSERT INTO promotions (year, at) VALUES (?, ?)", [Value(year), Value(now.milliseconds)])
            try connection.run("DELETE FROM gradesBeforeRoster")
            try connection.run("INSERT INTO gradesBeforeRoster SELECT DISTINCT grade FROM students")
            report.isApplied = true
            return report
        }
    }

    /// Those of the URLs that are no student's photo any more: copies of them may be dropped.
    package func photoURLs(nobodyHas urls: Set<String>) async throws(RecordError) -> Set<String> {
        try await read { connection in
            var unused = urls
            for url in urls
            where try connection.first(
                "SELECT 1 FROM students WHERE profileImageURL = ? LIMIT 1", [.text(url)], read: { $0.int(0) }) != nil
            {
                unused.remove(url)
            }
            return unused
        }
    }
}

extension RecordStore {
    /// The school year that new ids are made of: that of the last promotion, or of today where that is later.
    package func schoolYear(now: Date = Date()) async throws(RecordError) -> Int {
        max(SchoolYear.current(now: now), try await promotedYear() ?? 0)
    }

    /// The school year to which students were promoted last, `nil` if they never were.
    package func promotedYear() async throws(RecordError) -> Int? {
        try await read { connection in try connection.promotedYear() }
    }
}

extension Connection {
    func promotedYear() throws(DatabaseError) -> Int? {
        try first("SELECT max(year) FROM promotions", read: { $0.optionalInt(0) }) ?? nil
    }

    fileprivate func requireFirstPromotion(of students: [Student], to year: Int) throws {
        if let last = try promotedYear(), last >= year {
            throw RecordError.refused("the students have been promoted to the school year \(last) already")
        }
        let count = students.count { $0.yearOfID.map { $0 >= year } ?? false }
        guard count == 0 else {
            throw RecordError.refused("the ids of \(count) students are of the school year \(year) or later already")
        }
    }

    fileprivate func removeStudents(fromGrade grade: Int) throws(DatabaseError) -> [RecordChange] {
        let guidances = try all("DELETE FROM guidances WHERE grade >= ? RETURNING id", [Value(grade)]) { $0.int(0) }
        let students = try all("DELETE FROM students WHERE grade >= ? RETURNING id", [Value(grade)]) { $0.int(0) }
        return guidances.map { RecordChange(.guidances, .removed, record: $0) }
            + students.map { RecordChange(.students, .removed, record: $0) }
    }
}
