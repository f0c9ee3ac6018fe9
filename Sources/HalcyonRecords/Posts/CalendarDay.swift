#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A day of the Gregorian calendar, without a time zone.
package struct CalendarDay: Sendable, Hashable, CustomStringConvertible {
    /// Since 1970-01-01.
    private let number: Int
    /// `YYYY-MM-DD`.
    package let description: String

    /// `YYYY-MM-DD`; what a time adds after a `T` or a space is left aside. `nil` for anything else.
    package init?(_ text: String) {
        let text = StudentRules.trimmed(text)
        let day = text.prefix(10)
        let rest = text.dropFirst(10)
        let parts = day.split(separator: "-", omittingEmptySubsequences: false)
        guard rest.isEmpty || "Tt ".contains(rest.prefix(1)), day.utf8.count == 10, parts.count == 3,
            parts.map(\.utf8.count) == [4, 2, 2],
            day.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }),
            let year = Int(parts[0]), let month = Int(parts[1]), let dayOfMonth = Int(parts[2]),
            let number = ISOTime.days(year: year, month: month, day: dayOfMonth)
        else { return nil }
        self.number = number
        description = String(day)
    }

    /// The day that `date` falls on in `timeZone`.
    package init(_ date: Date, timeZone: TimeZone = .current) {
        let local = date.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: date))
        self.init(number: Int((local / 86_400).rounded(.down)))
    }

    private init(number: Int) {
        self.number = number
        let midnight = Date(timeIntervalSince1970: Double(number) * 86_400)
        description = String(midnight.formatted(.iso8601).prefix(10))
    }

    /// Monday to Sunday (ISO 8601 weeks) of the week that holds this day.
    package var week: ClosedRange<String> {
        // 1970-01-01 was a Thursday, three days after a Monday.
        let monday = number - ((number + 3) % 7 + 7) % 7
        return Self(number: monday).description...Self(number: monday + 6).description
    }
}
