#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// HTTP dates (RFC 9110 §5.6.7): always UTC, whole seconds, the proleptic Gregorian calendar.
package enum HTTPDate {
    /// Reads IMF-fixdate, the RFC 850 form and asctime; `nil` for anything else, impossible dates included.
    ///
    /// Letters match in either case (RFC 9111 §4.2). Any zone but `GMT` is refused. The day of the week must be one,
    /// but need not agree with the date: the date is what is acted on. Second 60 is the first of the next minute.
    /// A two-digit year is the latest one that is not more than 50 years after `now`.
    package static func parse(_ text: String, now: Date) -> Date? {
        var scanner = Scanner(text)
        guard let letters = scanner.word() else { return nil }
        if scanner.take(", ") {
            if letters.count == 3 { return fixdate(day: letters, &scanner) }
            return rfc850(day: letters, &scanner, now: now)
        }
        return asctime(day: letters, &scanner)
    }

    /// IMF-fixdate, e.g. `Sun, 06 Nov 1994 08:49:37 GMT`. Fractions of a second are dropped downwards; a year outside
    /// 0–9999, which the form cannot hold, becomes the nearest moment that it can.
    package static func format(_ date: Date) -> String {
        let time = CivilTime(secondsSince1970: date.timeIntervalSince1970)
        var text: [UInt8] = []
        text.reserveCapacity(29)
        func put(_ word: String) { text.append(contentsOf: word.utf8) }
        func put(_ number: Int) {
            text.append(0x30 + UInt8(number / 10 % 10))
            text.append(0x30 + UInt8(number % 10))
        }
        put(String(weekdays[time.weekday].prefix(3)))
        put(", ")
        put(time.day)
        put(" ")
        put(months[time.month - 1])
        put(" ")
        put(time.year / 100)
        put(time.year % 100)
        put(" ")
        put(time.hour)
        put(":")
        put(time.minute)
        put(":")
        put(time.second)
        put(" GMT")
        return String(decoding: text, as: UTF8.self)
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    private static func fixdate(day: Substring.UTF8View, _ scanner: inout Scanner) -> Date? {
        guard isWeekday(day, isShort: true), let day = scanner.number(digits: 2), scanner.take(" "),
            let month = scanner.month(months), scanner.take(" "), let year = scanner.number(digits: 4),
            scanner.take(" "), let time = scanner.time(), scanner.take(" GMT"), scanner.isAtEnd
        else { return nil }
        return CivilTime(year, month, day, time)?.date
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`
    private static func rfc850(day: Substring.UTF8View, _ scanner: inout Scanner, now: Date) -> Date? {
        guard isWeekday(day, isShort: false), let day = scanner.number(digits: 2), scanner.take("-"),
            let month = scanner.month(months), scanner.take("-"), let shortYear = scanner.number(digits: 2),
            scanner.take(" "), let time = scanner.time(), scanner.take(" GMT"), scanner.isAtEnd
        else { return nil }
        var latest = CivilTime(secondsSince1970: now.timeIntervalSince1970)
        latest.year += 50
        var year = latest.year - latest.year % 100 + shortYear
        // Compared part by part, so that 29 February needs no year of its own.
        let parts = [year, month, day, time.hour, time.minute, time.second]
        if latest.parts.lexicographicallyPrecedes(parts) { year -= 100 }
        return CivilTime(year, month, day, time)?.date
    }

    /// `Sun Nov  6 08:49:37 1994`
    private static func asctime(day: Substring.UTF8View, _ scanner: inout Scanner) -> Date? {
        guard isWeekday(day, isShort: true), scanner.take(" "), let month = scanner.month(months), scanner.take(" "),
            let day = scanner.take(" ") ? scanner.number(digits: 1) : scanner.number(digits: 2), scanner.take(" "),
            let time = scanner.time(), scanner.take(" "), let year = scanner.number(digits: 4), scanner.isAtEnd
        else { return nil }
        return CivilTime(year, month, day, time)?.date
    }

    private static func isWeekday(_ word: Substring.UTF8View, isShort: Bool) -> Bool {
        weekdays.contains { ASCII.matches(word, isShort ? $0.utf8.prefix(3) : $0.utf8[...]) }
    }
}

extension HTTPDate {
    private struct Scanner {
        private var rest: Substring.UTF8View

        init(_ text: String) { rest = text[...].utf8 }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func take(_ literal: String) -> Bool {
            let count = literal.utf8.count
            guard ASCII.matches(rest.prefix(count), literal.utf8) else { return false }
            rest.removeFirst(count)
            return true
        }

        /// A run of at least one letter.
        mutating func word() -> Substring.UTF8View? {
            let word = rest.prefix(while: ASCII.isLetter)
            rest.removeFirst(word.count)
            return word.isEmpty ? nil : word
        }

        mutating func number(digits: Int) -> Int? {
            let field = rest.prefix(digits)
            guard field.count == digits, let value = ASCII.number(field, cappedAt: 9999) else { return nil }
            rest.removeFirst(digits)
            return value
        }

        /// 1–12.
        mutating func month(_ names: [String]) -> Int? {
            guard let word = word() else { return nil }
            return names.firstIndex { ASCII.matches($0.utf8, word) }.map { $0 + 1 }
        }

        mutating func time() -> (hour: Int, minute: Int, second: Int)? {
            guard let hour = number(digits: 2), take(":"), let minute = number(digits: 2), take(":"),
                let second = number(digits: 2)
            else { return nil }
            return (hour, minute, second)
        }
    }
}
