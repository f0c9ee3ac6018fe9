/// The end of a prefetch: how many of each outcome, and each failure by student or URL with its reason.
struct PrefetchSummary: Sendable, Equatable {
    struct Failure: Sendable, Equatable {
        /// `student 202110107`, or the URL without its query.
        let subject: String
        let outcome: PrefetchOutcome
        let reason: String
    }

    let total: Int
    private(set) var counts: [PrefetchOutcome: Int] = [:]
    private(set) var failures: [Failure] = []
    private(set) var bytes = 0
    /// Fetched, but not in the caches now.
    private(set) var notKept = 0
    /// Options that would allow the hosts that are missing (`--allow-origin photos.school.example`), and how many photos
    /// wait for each.
    private(set) var missingOrigins: [String: Int] = [:]
    var isInterrupted = false

    init(total: Int) {
        self.total = total
    }

    mutating func add(_ result: PrefetchResult, subject: String) {
        counts[result.outcome, default: 0] += 1
        bytes += result.bytes
        if !result.isKept { notKept += 1 }
        if let origin = result.missingOrigin { missingOrigins[origin, default: 0] += 1 }
        // What was not reached has no story of its own.
        if result.outcome.isFailure, result.outcome != .notReached {
            failures.append(Failure(subject: subject, outcome: result.outcome, reason: result.reason))
        }
    }

    /// What nothing was added for was not reached: afterwards the counts add up to `total`.
    mutating func close() {
        let rest = total - counts.values.reduce(0, +)
        if rest > 0 { counts[.notReached, default: 0] += rest }
        failures.sort { ($0.subject, $0.reason) < ($1.subject, $1.reason) }
    }

    var failureCount: Int {
        counts.reduce(0) { $0 + ($1.key.isFailure ? $1.value : 0) }
    }

    var exitCode: ExitCode {
        if isInterrupted { return .interrupted }
        return failureCount > 0 || notKept > 0 ? .failed : .done
    }
}

extension PrefetchSummary {
    /// Longer lists are for `--json`.
    static let failuresShown = 50

    func text(elapsed: Duration) -> String {
        var lines = [
            "\(counted(total, "photo")) in \(Decimal.oneDigit(elapsed.inSeconds)) s, \(ByteSize.rounded(bytes)) fetched"
        ]
        let width = String(total).count
        for outcome in PrefetchOutcome.allCases {
            guard let count = counts[outcome], count > 0 else { continue }
            let number = String(repeating: " ", count: max(0, width - String(count).count)) + String(count)
            lines.append("  \(number)  \(outcome.label)")
        }
        if notKept > 0 {
            lines.append(
                "\(notKept) \(notKept == 1 ? "was" : "were") fetched but not kept: the disk failed, or the origin does not allow it"
            )
        }
        if !failures.isEmpty {
            lines.append("Not had:")
            lines += failures.prefix(Self.failuresShown).map { "  \($0.subject): \($0.outcome.label): \($0.reason)" }
            if failures.count > Self.failuresShown {
                lines.append("  … and \(failures.count - Self.failuresShown) more; --json lists all")
            }
        }
        lines += missingOrigins.sorted { $0.key < $1.key }.map { option, count in
            "the host of \(counted(count, "photo")) is not an allowed origin: add \(option)"
        }
        return lines.joined(separator: "\n")
    }

    func json(elapsed: Duration) -> JSONValue {
        var counts: [String: JSONValue] = [:]
        for outcome in PrefetchOutcome.allCases { counts[outcome.rawValue] = .integer(self.counts[outcome] ?? 0) }
        return [
            "total": .integer(total),
            "counts": .object(counts),
            "bytes": .integer(bytes),
            "seconds": .number((elapsed.inSeconds * 1000).rounded() / 1000),
            "notKept": .integer(notKept),
            "interrupted": .bool(isInterrupted),
            "missingOptions": .array(missingOrigins.keys.sorted().map(JSONValue.string)),
            "failures": .array(
                failures.map {
                    [
                        "subject": .string($0.subject), "outcome": .string($0.outcome.rawValue),
                        "reason": .string($0.reason),
                    ]
                }
            ),
        ]
    }
}
