/// Decides what a roster changes in what is recorded; changes nothing itself.
struct RosterImport {
    private(set) var report = ImportReport()
    private(set) var insertions: [Student] = []
    private(set) var updates: [Student] = []
    /// Students who change seats or ids. They leave theirs before anybody takes a new one, so that two may swap.
    private(set) var moves: [(old: Student, new: Student)] = []
    private(set) var changes: [RecordChange] = []
    /// Grades of which every student is in the roster.
    private(set) var completeGrades: Set<Int> = []

    init(_ roster: ParsedRoster, into school: RecordedSchool) {
        let existing = school.students
        let match = RosterMatch(roster, in: school)
        report.problems = roster.problems + match.problems
        let rows = withoutConflicts(match.rows, existing: existing)
        var photosBefore: Set<String> = []
        var result = Dictionary(uniqueKeysWithValues: existing.map { ($0.id, $0) })
        var missing = Dictionary(grouping: existing, by: \.grade).mapValues { Set($0.map(\.id)) }
        for row in rows {
            let student = row.student
            if let old = row.old {
                if old == student {
                    report.unchanged += 1
                } else if old.seat == student.seat, old.id == student.id {
                    updates.append(student)
                } else {
                    moves.append((old, student))
                }
                if let url = old.profileImageURL, url != student.profileImageURL { photosBefore.insert(url) }
                missing[old.grade]?.remove(old.id)
                result[old.id] = nil
            } else {
                insertions.append(student)
            }
            if row.old != student { changes.append(student.change(from: row.old)) }
            if let host = student.profileImageURL.flatMap({ StudentRules.host(ofURL: $0) }) {
                report.hosts[host, default: 0] += 1
            }
        }
        for row in rows { result[row.student.id] = row.student }
        completeGrades = Set(missing.filter(\.value.isEmpty).keys)
        report.added = insertions.count
        report.updated = updates.count + moves.count
        if !photosBefore.isEmpty {
            report.removedPhotoURLs = photosBefore.subtracting(result.values.compactMap(\.profileImageURL))
        }
    }

    mutating func markApplied() { report.isApplied = true }

    /// The rows whose seat and id are free once all of them are in. A row that drops out keeps its student where it was,
    /// which may take the seat from another row: so again until nothing drops out.
    private mutating func withoutConflicts(_ all: [RosterMatch.Row], existing: [Student]) -> [RosterMatch.Row] {
        let bySeat = Dictionary(uniqueKeysWithValues: existing.map { ($0.seat, $0) })
        let ids = Set(existing.map(\.id))
        let lines = Dictionary(
            all.compactMap { row in row.old.map { ($0.id, row.line) } }, uniquingKeysWith: { first, _ in first })
        var rows = all
        while true {
            let moving = Set(rows.compactMap(\.old?.id))
            var taken: Set<Int> = []
            var kept: [RosterMatch.Row] = []
            for row in rows {
                let id = row.student.id
                if let holder = bySeat[row.student.seat], holder.id != row.old?.id, !moving.contains(holder.id) {
                    let reason = Self.seatTaken(by: holder, for: row.student, line: lines[holder.id])
                    report.problems.append(RowProblem(line: row.line, column: .number, reason: reason))
                } else if !taken.insert(id).inserted || id != row.old?.id && ids.contains(id) && !moving.contains(id) {
                    report.problems.append(
                        RowProblem(line: row.line, column: .id, reason: "this id is that of another student"))
                } else {
                    kept.append(row)
                }
            }
            if kept.count == rows.count { break }
            rows = kept
        }
        report.problems.sort { $0.line < $1.line }
        return rows
    }

    /// - Parameter line: that of the holder's own row, which is bad.
    private static func seatTaken(by holder: Student, for student: Student, line: Int?) -> String {
        if let line {
            return "the seat is that of the student of line \(line), which stays where it is: mend that first"
        }
        if let year = holder.yearOfID, let next = student.yearOfID, year < next {
            return
                "the seat is that of student \(holder.id) in the school year \(year): if that has ended, promote the "
                + "students first"
        }
        return "the seat is that of student \(holder.id), whom no good row names: if it has left, remove it first; if "
            + "it is this one, give this row its id"
    }
}
