import Foundation
import HalcyonServer
import Testing

/// Expectations without a change of the clocks come from Python's croniter; those across one from a simulation, minute by
/// minute with Python's zoneinfo, of a clock that makes up for what it jumped over.
@Suite(.timeLimit(.minutes(1)))
struct CronExpressionTests {
    typealias Row = (expression: String, zone: String, after: String, expected: [String])

    static let plainRows: [Row] = [
        (
            "0 3 * * *", "UTC", "2026-11-30T03:00:00Z",
            ["2026-12-01T03:00:00Z", "2026-12-02T03:00:00Z", "2026-12-03T03:00:00Z"]
        ),
        (
            "*/15 * * * *", "UTC", "2026-01-01T00:07:30Z",
            ["2026-01-01T00:15:00Z", "2026-01-01T00:30:00Z", "2026-01-01T00:45:00Z"]
        ),
        (
            "5-20/5 8-10 * * mon-fri", "UTC", "2026-03-06T10:20:00Z",
            ["2026-03-09T08:05:00Z", "2026-03-09T08:10:00Z", "2026-03-09T08:15:00Z"]
        ),
        (
            "0 0 29 2 *", "UTC", "2026-01-01T00:00:00Z",
            ["2028-02-29T00:00:00Z", "2032-02-29T00:00:00Z", "2036-02-29T00:00:00Z"]
        ),
        (
            "30 6 1,15 * 5", "UTC", "2026-05-02T00:00:00Z",
            ["2026-05-08T06:30:00Z", "2026-05-15T06:30:00Z", "2026-05-22T06:30:00Z"]
        ),
        (
            "0 12 * JAN,jul sun", "UTC", "2026-02-01T00:00:00Z",
            ["2026-07-05T12:00:00Z", "2026-07-12T12:00:00Z", "2026-07-19T12:00:00Z"]
        ),
        (
            "0 0 31 * *", "UTC", "2026-04-01T00:00:00Z",
            ["2026-05-31T00:00:00Z", "2026-07-31T00:00:00Z", "2026-08-31T00:00:00Z"]
        ),
        (
            "59 23 31 12 *", "UTC", "2026-12-31T23:59:00Z",
            ["2027-12-31T23:59:00Z", "2028-12-31T23:59:00Z", "2029-12-31T23:59:00Z"]
        ),
        (
            "0 9 * * 7", "UTC", "2026-06-07T09:00:00Z",
            ["2026-06-14T09:00:00Z", "2026-06-21T09:00:00Z", "2026-06-28T09:00:00Z"]
        ),
        (
            "17 4 * * 5-7", "UTC", "2026-06-06T04:17:00Z",
            ["2026-06-07T04:17:00Z", "2026-06-12T04:17:00Z", "2026-06-13T04:17:00Z"]
        ),
        (
            "10 10 13 * fri", "UTC", "2026-02-14T00:00:00Z",
            ["2026-02-20T10:10:00Z", "2026-02-27T10:10:00Z", "2026-03-06T10:10:00Z"]
        ),
        (
            "0 0 * * 1", "UTC", "2026-12-31T12:00:00Z",
            ["2027-01-04T00:00:00Z", "2027-01-11T00:00:00Z", "2027-01-18T00:00:00Z"]
        ),
        (
            "23 0-20/2 * * *", "UTC", "2026-08-08T20:24:00Z",
            ["2026-08-09T00:23:00Z", "2026-08-09T02:23:00Z", "2026-08-09T04:23:00Z"]
        ),
        (
            "0 5 29 2 *", "UTC", "2096-03-01T00:00:00Z",
            ["2104-02-29T05:00:00Z", "2108-02-29T05:00:00Z", "2112-02-29T05:00:00Z"]
        ),
        (
            "0 3 * * *", "Asia/Seoul", "2026-11-29T18:00:00Z",
            ["2026-11-30T18:00:00Z", "2026-12-01T18:00:00Z", "2026-12-02T18:00:00Z"]
        ),
        (
            "*/15 * * * *", "Asia/Seoul", "2025-12-31T15:07:30Z",
            ["2025-12-31T15:15:00Z", "2025-12-31T15:30:00Z", "2025-12-31T15:45:00Z"]
        ),
        (
            "5-20/5 8-10 * * mon-fri", "Asia/Seoul", "2026-03-06T01:20:00Z",
            ["2026-03-08T23:05:00Z", "2026-03-08T23:10:00Z", "2026-03-08T23:15:00Z"]
        ),
        (
            "0 0 29 2 *", "Asia/Seoul", "2025-12-31T15:00:00Z",
            ["2028-02-28T15:00:00Z", "2032-02-28T15:00:00Z", "2036-02-28T15:00:00Z"]
        ),
    ]

