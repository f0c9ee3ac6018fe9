internal import Glibc
internal import HalcyonHTTP
internal import HalcyonRecords

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

func importStudents(_ invocation: Invocation) async throws -> ExitCode {
    let settings = invocation.settings
    let bytes = try FileBytes.read(invocation.operands[0], what: "FILE", limit: RosterReader.limitBytes)
    let year = settings[Options.schoolYear]
    // A file that cannot be read leaves no database behind.
    var roster = try RosterReader.read(bytes, schoolYear: year ?? SchoolYear.current())
    let isDryRun = settings[Options.dryRun]
    // Rehearsed on a database that does not outlive it, if there is none yet.
    var rehearsal: DemoFolder?
    defer { rehearsal?.remove() }
    let records: RecordStore
    if isDryRun, access(settings[Options.database], F_OK) != 0 {
        let folder = try DemoFolder()
        rehearsal = folder
        records = try RecordStore(path: "\(folder.path)/records.sqlite")
    } else {
        records = try invocation.records(creating: true)
    }
    if let year, let promoted = try await records.promotedYear(), year < promoted {
        throw UsageError("students import: --school-year \(year): the students have been promoted to \(promoted)")
    }
    let thisYear = try await records.schoolYear()
    if year == nil, thisYear != SchoolYear.current() { roster = try RosterReader.read(bytes, schoolYear: thisYear) }
    let report = try await records.importRoster(roster, skipBad: settings[Options.skipBad], isDryRun: isDryRun)

    let policy = try settings.originPolicy()
    let missing = roster.rows.compactMap(\.student.profileImageURL).compactMap(policy.missingOption)
        .reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }

    if settings[Options.json] {
        invocation.console.print(report.json(roster, missingOptions: missing).text(isPretty: true))
    } else {
        for problem in report.problems { invocation.console.say(problem.description) }
        invocation.console.print(report.sentence(isDryRun: isDryRun))
        if !roster.ignoredColumns.isEmpty {
            invocation.console.say("columns not read: \(Shown.text(roster.ignoredColumns.joined(separator: ", ")))")
        }
        for (option, count) in missing.sorted(by: { $0.key < $1.key }) {
            invocation.console.say(
                "the host of \(counted(count, "photo")) is not an allowed origin yet: add \(option) to fetch them")
        }
    }
    return report.problems.isEmpty ? .done : .failed
}

func exportStudents(_ invocation: Invocation) async throws -> ExitCode {
    let settings = invocation.settings
    let bytes = try await invocation.records().exportRoster(
        encoding: settings[Options.encoding], hasByteOrderMark: settings[Options.byteOrderMark],
        grade: settings[Options.grade], classNumber: settings[Options.classNumber])
    try FileBytes.write(bytes, to: invocation.operands[0], console: invocation.console)
    return .done
}

extension ImportReport {
    fileprivate func sentence(isDryRun: Bool) -> String {
        let numbers = "\(added) added, \(updated) updated, \(unchanged) unchanged, \(problems.count) bad"
        if isApplied { return numbers }
        return isDryRun
            ? "nothing was imported (--dry-run); it would be: \(numbers)"
            : "nothing was imported; mend the rows above, or import the others with --skip-bad (\(numbers))"
    }

    fileprivate func json(_ roster: ParsedRoster, missingOptions: [String: Int]) -> JSONValue {
        [
            "applied": .bool(isApplied), "added": .integer(added), "updated": .integer(updated),
            "unchanged": .integer(unchanged), "encoding": .string(roster.encoding.rawValue),
            "ignoredColumns": .array(roster.ignoredColumns.map(JSONValue.string)),
            "missingOptions": .array(missingOptions.keys.sorted().map(JSONValue.string)),
            "origins": .object(hosts.mapValues(JSONValue.integer)),
            "problems": .array(
                problems.map {
                    [
                        "line": .integer($0.line), "column": $0.column.map(JSONValue.string) ?? .null,
                        "reason": .string($0.reason),
                    ]
                }),
        ]
    }
}
