import Foundation
import Glibc
import HalcyonRecords
import Testing

@testable import HalcyonServer

/// A post belongs to the calendar day of the server's time zone. In a process of its own, for which `TZ` is set before
/// anything asks.
@Suite(.timeLimit(.minutes(1)))
struct ExerciseDayTests {
    struct Midnight: Sendable, Codable, CustomTestStringConvertible {
        let zone: String
        /// Ten minutes before midnight, in UTC.
        let before: String
        /// As `TZ=… date +%F` says of ten minutes before, and after.
        let days: [String]
        /// Whether a week begins, on a Monday.
        let isWeekNew: Bool
        var testDescription: String { zone }
    }

    @Test(arguments: [
        Midnight(
            zone: "Asia/Seoul", before: "2026-03-01T14:50:00Z", days: ["2026-03-01", "2026-03-02"], isWeekNew: true),
        Midnight(
            zone: "Pacific/Kiritimati", before: "2026-03-01T09:50:00Z", days: ["2026-03-01", "2026-03-02"],
            isWeekNew: true),
        // The clocks go from midnight to one: there is no midnight.
        Midnight(
            zone: "America/Havana", before: "2026-03-08T04:50:00Z", days: ["2026-03-07", "2026-03-08"],
            isWeekNew: false),
    ])
    func midnightIsThatOfTheTimeZone(midnight: Midnight) async throws {
        await #expect(processExitsWith: .success) { [midnight] in
            setenv("TZ", midnight.zone, 1)
            tzset()
            try await ServiceHarness.run { service in
                let start = try Date(midnight.before, strategy: .iso8601)
                service.clock.advance(by: start.timeIntervalSince(service.clock.now))
                let user = try await service.records.addUser(
                    email: "a@h.example", password: "correct horse 1", userName: "a", role: .viewer)
                let token = try await service.records.issueToken(userID: user.id, now: service.clock.now).token
                let me = [("token", token)]
                func day(_ response: RawResponse) -> String? {
                    (response.json["data"] as? [String: Any])?["certi_date"] as? String
                }
                func count(_ target: String) async throws -> Int? {
                    (try await service.get(target, me).json["data"] as? [Any])?.count
                }
                let first = try await service.send("POST", "/certi", ExerciseAppTests.post, me)
                #expect(day(first) == midnight.days[0])
                service.clock.advance(by: 20 * 60)
                // Today's latest is none of yesterday's.
                #expect(try await service.send("PUT", "/certi", #"{"ex_time":"1"}"#, me).status == 404)
                let second = try await service.send("POST", "/certi", ExerciseAppTests.post, me)
                #expect(day(second) == midnight.days[1])
                #expect(try await service.send("PUT", "/certi", #"{"ex_time":"1"}"#, me).status == 200)
                for day in midnight.days { #expect(try await count("/certi?date=\(day)") == 1) }
                let info = try await service.get("/mypage/info", me).json["data"] as? [String: Any]
                #expect(info?["certi_count"] as? Int == 2)
                #expect(info?["week_count"] as? Int == (midnight.isWeekNew ? 1 : 2))
            }
        }
    }
}
