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

    init(_ roster: ParsedRoster, existing: [Student], gradesBeforeRoster: Set<Int>) {
        let match = RosterMatch(roster, existing: existing, gradesBeforeRoster: gradesBeforeRoster)
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
        let bySeat = Dictionary(uniqueKeysWithValues: existing.map { ($0.seat, $0.id) })
        let ids = Set(existing.map(\.id))
        var rows = all
        while true {
            let moving = Set(rows.compactMap(\.old?.id))
            var taken: Set<Int> = []
            var kept: [RosterMatch.Row] = []
            for row in rows {
                let holder = bySeat[row.student.seat]
                let id = row.student.id
                if let holder, holder != row.old?.id, !moving.contains(holder) {
                    report.problems.append(
                        RowProblem(
                            line: row.line, column: .number,
                            reason:
                                "the seat (grade, class, number) is recorded for another id: give this row that id, or remove that student"
                        ))
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
}
