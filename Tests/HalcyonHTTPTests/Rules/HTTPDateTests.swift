import Foundation
import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct HTTPDateTests {
    /// 2026-11-30 12:00:00 UTC.
    private let now = Date(timeIntervalSince1970: 1_796_040_000)

    @Test(
        "The three forms of RFC 9110 §5.6.7 name the same moment",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "sun, 06 NOV 1994 08:49:37 gmt",
        ])
    func theThreeFormsNameTheSameMoment(text: String) {
        #expect(HTTPDate.parse(text, now: now)?.timeIntervalSince1970 == 784_111_777)
    }

    @Test(
        "What is none of the three forms is refused",
        arguments: [
            "", "0", "-1", "never", "784111777", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 1994 08:49:37 EST",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT",
            "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT ", " Sun, 06 Nov 1994 08:49:37 GMT", "Sun,  06 Nov 1994 08:49:37 GMT",
            "Son, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Mai 1994 08:49:37 GMT", "Sun, 06 November 1994 08:49:37 GMT",
            "Sunday, 06 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
            "Sun Nov 06 08:49:37 1994 GMT", "Sun Nov  6 08:49:37 94", "Sun, 06 Nov 1994 08:49:37 GMT, again",
            "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 0６ Nov 1994 08:49:37 GMT", "Sun, 06 Nov 19945 08:49:37 GMT",
        ])
    func whatIsNoneOfTheFormsIsRefused(text: String) {
        #expect(HTTPDate.parse(text, now: now) == nil)
    }

    @Test(
        "Dates and times that do not exist are refused",
        arguments: [
            "Thu, 29 Feb 2023 00:00:00 GMT", "Thu, 29 Feb 1900 00:00:00 GMT", "Fri, 30 Feb 2024 00:00:00 GMT",
            "Thu, 31 Apr 2025 00:00:00 GMT", "Thu, 00 Apr 2025 00:00:00 GMT", "Thu, 32 Jan 2025 00:00:00 GMT",
            "Thu, 01 Jan 2025 24:00:00 GMT", "Thu, 01 Jan 2025 23:60:00 GMT", "Thu, 01 Jan 2025 23:59:61 GMT",
        ])
    func datesThatDoNotExistAreRefused(text: String) {
        #expect(HTTPDate.parse(text, now: now) == nil)
    }

    @Test(
        "Days and seconds that exist are accepted",
        arguments: [
            ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400.0), ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            // The day of the week is wrong.
            ("Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ])
    func daysThatExistAreAccepted(text: String, seconds: Double) {
        #expect(HTTPDate.parse(text, now: now)?.timeIntervalSince1970 == seconds)
    }

    @Test(
        "A two-digit year lies at most 50 years ahead (RFC 9110 §5.6.7)",
        arguments: [
            // text, now, expected; the numbers by Python's calendar.timegm
            ("Monday, 30-Nov-76 12:00:00 GMT", 1_796_040_000.0, 3_373_963_200.0),  // just 50 years: 2076
            ("Tuesday, 30-Nov-76 12:00:01 GMT", 1_796_040_000, 218_203_201),  // a second more: 1976
            ("Wednesday, 01-Jan-75 00:00:00 GMT", 1_796_040_000, 3_313_526_400),  // 2075
            ("Saturday, 01-Jan-77 00:00:00 GMT", 1_796_040_000, 220_924_800),  // 1977
            ("Saturday, 01-Jan-00 00:00:00 GMT", 1_796_040_000, 946_684_800),  // 2000
            ("Friday, 01-Jan-99 00:00:00 GMT", 1_796_040_000, 915_148_800),  // 1999
            ("Thursday, 01-Jan-05 00:00:00 GMT", 4_083_998_400, 4_260_211_200),  // seen from 2099: 2105
            ("Tuesday, 29-Feb-00 00:00:00 GMT", 1_796_040_000, 951_782_400),
        ])
    func twoDigitYearsLieAtMostFiftyYearsAhead(text: String, now: Double, expected: Double) {
        let date = HTTPDate.parse(text, now: Date(timeIntervalSince1970: now))
        #expect(date?.timeIntervalSince1970 == expected)
    }

    @Test(
        "What the form cannot hold becomes the nearest moment that it can",
        arguments: [
            (Double.infinity, "Fri, 31 Dec 9999 23:59:59 GMT"), (-Double.infinity, "Sat, 01 Jan 0000 00:00:00 GMT"),
            (1e300, "Fri, 31 Dec 9999 23:59:59 GMT"), (Double.nan, "Sat, 01 Jan 0000 00:00:00 GMT"),
            (0.999, "Thu, 01 Jan 1970 00:00:00 GMT"), (-0.001, "Wed, 31 Dec 1969 23:59:59 GMT"),
        ])
    func whatCannotBeHeldIsClamped(seconds: Double, text: String) {
        #expect(HTTPDate.format(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test func randomDatesAgreeWithFoundationInEveryForm() throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        var generator = SplitMix(seed: 9110)
        for _ in 0..<2000 {
            // 1600–9999: before that Foundation counts in the Julian calendar.
            let date = Date(
                timeIntervalSince1970: Double(Int.random(in: -11_676_096_000...253_402_300_799, using: &generator)))
            formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
            let fixdate = formatter.string(from: date)
            #expect(HTTPDate.format(date) == fixdate)
            #expect(HTTPDate.parse(fixdate, now: now) == date)

            formatter.dateFormat = "EEE MMM dd HH:mm:ss yyyy"
            var asctime = Array(formatter.string(from: date).utf8)
            if asctime[8] == UInt8(ascii: "0") { asctime[8] = UInt8(ascii: " ") }
            #expect(HTTPDate.parse(String(decoding: asctime, as: UTF8.self), now: now) == date)

            // Within 49 years of the moment of reading the two digits say all.
            let reading = date.addingTimeInterval(
                Double(Int.random(in: -1_500_000_000...1_500_000_000, using: &generator)))
            guard reading.timeIntervalSince1970 < 240_000_000_000 else { continue }
            formatter.dateFormat = "EEEE, dd-MMM-yy HH:mm:ss 'GMT'"
            #expect(HTTPDate.parse(formatter.string(from: date), now: reading) == date)
        }
    }

    @Test func randomTextNeverCrashesTheReader() {
        var generator = SplitMix(seed: 56)
        let seed = Array("Sunday, 06-Nov-94 08:49:37 GMT Sun Nov  6".utf8)
        for _ in 0..<5000 {
            var bytes = Array(seed.prefix(Int.random(in: 0...seed.count, using: &generator)))
            for _ in 0..<Int.random(in: 0...3, using: &generator) where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if let date = HTTPDate.parse(String(decoding: bytes, as: UTF8.self), now: now) {
                #expect(HTTPDate.parse(HTTPDate.format(date), now: now) == date)
            }
        }
    }
}
