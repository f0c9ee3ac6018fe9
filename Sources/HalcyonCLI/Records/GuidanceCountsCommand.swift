internal import Foundation
internal import HalcyonRecords

extension Command {
    static let guidancesCounts = Command(
        path: ["guidances", "counts"], summary: "count the guidances of a period by pupil, class or reason",
        options: [
            Options.by.spec, Options.from.spec, Options.to.spec, Options.grade.spec, Options.classNumber.spec,
            Options.json.spec,
        ],
        details: [
            "Valid ones alone. --from and --to are days of local time, both in the period, or moments (ISO 8601)."
        ]
    ) { invocation in
        let settings = invocation.settings
        let from = settings[Options.from].flatMap { PeriodEnd.moment($0, isEnd: false) }
        let to = settings[Options.to].flatMap { PeriodEnd.moment($0, isEnd: true) }
        if let from, let to, from >= to {
            throw UsageError("guidances counts: the period ends before it begins; accepted is a --to after --from")
        }
        let counts = try await invocation.records().guidanceCounts(
            GuidanceCountQuery(
                by: settings[Options.by], from: from, to: to, grade: settings[Options.grade],
                classNumber: settings[Options.classNumber]))
        if settings[Options.json] {
            try invocation.console.printJSON(counts)
        } else {
            for count in counts { invocation.console.print("\(count.count)  \(count.subject)") }
            invocation.console.say(counted(counts.reduce(0) { $0 + $1.count }, "guidance"))
        }
        return .done
    }
}

extension GuidanceCount {
    fileprivate var subject: String {
        if let reason { return reason.rawValue }
        let seat = [grade, classNumber, number].compactMap { $0.map(String.init) }.joined(separator: "-")
        return name.map { "\(seat)  \($0)" } ?? seat
    }
}

extension ValueKind<String> {
    /// A day or a moment, kept as it is written: what it means depends on which end of a period it is.
    static var day: Self {
        Self(
            "DAY", accepted: PeriodEnd.accepted, parse: { PeriodEnd.moment($0, isEnd: false) == nil ? nil : $0 },
            write: { $0 })
    }
}
