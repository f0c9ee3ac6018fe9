import Foundation
import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct FreshnessTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT
    private let noon = Date(timeIntervalSince1970: 784_111_777)

    private func at(_ seconds: Double) -> String { HTTPDate.format(noon.addingTimeInterval(seconds)) }

    private func lifetime(_ fields: HTTPFields, status: Int = 200, isShared: Bool = true) -> TimeInterval? {
        Freshness.lifetime(status: status, fields: fields, isShared: isShared, responseTime: noon)
    }

    @Test("HB-52 The first of s-maxage, max-age, Expires counts (RFC 9111 §4.2.1)")
    func theOrderOfLifetimes() {
        var fields: HTTPFields = [
            ("Cache-Control", "s-maxage=10, max-age=20"), ("Date", at(0)), ("Expires", at(30)),
            ("Last-Modified", at(-1000)),
        ]
        #expect(lifetime(fields) == 10)
        #expect(lifetime(fields, isShared: false) == 20)
        fields["Cache-Control"] = "max-age=20"
        #expect(lifetime(fields) == 20)
        fields["Cache-Control"] = "private"
        #expect(lifetime(fields) == 30)
        fields["Expires"] = nil
        #expect(lifetime(fields) == 100)
        fields["Last-Modified"] = nil
        #expect(lifetime(fields) == nil)
    }

    @Test(
        "HB-52 no-store and no-cache win over any lifetime (RFC 9111 §4.2.1)", arguments: ["no-store", "no-cache"])
    func noStoreAndNoCacheWin(directive: String) {
        #expect(lifetime([("Cache-Control", "max-age=60, \(directive)"), ("Expires", at(60))]) == 0)
    }

    @Test(
        "An Expires that cannot be read has passed (RFC 9111 §5.3)",
        arguments: ["0", "-1", "", "never", "Sun, 06 Nov 2094 08:49:37 EST", "Sun, 31 Feb 2094 08:49:37 GMT"])
    func anInvalidExpiresHasPassed(value: String) {
        #expect(lifetime([("Expires", value), ("Last-Modified", at(-1_000_000))]) == 0)
    }

    @Test func expiresCountsFromTheOriginsClock() {
        // The origin's clock is an hour behind ours.
        #expect(lifetime([("Date", at(-3600)), ("Expires", at(-3540))]) == 60)
        #expect(lifetime([("Date", at(0)), ("Expires", at(-1))]) == 0)
        // Without a usable Date the response was made when it came (RFC 9110 §6.6.1).
        #expect(lifetime([("Expires", at(60))]) == 60)
        #expect(lifetime([("Date", "yesterday"), ("Expires", at(60))]) == 60)
        // Of two the first counts (RFC 9111 §4.2.1).
        #expect(lifetime([("Expires", at(5)), ("Expires", at(60))]) == 5)
        #expect(lifetime([("Expires", "Fri, 31 Dec 9999 23:59:59 GMT")]) == 2_147_483_648)
    }

    @Test(
        "The heuristic is a tenth of the age of the last change, a day at most (RFC 9111 §4.2.2)",
        arguments: [
            (-1000.0, 100.0), (-864_000, 86_400), (-864_010, 86_400), (-315_360_000, 86_400), (0, 0),
        ])
    func theHeuristicIsATenth(modified: Double, expected: Double) {
        #expect(lifetime([("Date", at(0)), ("Last-Modified", at(modified))]) == expected)
    }

    @Test func aChangeInTheFutureSaysNothing() {
        #expect(lifetime([("Date", at(0)), ("Last-Modified", at(1))]) == nil)
    }

    @Test(
        "Only some statuses allow the heuristic (RFC 9110 §15.1)",
        arguments: [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501])
    func someStatusesAllowTheHeuristic(status: Int) {
        #expect(lifetime([("Date", at(0)), ("Last-Modified", at(-100))], status: status) == 10)
    }

    @Test(arguments: [201, 302, 303, 307, 400, 401, 403, 429, 500, 502, 503, 504])
    func otherStatusesNeedAWordFromTheOrigin(status: Int) {
        var fields: HTTPFields = [("Date", at(0)), ("Last-Modified", at(-100))]
        #expect(lifetime(fields, status: status) == nil)
        fields["Cache-Control"] = "public"
        #expect(lifetime(fields, status: status) == 10)
        fields["Cache-Control"] = "max-age=7"
        #expect(lifetime(fields, status: status) == 7)
    }

    @Test(
        "RFC 9111 §4.2.3: the greater of apparent age and Age with the delay",
        arguments: [
            // Date before the response, Age, delay of the answer, expected
            (0.0, nil, 0.0, 0.0), (10, nil, 0, 10), (-10, nil, 0, 0), (10, "30", 0, 30), (30, "10", 0, 30),
            (0, "10", 2, 12), (0, nil, 2, 2), (0, "10", -5, 10),
        ] as [(Double, String?, Double, Double)])
    func initialAge(dateBefore: Double, age: String?, delay: Double, expected: Double) {
        var fields: HTTPFields = [("Date", at(-dateBefore))]
        fields["Age"] = age
        let requested = noon.addingTimeInterval(-delay)
        #expect(Freshness.initialAge(fields: fields, requestTime: requested, responseTime: noon) == expected)
    }

    @Test(
        "Of a list of ages the first counts, what is no number is ignored (RFC 9111 §5.1)",
        arguments: [
            ("7", 7.0), (" 7 ", 7), ("7, 100", 7), ("7,", 7), ("x, 7", 0), ("-7", 0), ("+7", 0), ("7.5", 0),
            ("\"7\"", 0),
            ("", 0), (", 7", 0), ("2147483648", 2_147_483_648), ("99999999999999999999", 2_147_483_648),
        ])
    func oddAges(value: String, expected: Double) {
        let fields: HTTPFields = [("Age", value), ("Age", "500")]
        #expect(Freshness.initialAge(fields: fields, requestTime: noon, responseTime: noon) == expected)
    }

    @Test func anAncientDateDoesNotMakeAnEndlessAge() {
        let fields: HTTPFields = [("Date", "Sat, 01 Jan 0000 00:00:00 GMT")]
        #expect(Freshness.initialAge(fields: fields, requestTime: noon, responseTime: noon) == 2_147_483_648)
    }
}
