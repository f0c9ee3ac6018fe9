/// Finds out which recorded student each row of a roster is.
///
/// An id that the rule gives to the row's seat (written in the file or made because the file has none) says where somebody
/// sits, not who it is: seats are dealt anew every year, ids by the rule with them. Such a row is the student of the same
/// name in the same seat; else the only student of the same name in the grade; else, within the year, the one whose id it
/// is, under another name. Any other id is the student's own, whatever else the row says; but where a grade gets its
/// first seats of the year, an id that was by the rule becomes that of the new seat.
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

    private struct Name: Hashable {
        let grade: Int
        let name: String

        init(_ student: Student) {
            grade = student.grade
            name = student.name
        }
    }

    /// - Parameter gradesBeforeRoster: grades that have been promoted and whose seats are still those of the year before.
    init(_ roster: ParsedRoster, existing: [Student], gradesBeforeRoster: Set<Int>) {
        let byID = Dictionary(uniqueKeysWithValues: existing.map { ($0.id, $0) })
        let bySeat = Dictionary(uniqueKeysWithValues: existing.map { ($0.seat, $0) })
        var known: Set<Int> = []
        var open: [ParsedRoster.Row] = []
        var named: [ParsedRoster.Row] = []
        for row in roster.rows {
            if row.student.yearOfID == nil {
                // What named its id once has named it ever since, though its id may follow a new seat.
                let holder = bySeat[row.student.seat].flatMap { $0.name == row.student.name ? $0 : nil }
                let isNewSeat = gradesBeforeRoster.contains(row.student.grade)
                add(
                    row, old: byID[row.student.id] ?? (holder?.yearOfID == nil ? nil : holder), isNewSeat: isNewSeat,
                    &known)
            } else {
                open.append(row)
            }
        }
        for row in open {
            if let holder = bySeat[row.student.seat], holder.name == row.student.name, isOpen(holder, for: row, known) {
                add(row, old: holder, &known)
            } else {
                named.append(row)
            }
        }
        let rowsByName = Dictionary(grouping: named) { Name($0.student) }
        let studentsByName = Dictionary(grouping: existing) { Name($0) }
        var unnamed: [ParsedRoster.Row] = []
        for row in named {
            let name = Name(row.student)
            let candidates = (studentsByName[name] ?? []).filter { isOpen($0, for: row, known) }
            if candidates.isEmpty {
                unnamed.append(row)
            } else if candidates.count == 1, rowsByName[name]?.count == 1 {
                add(row, old: candidates[0], &known)
            } else {
                let reason =
                    "several students of this grade have this name: give each the id under which it is recorded"
                problems.append(RowProblem(line: row.line, column: .name, reason: reason))
            }
        }
        for row in unnamed {
            let holder = byID[row.student.id].flatMap { known.contains($0.id) ? nil : $0 }
            if holder == nil || !gradesBeforeRoster.contains(row.student.grade) {
                add(row, old: holder, &known)
            } else {
                let reason =
                    "the seat is still that of a student who is not in the file: remove that student if it has left, "
                    + "or change its name first if it is this one"
                problems.append(RowProblem(line: row.line, column: .number, reason: reason))
            }
        }
        rows.sort { $0.line < $1.line }
    }

    /// Whether a row with an id by the rule may be this student: one whose id is of the same year, or free.
    private func isOpen(_ student: Student, for row: ParsedRoster.Row, _ known: Set<Int>) -> Bool {
        !known.contains(student.id) && (student.yearOfID == nil || student.yearOfID == row.student.yearOfID)
    }

    private mutating func add(
        _ row: ParsedRoster.Row, old: Student?, isNewSeat: Bool = false, _ known: inout Set<Int>
    ) {
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
