#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// How people write where a period begins and ends.
package enum PeriodEnd {
    package static let accepted = "a day such as 2026-03-02, or a moment such as 2026-03-02T08:30:00+09:00"

    /// A day is one of the time zone, and the whole of it belongs to the period; a moment (ISO 8601) is its first, or the
    /// first that is past it.
    package static func moment(_ text: String, isEnd: Bool, timeZone: TimeZone = .current) -> Date? {
        // In a query a plus that is not encoded arrives as a space.
        let text = text.replacing(" ", with: "+")
        let digits = text.utf8.map { (0x30...0x39).contains($0) ? UInt8(ascii: "0") : $0 }
        guard digits.count == 10 else {
            do { return try Date(text, strategy: .iso8601) } catch { return nil }
        }
        guard digits == Array("0000-00-00".utf8) else { return nil }
        let parts = text.split(separator: "-").compactMap { Int($0) }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let components = DateComponents(year: parts[0], month: parts[1], day: parts[2])
        guard let day = calendar.date(from: components),
            calendar.dateComponents([.year, .month, .day], from: day) == components
        else { return nil }
        return isEnd ? calendar.date(byAdding: .day, value: 1, to: day) : day
    }
}
