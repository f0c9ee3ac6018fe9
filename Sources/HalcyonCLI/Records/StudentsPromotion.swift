internal import HalcyonRecords
internal import HalcyonServer

extension Command {
    static let studentsPromote = Command(
        path: ["students", "promote"], summary: "end the school year: everybody up a grade, the last grade leaves",
        options: [
            Options.year.spec, Options.lastGrade.spec, Options.again.spec, Options.yes.spec, Options.dryRun.spec,
            Options.json.spec,
        ],
        details: [
            "Pupils keep class and number until the new roster is imported. Those of the last grade are removed with their "
                + "guidances and photos. An id made of school year, grade, class and number becomes that of the new year and "
                + "keeps its guidances; any other id stays. See docs/operations.md.",
            "Without --yes it only says what it would do. A second promotion to the same year, or to one that ids name "
                + "already, is refused unless --year or --again says that it is meant.",
        ],
        run: promoteStudents
    )
}

private func promoteStudents(_ invocation: Invocation) async throws -> ExitCode {
    let settings = invocation.settings
    let isDryRun = settings[Options.dryRun] || !settings[Options.yes]
    let records = try invocation.records()
    let year = settings[Options.year] ?? SchoolYear.nearest()
    let report = try await records.promoteStudents(
        toYear: year, lastGrade: settings[Options.lastGrade], isAgain: settings[Options.again], isDryRun: isDryRun)
    let dropped =
        isDryRun ? 0 : try await invocation.dropPhotos(StalePhotos(of: report.leavers, records: records))
    if settings[Options.json] {
        invocation.console.print(report.json(droppedPhotos: dropped).text(isPretty: true))
        return .done
    }
    invocation.console.print(report.text(isLastGradeGiven: settings[Options.lastGrade] != nil, droppedPhotos: dropped))
    if isDryRun { invocation.console.say("nothing was changed; --yes does it") }
    return .done
}

extension Invocation {
    /// From the caches of this folder, and so from those of a running server. Where there is no cache there is nothing to
    /// drop.
    func dropPhotos(_ photos: StalePhotos) async throws -> Int {
        guard !photos.isEmpty, hasCache else { return 0 }
        return try await withPipeline(logger: logger(isQuiet: true)) { try await photos.drop(from: $0) }
    }
}

extension PromotionReport {
    fileprivate func text(isLastGradeGiven: Bool, droppedPhotos: Int) -> String {
        var lines = [
            "school year \(year); the last grade is \(lastGrade)"
                + (isLastGradeGiven ? "" : ", the highest in which there is somebody (--last-grade says otherwise)")
        ]
        lines += grades.map { grade in
            "grade \(grade.grade): \(counted(grade.students, "student")) "
                + (grade.next.map { "to grade \($0)" } ?? "leave")
        }
        lines.append(
            "\(counted(renumbered, "id")) of the new year, \(counted(removedGuidances, "guidance")) of those who leave removed"
                + (isApplied ? ", \(counted(droppedPhotos, "photo")) dropped from the caches" : ""))
        return lines.joined(separator: "\n")
    }

    fileprivate func json(droppedPhotos: Int) -> JSONValue {
        [
            "applied": .bool(isApplied), "year": .integer(year), "lastGrade": .integer(lastGrade),
            "grades": .array(
                grades.map {
                    [
                        "grade": .integer($0.grade), "students": .integer($0.students),
                        "next": $0.next.map(JSONValue.integer) ?? .null,
                    ]
                }),
            "leavers": .integer(leavers.count), "renumbered": .integer(renumbered),
            "removedGuidances": .integer(removedGuidances), "droppedPhotos": .integer(droppedPhotos),
        ]
    }
}