    static let clockChangeRows: [Row] = [
        ("30 2 * * *", "Europe/Berlin", "2026-03-28T11:00:00Z", ["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"]),
        ("0,15,45 2 * * *", "Europe/Berlin", "2026-03-28T11:00:00Z", ["2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z"]),
        (
            "30 2,3 * * *", "Europe/Berlin", "2026-03-28T23:00:00Z",
            ["2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"]
        ),
        ("0 3 * * *", "Europe/Berlin", "2026-03-28T11:00:00Z", ["2026-03-29T01:00:00Z", "2026-03-30T01:00:00Z"]),
        ("30 2 * * *", "Europe/Berlin", "2026-10-24T10:00:00Z", ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]),
        (
            "*/30 2 * * *", "Europe/Berlin", "2026-10-24T10:00:00Z",
            ["2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z", "2026-10-26T01:00:00Z"]
        ),
        (
            "30 * * * *", "Europe/Berlin", "2026-03-28T22:45:00Z",
            ["2026-03-28T23:30:00Z", "2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z", "2026-03-29T02:30:00Z"]
        ),
        (
            "30 * * * *", "Europe/Berlin", "2026-10-24T22:45:00Z",
            ["2026-10-24T23:30:00Z", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z"]
        ),
        (
            "*/30 * * * *", "Europe/Berlin", "2026-10-24T23:45:00Z",
            [
                "2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z", "2026-10-25T01:00:00Z", "2026-10-25T01:30:00Z",
                "2026-10-25T02:00:00Z",
            ]
        ),
        ("30 2 * * *", "America/New_York", "2026-03-07T17:00:00Z", ["2026-03-08T07:00:00Z", "2026-03-09T06:30:00Z"]),
        ("30 1 * * *", "America/New_York", "2026-10-31T16:00:00Z", ["2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"]),
        ("0 2 * * sun", "America/New_York", "2026-03-02T05:00:00Z", ["2026-03-08T07:00:00Z", "2026-03-15T06:00:00Z"]),
        (
            "15 2 * * *", "Australia/Lord_Howe", "2026-10-03T01:30:00Z",
            ["2026-10-03T15:30:00Z", "2026-10-04T15:15:00Z"]
        ),
        (
            "45 1 * * *", "Australia/Lord_Howe", "2026-04-04T01:00:00Z",
            ["2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z"]
        ),
        (
            "15 1 * * *", "Australia/Lord_Howe", "2026-04-04T01:00:00Z",
            ["2026-04-04T14:15:00Z", "2026-04-05T14:45:00Z"]
        ),
        (
            "*/15 * * * *", "Australia/Lord_Howe", "2026-04-04T14:20:00Z",
            [
                "2026-04-04T14:30:00Z", "2026-04-04T14:45:00Z", "2026-04-04T15:00:00Z", "2026-04-04T15:15:00Z",
                "2026-04-04T15:30:00Z",
            ]
        ),
        ("0 0 * * *", "Asia/Seoul", "2026-03-28T03:00:00Z", ["2026-03-28T15:00:00Z", "2026-03-29T15:00:00Z"]),
        ("30 2 29 3 *", "Europe/Berlin", "2025-12-31T23:00:00Z", ["2026-03-29T01:00:00Z", "2027-03-29T00:30:00Z"]),
    ]

    @Test(arguments: plainRows)
    func firesWhenCroniterDoes(row: Row) throws { try check(row) }

