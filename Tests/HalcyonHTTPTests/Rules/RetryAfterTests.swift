import Foundation
import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct RetryAfterTests {
    /// Fri, 31 Dec 1999 23:59:00 GMT
    private let now = Date(timeIntervalSince1970: 946_684_740)

    @Test(
        "Seconds or a date (RFC 9110 §10.2.3)",
        arguments: [
            ("120", 120.0), ("0", 0), (" 7 ", 7), ("Fri, 31 Dec 1999 23:59:59 GMT", 59),
            ("Friday, 31-Dec-99 23:59:59 GMT", 59), ("Fri Dec 31 23:59:59 1999", 59),
            ("Fri, 31 Dec 1999 23:58:59 GMT", 0),
            ("99999999999999999999", 2_147_483_648), ("Fri, 31 Dec 9999 23:59:59 GMT", 2_147_483_648),
        ])
    func secondsOrADate(value: String, seconds: Double) {
        #expect(RetryAfter.delay(value, now: now) == .seconds(seconds))
        #expect(RetryAfter.delay(in: [("retry-after", value)], now: now) == .seconds(seconds))
    }

    @Test(arguments: ["", "-1", "+1", "1.5", "soon", "1 s", "120, 120", "Fri, 31 Dec 1999 23:59:59"])
    func whatIsNeitherIsRefused(value: String) {
        #expect(RetryAfter.delay(value, now: now) == nil)
    }

    @Test func withoutTheFieldThereIsNoDelay() {
        #expect(RetryAfter.delay(in: [("Age", "1")], now: now) == nil)
    }
}
