/// Durations as people write them: `250ms`, `15s`, `10m`, `1h30m`, `30d`, or `0`.
enum DurationText {
    static let accepted = "a duration with ms, s, m, h or d, such as 90s, 10m or 7d"

    /// A century: longer is a slip of the finger, and keeps every later sum far from overflow.
    private static let maximumMilliseconds = 36_525 * 86_400_000

    private static let units: [(suffix: String, milliseconds: Int)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    /// `nil` for a number without a unit (other than 0), a sign, or more than a century.
    static func parse(_ text: some StringProtocol) -> Duration? {
        if text == "0" { return .zero }
        var rest = Substring(text.lowercased())
        var milliseconds = 0
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard let count = Int(digits) else { return nil }
            rest = rest.dropFirst(digits.count)
            let name = rest.prefix { $0.isLetter }
            guard let unit = units.first(where: { $0.suffix == name }) else { return nil }
            rest = rest.dropFirst(name.count)
            let (part, overflows) = count.multipliedReportingOverflow(by: unit.milliseconds)
            guard !overflows, part <= maximumMilliseconds - milliseconds else { return nil }
            milliseconds += part
        }
        return .milliseconds(milliseconds)
    }

    /// Exact, in the largest unit that divides the duration (minutes from ten on: 300s is no clearer as 5m): what `parse`
    /// reads back as the same duration.
    static func exact(_ duration: Duration) -> String {
        let milliseconds = duration.milliseconds
        for unit in units.reversed() where milliseconds != 0 && milliseconds.isMultiple(of: unit.milliseconds) {
            let count = milliseconds / unit.milliseconds
            if unit.suffix != "m" || count >= 10 { return "\(count)\(unit.suffix)" }
        }
        return milliseconds == 0 ? "0" : "\(milliseconds)ms"
    }

    /// Rounded for the eye: `0:07`, `12:30`, `3:05:00`.
    static func clock(_ duration: Duration) -> String {
        let seconds = max(0, Int(duration.components.seconds))
        let (minutes, second) = (seconds / 60 % 60, seconds % 60)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        return seconds >= 3600
            ? "\(seconds / 3600):\(two(minutes)):\(two(second))" : "\(minutes):\(two(second))"
    }
}

extension Duration {
    /// Whole milliseconds, towards zero.
    var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }

    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
