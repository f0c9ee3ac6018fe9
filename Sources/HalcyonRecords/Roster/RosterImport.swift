/// Decides what a roster changes in what is recorded; changes nothing itself.
struct RosterImport {
    private(set) var report = ImportReport()
    private(set) var insertions: [Student] = []
    private(set) var updates: [Student] = []
    /// Students who change seats. They leave theirs before anybody takes a new one, so that two may swap.
    private(set) var moves: [Student] = []
    private(set) var changes: [RecordChange] = []

    init(_ roster: ParsedRoster, existing: [Student]) {
        let byID = Dictionary(uniqueKeysWithValues: existing.map { ($0.id, $0) })
        let rows = withoutConflicts(roster, existing: existing)
        var photosBefore: Set<String> = []
        var result = byID
        for row in rows {
            let old = byID[row.student.id]
            let student = old.map { row.student.replacing($0) } ?? row.student
            if old == nil {
                insertions.append(student)
            } else if old == student {
                report.unchanged += 1
            } else if old?.seat == student.seat {
                updates.append(student)
            } else {
                moves.append(student)
            }
            if old != student { changes.append(student.change(from: old)) }
            if let url = old?.profileImageURL, url != student.profileImageURL { photosBefore.insert(url) }
            if let host = student.profileImageURL.flatMap({ StudentRules.host(ofURL: $0) }) {
                report.hosts[host, default: 0] += 1
            }
            result[student.id] = student
        }
        report.added = insertions.count
        report.updated = updates.count + moves.count
        if !photosBefore.isEmpty {
            report.removedPhotoURLs = photosBefore.subtracting(result.values.compactMap(\.profileImageURL))
        }
    }

    mutating func markApplied() { report.isApplied = true }

    /// The rows whose seat is free once all of them are in. A row that drops out keeps its student where it was, which may
    /// take the seat from another row: so again until nothing drops out.
    private mutating func withoutConflicts(_ roster: ParsedRoster, existing: [Student]) -> [ParsedRoster.Row] {
        let holders = Dictionary(uniqueKeysWithValues: existing.map { ($0.seat, $0.id) })
        var rows = roster.rows
        report.problems = roster.problems
        while true {
            let ids = Set(rows.map(\.student.id))
            let good = rows.filter { row in
                guard let holder = holders[row.student.seat], holder != row.student.id else { return true }
                return ids.contains(holder)
            }
            if good.count == rows.count { break }
            let kept = Set(good.map(\.line))
            for row in rows where !kept.contains(row.line) {
                let reason =
                    "the seat (grade, class, number) is recorded for another id: give this row that id, or remove that student"
                report.problems.append(RowProblem(line: row.line, column: .number, reason: reason))
            }
            rows = good
        }
        report.problems.sort { $0.line < $1.line }
        return rows
    }
}