    @Test(arguments: clockChangeRows)
    func holdsAcrossChangesOfTheClocks(row: Row) throws { try check(row) }

    private func check(_ row: Row) throws {
        let zone = try #require(TimeZone(identifier: row.zone))
        let expression = try CronExpression(row.expression)
        var date = try Date(row.after, strategy: .iso8601)
        var fired: [String] = []
        for _ in row.expected {
            date = try #require(expression.next(after: date, in: zone))
            fired.append(date.formatted(.iso8601))
        }
        #expect(fired == row.expected)
    }

    @Test(arguments: [
        ("@hourly", "0 * * * *"), ("@Daily", "0 0 * * *"), ("@weekly", "0 0 * * sun"), ("@monthly", "0 0 1 * *"),
        ("@yearly", "0 0 1 1 *"), ("  0   0\t* * 1-sun ", "0 0 * * *"), ("7/20 * * * *", "7,27,47 * * * *"),
        ("0 0 * * fri-sun", "0 0 * * 0,5,6"), ("0 0 * * */2", "0 0 * * 0,2,4,6"),
    ])
    func meansTheSame(text: String, other: String) throws {
        let zone = try #require(TimeZone(identifier: "UTC"))
        var date = Date(timeIntervalSince1970: 1_800_000_000)
        for _ in 0..<8 {
            let next = try #require(try CronExpression(other).next(after: date, in: zone))
            #expect(try CronExpression(text).next(after: date, in: zone) == next)
            date = next
        }
    }

    @Test(arguments: [
        ("60 * * * *", "minute", "60"), ("* 24 * * *", "hour", "24"), ("* * 0 * *", "day-of-month", "0"),
        ("* * 32 * *", "day-of-month", "32"), ("* * * 13 *", "month", "13"), ("* * * foo *", "month", "foo"),
        ("* * * * 8", "day-of-week", "8"), ("5-1 * * * *", "minute", "5-1"), ("*/0 * * * *", "minute", "*/0"),
        ("1,,2 * * * *", "minute", ""), ("-1 * * * *", "minute", "-1"), ("1-2-3 * * * *", "minute", "1-2-3"),
        ("1/2/3 * * * *", "minute", "1/2/3"), ("+5 * * * *", "minute", "+5"),
        ("99999999999999999999 * * * *", "minute", "99999999999999999999"),
        ("* * * * sat-fri", "day-of-week", "sat-fri"),
        ("* x * * *", "hour", "x"), ("* mon * * *", "hour", "mon"), ("１ * * * *", "minute", "１"),
    ])
    func errorsNameTheFieldAndTheValue(text: String, field: String, value: String) {
        let problem = #expect(throws: CronProblem.self) { try CronExpression(text) }
        guard case .field(field, value: value, accepted: let accepted)? = problem else {
            Issue.record("not an error of \(field): \(String(describing: problem))")
            return
        }
        #expect(accepted.contains("ranges"))
    }

    @Test(arguments: ["", "* * * *", "* * * * * *", "@reboot"])
    func needsFiveFields(text: String) {
        let problem = #expect(throws: CronProblem.self) { try CronExpression(text) }
        guard case .fieldCount? = problem else {
            Issue.record("\(String(describing: problem))")
            return
        }
    }

    @Test(arguments: ["0 0 30 2 *", "0 0 31 4,6,9,11 *", "0 0 30-31 feb *"])
    func refusesADayThatNeverComes(text: String) {
        #expect(throws: CronProblem.neverFires(text)) { try CronExpression(text) }
    }

    @Test func aWeekdayMakesAnImpossibleDayPossible() throws {
        #expect(throws: Never.self) { try CronExpression("0 0 30 2 mon") }
    }

    @Test func anIntervalCountsFromTheRoundBefore() {
        let date = Date(timeIntervalSince1970: 1000)
        #expect(Schedule.every(.seconds(600)).nextFire(after: date) == Date(timeIntervalSince1970: 1600))
        #expect(Schedule.every(.zero).nextFire(after: date) == Date(timeIntervalSince1970: 1001))
    }
}
