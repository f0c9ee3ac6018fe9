/// Finds out which recorded student each row of a roster is.
///
/// An id that the rule gives to the row's seat (written in the file or made because the file has none) says where somebody
/// sits, not who it is: seats are dealt anew every year, ids by the rule with them. Such a row is the student of the same
/// name in the same seat; else the only student of the same name in the grade; else, within the year, the one whose id it
/// is, under another name. Any other id is that of a student, present or former; one by the rule that may have
/// become somebody else's counts with the name alone. Where a grade gets its first seats of the year, an id by the rule
/// becomes that of the new seat.
struct RosterMatch {
    struct Row {
        let line: Int
        /// As recorded afterwards, but for a photo that is kept here.
        let student: Student
        /// As recorded before, `nil` for a new student.
        let old: Student?
    }

    private(set) var rows: [Row] = []
    private(set) var problems: [RowProblem] = []

    private let school: RecordedSchool
    private let byID: [Int: Student]
    private let bySeat: [Student.Seat: Student]
    private var known: Set<Int> = []

    private struct Name: Hashable {
        let grade: Int
        let name: String

        init(_ student: Student) {
            grade = student.grade
            name = student.name
        }
    }

    init(_ roster: ParsedRoster, in school: RecordedSchool) {
        self.school = school
        byID = Dictionary(uniqueKeysWithValues: school.students.map { ($0.id, $0) })
        bySeat = Dictionary(uniqueKeysWithValues: school.students.map { ($0.seat, $0) })
        matchIDs(roster.rows.filter { $0.student.yearOfID == nil })
        let unseated = matchSeats(roster.rows.filter { $0.student.yearOfID != nil })
        for row in matchNames(unseated) { matchWithinYear(row) }
        rows.sort { $0.line < $1.line }
    }

    /// Rows with an id that is not of their own seat.
    private mutating func matchIDs(_ rows: [ParsedRoster.Row]) {
        for row in rows {
            let present = byID[row.student.id]
            let former = school.formerIDs[row.student.id].flatMap { byID[$0] }
            let namesakes = [present, former].compactMap(\.self).filter { $0.name == row.student.name }
            let holder = bySeat[row.student.seat].flatMap { $0.name == row.student.name ? $0 : nil }
            if let holder, holder.id == former?.id, present?.id != holder.id {
                // The file has been imported before: what named its id then has named it ever since.
                match(row, holder)
            } else if namesakes.count == 2 {
                report(
                    row, .id,
                    "it is that of one student of this name, and was that of another: leave the other ids "
                        + "out, or take them from a new export")
            } else if let namesake = namesakes.first {
                match(row, namesake)
            } else if let present, present.yearOfID == nil || former == nil && !isBeforeRoster(present) {
                match(row, present)
            } else if let holder, holder.yearOfID != nil {
                match(row, holder)
            } else if let other = present ?? former {
                report(
                    row, .id,
                    "student \(other.id), whose id this \(present == nil ? "was" : "is"), has another name and "
                        + "seat: leave the id out, or change the name first if it is this one")
            } else {
                add(row, old: nil)
            }
        }
    }

    private mutating func match(_ row: ParsedRoster.Row, _ student: Student) {
        guard known.insert(student.id).inserted else {
            return report(row, .id, "student \(student.id) is that of another row too")
        }
        add(row, old: student, isNewSeat: isBeforeRoster(row.student))
    }

    /// Those of the rows whose seat is not that of a student of the same name.
    private mutating func matchSeats(_ rows: [ParsedRoster.Row]) -> [ParsedRoster.Row] {
        var rest: [ParsedRoster.Row] = []
        for row in rows {
            if let holder = bySeat[row.student.seat], holder.name == row.student.name,
                isOpen(holder, for: row) || holder.id == row.student.id && !known.contains(holder.id)
            {
                add(row, old: holder)
            } else if let promoted = school.promotedYear, let year = row.student.yearOfID, year < promoted {
                report(row, .id, "an id of the school year \(year): the students have been promoted to \(promoted)")
            } else {
                rest.append(row)
            }
        }
        return rest
    }

    /// Those of the rows whose name nobody in the grade has.
    private mutating func matchNames(_ rows: [ParsedRoster.Row]) -> [ParsedRoster.Row] {
        let rowsByName = Dictionary(grouping: rows) { Name($0.student) }
        let studentsByName = Dictionary(grouping: school.students) { Name($0) }
        var rest: [ParsedRoster.Row] = []
        for row in rows {
            let name = Name(row.student)
            let candidates = (studentsByName[name] ?? []).filter { isOpen($0, for: row) }
            if candidates.isEmpty {
                rest.append(row)
            } else if candidates.count == 1, rowsByName[name]?.count == 1 {
                add(row, old: candidates[0])
            } else {
                let ids = candidates.map { String($0.id) }.joined(separator: ", ")
                report(
                    row, .name,
                    "several students of this grade have this name: give each the id under which it is "
                        + "recorded (\(ids))")
            }
        }
        return rest
    }

    private mutating func matchWithinYear(_ row: ParsedRoster.Row) {
        let holder = byID[row.student.id].flatMap { known.contains($0.id) ? nil : $0 }
        if let holder, isBeforeRoster(row.student) {
            report(
                row, .number,
                "the seat is still that of student \(holder.id), who is not in the file: remove that "
                    + "student if it has left, or change its name first if it is this one")
        } else {
            add(row, old: holder)
        }
    }

    private func isBeforeRoster(_ student: Student) -> Bool { school.gradesBeforeRoster.contains(student.grade) }

    /// Whether a row with an id by the rule may be this student: one whose id is of the same year, or free.
    private func isOpen(_ student: Student, for row: ParsedRoster.Row) -> Bool {
        !known.contains(student.id) && (student.yearOfID == nil || student.yearOfID == row.student.yearOfID)
    }

    private mutating func report(_ row: ParsedRoster.Row, _ column: RosterColumn, _ reason: String) {
        problems.append(RowProblem(line: row.line, column: column, reason: reason))
    }

    private mutating func add(_ row: ParsedRoster.Row, old: Student?, isNewSeat: Bool = false) {
        guard let old else {
            rows.append(Row(line: row.line, student: row.student, old: nil))
            return
        }
        known.insert(old.id)
        // A free id stays; one by the rule follows the seat.
        var student = row.student
        if old.yearOfID == nil || row.student.yearOfID == nil { student = student.withID(old.id) }
        if let year = old.yearOfID, isNewSeat { student = student.withID(row.student.idByRule(inYear: year)) }
        rows.append(Row(line: row.line, student: student.replacing(old), old: old))
    }
}
