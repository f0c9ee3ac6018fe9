/// One field of a cron expression: the set of values that it names.
struct CronField: Sendable, Hashable {
    /// Bit n stands for the value n.
    private(set) var bits: UInt64 = 0
    /// Whether the field begins with `*`, steps or not: what Vixie cron goes by.
    let isStar: Bool

    func contains(_ value: Int) -> Bool { (bits >> UInt64(value)) & 1 == 1 }

    /// The smallest value that is not below `value`.
    func first(from value: Int) -> Int? {
        let rest = value < 64 ? (bits >> UInt64(value)) << UInt64(value) : 0
        return rest == 0 ? nil : rest.trailingZeroBitCount
    }

    init(_ text: some StringProtocol, kind: Kind) throws(CronProblem) {
        isStar = text.hasPrefix("*")
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let values = kind.values(of: item) else {
                throw .field(kind.name, value: String(item), accepted: kind.accepted)
            }
            for value in values { bits |= 1 << UInt64(value) }
        }
        if kind.isDayOfWeek, contains(7) { bits = bits & 0x7F | 1 }
    }

    struct Kind {
        let name: String
        let range: ClosedRange<Int>
        /// What may be written for the first values of the range.
        var names: [String] = []
        var isDayOfWeek = false

        static let minute = Kind(name: "minute", range: 0...59)
        static let hour = Kind(name: "hour", range: 0...23)
        static let dayOfMonth = Kind(name: "day-of-month", range: 1...31)
        static let month = Kind(
            name: "month", range: 1...12,
            names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"])
        static let dayOfWeek = Kind(
            name: "day-of-week", range: 0...7, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
            isDayOfWeek: true)

        var accepted: String {
            let words = names.isEmpty ? "" : ", \(names[0])-\(names[names.count - 1])"
            let sunday = isDayOfWeek ? " (0 and 7 are Sunday)" : ""
            return
                "*, \(range.lowerBound)-\(range.upperBound)\(words)\(sunday), ranges a-b, steps */n and a-b/n, and lists"
        }

        /// `*`, `a`, `a-b`, each with or without `/step`; `a/step` runs to the end of the range.
        func values(of item: some StringProtocol) -> StrideThrough<Int>? {
            let halves = item.split(separator: "/", omittingEmptySubsequences: false)
            guard halves.count <= 2 else { return nil }
            let step = halves.count == 2 ? Self.number(halves[1]) : 1
            guard let step, step > 0, let bounds = bounds(of: halves[0], isOpen: halves.count == 2) else { return nil }
            return stride(from: bounds.lowerBound, through: bounds.upperBound, by: step)
        }

        private func bounds(of text: some StringProtocol, isOpen: Bool) -> ClosedRange<Int>? {
            // A week has seven days, though Sunday has two numbers.
            let last = isDayOfWeek ? 6 : range.upperBound
            if text == "*" { return range.lowerBound...last }
            let ends = text.split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count <= 2, let from = value(ends[0], isEnd: false) else { return nil }
            let to = ends.count == 2 ? value(ends[1], isEnd: true) : isOpen ? max(last, from) : from
            guard let to, from <= to else { return nil }
            return from...to
        }

        /// - Parameter isEnd: at the end of a range Sunday comes after Saturday.
        private func value(_ text: some StringProtocol, isEnd: Bool) -> Int? {
            if let index = names.firstIndex(of: text.lowercased()) {
                return isDayOfWeek && isEnd && index == 0 ? 7 : range.lowerBound + index
            }
            return Self.number(text).flatMap { range.contains($0) ? $0 : nil }
        }

        private static func number(_ text: some StringProtocol) -> Int? {
            text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
        }
    }
}
