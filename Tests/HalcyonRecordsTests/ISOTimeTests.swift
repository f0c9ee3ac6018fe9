import Foundation
import Testing

@testable import HalcyonRecords

@Suite(.timeLimit(.minutes(1)))
struct ISOTimeTests {
    /// 2026-03-02T00:00:00Z, from `date -d 2026-03-02T00:00:00Z +%s`.
    static let instant = 1_772_409_600.0

    @Test(arguments: [
        ("2026-03-02T00:00:00Z", 0.0), ("2026-03-02t00:00:00z", 0), ("2026-03-02 00:00:00Z", 0),
        ("2026-03-02T09:00:00+09:00", 0), ("2026-03-02T09:00:00+0900", 0), ("2026-03-02T09:00+09", 0),
        ("2026-03-01T19:00:00-05:00", 0), ("20260302T000000Z", 0), ("20260302T0000Z", 0),
        ("2026-03-02T00:00:00.250Z", 0.25), ("2026-03-02T00:00:00,5Z", 0.5),
        ("2026-03-02T00:00:00.123456789Z", 0.123456789), ("2026-03-01T24:00:00Z", 0),
        ("2026-03-01T23:59:60Z", 0), (" 2026-03-02T00:00:00Z\n", 0),
    ])
    func usualFormsAreOneInstant(text: String, after: Double) throws {
        let date = try #require(ISOTime.date(text))
        #expect(abs(date.timeIntervalSince1970 - Self.instant - after) < 0.000_001)
    }

    @Test(arguments: [
        ("2026-03-02", "Asia/Seoul", -32_400.0), ("2026-03-02T00:00:00", "Asia/Seoul", -32_400.0),
        // An hour after the clocks went forward in New York, and in winter: GMT−4, GMT−5.
        ("2026-03-08T04:00:00", "America/New_York", 547_200.0),
        ("2026-03-02T00:00:00", "America/New_York", 18_000.0),
    ])
    func withoutAnOffsetTheTimeIsLocal(text: String, zone: String, after: Double) throws {
        let timeZone = try #require(TimeZone(identifier: zone))
        #expect(ISOTime.date(text, timeZone: timeZone)?.timeIntervalSince1970 == Self.instant + after)
    }

    @Test(arguments: [
        "", "today", "2026", "2026-03", "2026-13-01", "2026-02-29", "2026-00-10", "2026-04-31", "2026-3-2",
        "0000-01-01",
        "2026-03-02T", "2026-03-02T9:00Z", "2026-03-02T25:00Z", "2026-03-02T24:01Z", "2026-03-02T00:60Z",
        "2026-03-02T00:00:61Z", "2026-03-02T00:00:00.Z", "2026-03-02T00:00:00+9", "2026-03-02T00:00:00Zx",
        "2026-03-02T00:00:00+09:00:00", "2026년 3월 2일 오전 9:00", "2026-0302", "+2026-03-02", "２０２６-03-02",
    ])
    func othersAreNone(text: String) { #expect(ISOTime.date(text) == nil) }

    /// The calendar of Foundation, asked independently.
    @Test func daysAreThoseOfTheGregorianCalendar() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        for number in stride(from: -60_000, through: 60_000, by: 37) {
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(number) * 86_400))
            let (year, month, day) = try #require(
                parts.year.flatMap { y in parts.month.flatMap { m in parts.day.map { (y, m, $0) } } })
            #expect(ISOTime.days(year: year, month: month, day: day) == number)
        }
    }
}
