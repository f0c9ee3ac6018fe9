#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Times as ISO 8601 writes them: `2026-03-02T09:00:00Z`, with an offset (`+09:00`, `+0900`, `+09`), with a fraction of a
/// second, without seconds, without a time, in the basic form (`20260302T090000Z`), and with a space for the `T`
/// (RFC 3339 §5.6).
package enum ISOTime {
    /// `nil` for a text that is no such time.
    ///
    /// - Parameter timeZone: of a time without an offset, and whose midnight a date alone is.
    package static func date(_ text: String, timeZone: TimeZone = .current) -> Date? {
        var reader = Reader(rest: Array(StudentRules.trimmed(text).utf8)[...])
        guard let year = reader.number(4) else { return nil }
        let isExtended = reader.skip("-")
        guard let month = reader.number(2), !isExtended || reader.skip("-"), let day = reader.number(2),
            let days = days(year: year, month: month, day: day)
        else { return nil }
        var seconds = Double(days) * 86_400
        if !reader.rest.isEmpty {
            guard reader.skip("Tt "), let time = reader.time() else { return nil }
            seconds += time
        }
        let offset = reader.rest.isEmpty ? localOffset(seconds, timeZone) : reader.offset()
        guard let offset, reader.rest.isEmpty else { return nil }
        return Date(timeIntervalSince1970: seconds - Double(offset))
    }

    private static func localOffset(_ localSeconds: Double, _ timeZone: TimeZone) -> Int {
        // The offset holds at an instant, which it takes an offset to know: the second look is right but for the hour
        // that a change of the clock leaves out or repeats.
        let near = timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: localSeconds))
        return timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: localSeconds - Double(near)))
    }

    /// Days since 1970-01-01 in the Gregorian calendar; `nil` for a day that it has not.
    static func days(year: Int, month: Int, day: Int) -> Int? {
        guard (1...9999).contains(year), (1...12).contains(month) else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...lengths[month - 1]).contains(day) else { return nil }
        let before = year - 1
        return before * 365 + before / 4 - before / 100 + before / 400 + lengths[..<(month - 1)].reduce(0, +) + day - 1
            - 719_162
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func skip(_ accepted: String) -> Bool {
            guard let first = rest.first, accepted.utf8.contains(first) else { return false }
            rest.removeFirst()
            return true
        }

        mutating func number(_ digits: Int) -> Int? {
            let text = rest.prefix(digits)
            guard text.count == digits, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            rest.removeFirst(digits)
            return text.reduce(0) { $0 * 10 + Int($1 & 15) }
        }

        /// Seconds since midnight.
        mutating func time() -> Double? {
            guard let hour = number(2) else { return nil }
            let isExtended = skip(":")
            guard let minute = number(2), minute < 60 else { return nil }
            var seconds = Double(hour * 3600 + minute * 60)
            if isExtended ? skip(":") : rest.first.map({ (0x30...0x39).contains($0) }) ?? false {
                // 60 is a leap second (RFC 3339 §5.7).
                guard let second = number(2), second <= 60 else { return nil }
                seconds += Double(second)
                if skip(".,") {
                    let digits = rest.prefix { (0x30...0x39).contains($0) }
                    guard (1...18).contains(digits.count) else { return nil }
                    rest.removeFirst(digits.count)
                    seconds += digits.reversed().reduce(0.0) { ($0 + Double($1 & 15)) / 10 }
                }
            }
            // 24:00 is the end of the day.
            return hour < 24 || seconds == 86_400 ? seconds : nil
        }

        /// Seconds ahead of UTC.
        mutating func offset() -> Int? {
            if skip("Zz") { return 0 }
            let sign = skip("+") ? 1 : skip("-") ? -1 : 0
            guard sign != 0, let hours = number(2), hours < 24 else { return nil }
            if rest.isEmpty { return sign * hours * 3600 }
            _ = skip(":")
            guard let minutes = number(2), minutes < 60 else { return nil }
            return sign * (hours * 3600 + minutes * 60)
        }
    }
}
