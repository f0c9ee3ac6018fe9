import Foundation
import Testing

@testable import HalcyonStore

@Suite(.timeLimit(.minutes(1)))
struct ExpirationTests {
    private let start = Date(timeIntervalSince1970: 1_000_000)

    @Test(
        arguments: [
            (Expiration.never, nil), (.seconds(300), 300), (.seconds(0), 0), (.days(7), 604_800), (.expired, 0),
            (.date(Date(timeIntervalSince1970: 1_000_050)), 50), (.date(Date(timeIntervalSince1970: 5)), 0),
            (.origin, 120),
        ] as [(Expiration, TimeInterval?)])
    func deadlines(expiration: Expiration, seconds: TimeInterval?) {
        #expect(expiration.deadline(from: start, originLifetime: 120) == seconds.map { start + $0 })
        #expect(expiration.lifetime(from: start, originLifetime: 120) == seconds)
    }

    @Test func anOriginThatSaysNothingGetsTheDefault() {
        #expect(Expiration.origin.lifetime(from: start, originLifetime: nil) == 604_800.0)
    }

    @Test(
        "HB-06 texts are read exactly, 0 is expired at once",
        arguments: [
            ("never", .never), ("origin", .origin), ("0", .seconds(0)), ("0s", .seconds(0)), ("500ms", .seconds(0.5)),
            ("300s", .seconds(300)), ("10m", .seconds(600)), ("12h", .seconds(43_200)), ("7d", .days(7)),
        ] as [(String, Expiration)])
    func readableTexts(text: String, expected: Expiration) throws {
        let expiration = try Expiration(text)
        #expect(expiration == expected)
        #expect(try Expiration(expiration.description) == expiration)
    }

    @Test(
        "HB-06 negative periods and other texts are errors that say what is accepted",
        arguments: [
            ("-1s", ExpirationProblem.negative), ("-7d", .negative), ("", .unreadable), ("7", .unreadable),
            ("d", .unreadable), ("7 d", .unreadable), ("1.5h", .unreadable), ("7D", .unreadable),
            ("7days", .unreadable),
            ("99999999999999999999s", .unreadable), ("٣d", .unreadable), ("+7d", .unreadable),
        ])
    func unreadableTexts(text: String, problem: ExpirationProblem) {
        #expect(throws: problem) { try Expiration(text) }
        #expect(problem.description.contains("`never`"))
    }

    @Test(
        "HB-06 values from code are checked the same way",
        arguments: [Expiration.seconds(-1), .seconds(.nan), .seconds(.infinity), .days(-1)])
    func invalidValues(expiration: Expiration) {
        #expect(throws: ExpirationProblem.negative) { try expiration.validate() }
    }

    @Test("H-11 of 500 photos with one lifetime of an hour, no second sees more than a twentieth expire")
    func jitterSpreads() throws {
        var generator = SeededGenerator(seed: 1)
        var bySecond: [Int: Int] = [:]
        for _ in 0..<500 {
            let unit = Double.random(in: 0...1, using: &generator)
            let deadline = try #require(
                Expiration.seconds(3_600).deadline(from: start, originLifetime: nil, randomUnit: unit))
            let lifetime = deadline.timeIntervalSince(start)
            #expect((3_240...3_960).contains(lifetime))
            bySecond[Int(lifetime), default: 0] += 1
        }
        #expect((bySecond.values.max() ?? 500) <= 25)
        #expect(bySecond.count > 250)
    }

    @Test(arguments: [0.0, 0.25, 0.5, 1.0])
    func jitterNeverPassesWhatSomebodyNamed(unit: Double) throws {
        let origin = try #require(Expiration.origin.lifetime(from: start, originLifetime: 100, randomUnit: unit))
        #expect((90...100).contains(origin))
        let date = start + 50
        #expect(Expiration.date(date).deadline(from: start, originLifetime: nil, randomUnit: unit) == date)
        #expect(Expiration.never.deadline(from: start, originLifetime: nil, randomUnit: unit) == nil)
        #expect(Expiration.expired.deadline(from: start, originLifetime: nil, randomUnit: unit) == start)
    }
}
