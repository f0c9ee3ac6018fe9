/// How far a prefetch has come. A value: the clock is a parameter, so that drawing can be tested without waiting.
struct ProgressState: Sendable, Equatable {
    let total: Int
    var done = 0
    var failures = 0
    var bytes = 0
    /// Since the start.
    var elapsed = Duration.zero

    /// Photos a second since the start; `nil` before there is anything to tell.
    var rate: Double? {
        guard done > 0, elapsed > .zero else { return nil }
        return Double(done) / elapsed.inSeconds
    }

    /// At the rate so far; `nil` before there is one.
    var timeLeft: Duration? {
        guard let rate, total >= done else { return nil }
        return .seconds(Double(total - done) / rate)
    }

    var percent: Int { total == 0 ? 100 : done * 100 / total }
}

extension ProgressState {
    /// One line of at most `width - 1` columns (a full last column makes some terminals wrap). What matters least goes
    /// first when there is little room: the bar, the rate, the bytes.
    func bar(width: Int) -> String {
        let count = "\(done)/\(total)"
        let share = "\(percent)%"
        let left = timeLeft.map { "\(DurationText.clock($0)) left" } ?? "-:-- left"
        let failed = failures > 0 ? ["\(failures) failed"] : []
        let speed = rate.map { ["\(Decimal.oneDigit($0))/s"] } ?? []
        let size = [ByteSize.rounded(bytes)]
        let candidates = [
            [count, share] + size + speed + failed + [left],
            [count, share] + size + failed + [left],
            [count, share] + failed + [left],
            [count, share] + failed,
            [count] + failed,
            [count],
        ].map { $0.joined(separator: "  ") }
        let room = max(1, width - 1)
        let text = candidates.first { $0.count <= room } ?? String(count.prefix(room))
        let cells = min(40, room - text.count - 4)
        guard cells >= 10 else { return text }
        let filled = total == 0 ? cells : cells * done / total
        return "[\(String(repeating: "#", count: filled))\(String(repeating: "-", count: cells - filled))]  \(text)"
    }

    /// For logs and pipes.
    var line: String {
        var parts = ["prefetch: \(done)/\(total) (\(percent)%)", ByteSize.rounded(bytes)]
        if let rate { parts.append("\(Decimal.oneDigit(rate))/s") }
        parts.append("\(failures) failed")
        if let timeLeft, done < total { parts.append("\(DurationText.clock(timeLeft)) left") }
        return parts.joined(separator: ", ")
    }

    var json: JSONValue {
        [
            "event": "progress", "done": .integer(done), "total": .integer(total), "failed": .integer(failures),
            "bytes": .integer(bytes), "seconds": .number((elapsed.inSeconds * 1000).rounded() / 1000),
        ]
    }
}
