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
    /// Copies that were fetched but could not be written to disk.
    private(set) var notStored = 0
    /// Hosts that `--allow-origin` does not name, and how many photos wait for each.
    private(set) var missingHosts: [String: Int] = [:]
    var isInterrupted = false

    init(total: Int) {
        self.total = total
    }

    mutating func add(
        _ outcome: PrefetchOutcome, bytes: Int = 0, subject: String = "", reason: String = "",
        missingHost: String? = nil,
        isStored: Bool = true
    ) {
        counts[outcome, default: 0] += 1
        self.bytes += bytes
        if !isStored { notStored += 1 }
        if let missingHost { missingHosts[missingHost, default: 0] += 1 }
        if outcome.isFailure { failures.append(Failure(subject: subject, outcome: outcome, reason: reason)) }
    }

    /// What nothing was added for was not reached: afterwards the counts add up to `total`.
    mutating func close() {
        let rest = total - counts.values.reduce(0, +)
        if rest > 0 { counts[.notReached, default: 0] += rest }
    }

    var failureCount: Int {
        counts.reduce(0) { $0 + ($1.key.isFailure ? $1.value : 0) }
    }

    var exitCode: ExitCode {
        if isInterrupted { return .interrupted }
        return failureCount > 0 || notStored > 0 ? .failed : .done
    }
}

extension PrefetchSummary {
    /// Longer lists are for `--json`.
    static let failuresShown = 50

    func text(elapsed: Duration) -> String {
        var lines = ["\(total) photos in \(Decimal.oneDigit(elapsed.inSeconds)) s, \(ByteSize.rounded(bytes)) fetched"]
        let width = String(total).count
        for outcome in PrefetchOutcome.allCases {
            guard let count = counts[outcome], count > 0 else { continue }
            let number = String(repeating: " ", count: max(0, width - String(count).count)) + String(count)
            lines.append("  \(number)  \(outcome.label)")
        }
        if notStored > 0 { lines.append("\(notStored) could not be written to disk") }
        if !failures.isEmpty {
            lines.append("Not had:")
            lines += failures.prefix(Self.failuresShown).map { "  \($0.subject): \($0.outcome.label): \($0.reason)" }
            if failures.count > Self.failuresShown {
                lines.append("  … and \(failures.count - Self.failuresShown) more; --json lists all")
            }
        }
        lines += missingHosts.sorted { $0.key < $1.key }.map { host, count in
            "\(host) is not an allowed origin (\(count) photos): add --allow-origin \(host)"
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
            "notStored": .integer(notStored),
            "interrupted": .bool(isInterrupted),
            "missingOrigins": .array(missingHosts.keys.sorted().map(JSONValue.string)),
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
