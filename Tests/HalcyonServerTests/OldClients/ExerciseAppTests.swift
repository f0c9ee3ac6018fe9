import Foundation
import HalcyonRecords
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// OLD-CLIENTS.md, section D. The types are the app's own; its envelope is that of section B.
enum ExerciseApp {
    typealias Envelope = AccountApp.GenericResponse

    struct Account: Decodable {
        let email: String
        let nickname: String
        let token: String
    }

    struct Certi: Decodable, Equatable {
        let id: Int
        let image: String?
        let date: String
        let nickname: String
        let time: String
        let intensity: String
        let evaluation: String
        let comment: String
        let sport: String

        enum CodingKeys: String, CodingKey {
            case id = "certi_id"
            case image = "certi_image"
            case date = "certi_date"
            case nickname
            case time = "ex_time"
            case intensity = "ex_intensity"
            case evaluation = "ex_evalu"
            case comment = "ex_comment"
            case sport = "certi_sport"
        }
    }

    struct Info: Decodable, Equatable {
        let nickname: String
        let email: String
        let cycle: Int
        let count: Int
        let weekCount: Int

        enum CodingKeys: String, CodingKey {
            case nickname, email
            case cycle = "ex_cycle"
            case count = "certi_count"
            case weekCount = "week_count"
        }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct ExerciseAppTests {
    static let post =
        #"{"ex_time":"30분","ex_intensity":"보통","ex_evalu":"좋음","ex_comment":"첫 줄\n둘째 줄","certi_sport":"달리기"}"#

    private func decode<T: Decodable>(_ type: T.Type, _ response: RawResponse) throws -> T {
        let envelope = try JSONDecoder().decode(ExerciseApp.Envelope<T>.self, from: Data(response.body))
        #expect(envelope.success)
        #expect(envelope.status == 200)
        return try #require(envelope.data)
    }

    /// Signs up as the app does; the fields of later requests.
    private func signUp(_ service: ServiceHarness, _ name: String, cycle: String = "3") async throws -> [(
        String, String
    )] {
        let body =
            #"{"email":"\#(name)@school.example","password":"correct horse 1","nickname":"\#(name)","ex_cycle":\#(cycle)}"#
        return [("token", try decode(ExerciseApp.Account.self, try await service.post("/user/signup", body)).token)]
    }

    @Test func signingUpThenIn() async throws {
        try await ServiceHarness.run { service in
            let me = try await signUp(service, "하나", cycle: "\"5\"")
            let info = try decode(ExerciseApp.Info.self, try await service.get("/mypage/info", me))
            #expect(info.nickname == "하나")
            #expect(info.cycle == 5)
            let signedIn = try await service.post(
                "/user/signin", #"{"email":"하나@school.example","password":"correct horse 1"}"#)
            #expect(try decode(ExerciseApp.Account.self, signedIn).nickname == "하나")
            // The same account as the second app has, and its type decodes too.
            #expect(try decode(AccountApp.Account.self, signedIn).userName == "하나")
            let second = try decode(
                ExerciseApp.Info.self,
                try await service.send(
                    "PUT", "/mypage/cycle", "ex_cycle=7", type: "application/x-www-form-urlencoded", me))
            #expect(second.cycle == 7)
        }
    }

    @Test func aPostIsMadeReadEditedAndRemoved() async throws {
        try await ServiceHarness.run { service in
            let me = try await signUp(service, "a")
            let made = try decode(ExerciseApp.Certi.self, try await service.send("POST", "/certi", Self.post, me))
            #expect(made.date == CalendarDay(service.clock.now).description)
            #expect(made.image == nil)
            #expect(made.nickname == "a")
            #expect(made.comment == "첫 줄\n둘째 줄")
            let detail = try await service.get("/certi/detail/\(made.id)", me)
            #expect(detail.text.contains("\"certi_image\":null"))
            #expect(try decode(ExerciseApp.Certi.self, detail) == made)
            // Older builds leave the id out.
            let form = "ex_time=40%EB%B6%84&ex_intensity=b&ex_evalu=c&ex_comment=d&certi_sport=e"
            let edited = try decode(
                ExerciseApp.Certi.self,
                try await service.send("PUT", "/certi", form, type: "application/x-www-form-urlencoded", me))
            #expect(edited.id == made.id)
            #expect(edited.time == "40분")
            let again = try await service.send(
                "PUT", "/certi", #"{"certi_id":"\#(made.id)","ex_time":"50분"}"#, me)
            #expect(try decode(ExerciseApp.Certi.self, again).time == "50분")
            #expect(try decode(ExerciseApp.Certi.self, again).evaluation == "c")
            let removed = try await service.send("DELETE", "/certi/\(made.id)", nil, me)
            #expect(removed.json["success"] as? Bool == true)
            #expect(removed.text.contains("\"data\":null"))
            #expect(try await service.get("/certi/detail/\(made.id)", me).status == 404)
            #expect(
                try await service.send("PUT", "/certi", form, type: "application/x-www-form-urlencoded", me).status
                    == 404)
        }
    }

    @Test func aDayIsEverybodysAndAPageIsOnesOwn() async throws {
        try await ServiceHarness.run { service in
            let (a, b) = (try await signUp(service, "a"), try await signUp(service, "b"))
            let today = CalendarDay(service.clock.now).description
            let first = try decode(ExerciseApp.Certi.self, try await service.send("POST", "/certi", Self.post, a))
            service.clock.advance(by: 1)
            let second = try decode(ExerciseApp.Certi.self, try await service.send("POST", "/certi", Self.post, b))
            for date in [first.date, first.date + "T10:00:00", first.date + "%2010:00"]
            where second.date == today {
                let day = try decode([ExerciseApp.Certi].self, try await service.get("/certi?date=\(date)", b))
                #expect(day == [second, first])
            }
            #expect(try decode([ExerciseApp.Certi].self, try await service.get("/certi?date=2001-01-01", a)) == [])
            #expect(try decode([ExerciseApp.Certi].self, try await service.get("/mypage", a)) == [first])
            let info = try decode(ExerciseApp.Info.self, try await service.get("/mypage/info", a))
            #expect(info.count == 1)
            #expect(info.weekCount == 1)
            for response in [
                try await service.send("PUT", "/certi", #"{"certi_id":\#(first.id),"ex_time":"x"}"#, b),
                try await service.send("DELETE", "/certi/\(first.id)", nil, b),
            ] {
                #expect(response.status == 403)
                #expect(response.json["status"] as? Int == 403)
                #expect(response.json["success"] as? Bool == false)
            }
            #expect(try decode([ExerciseApp.Certi].self, try await service.get("/mypage", a)) == [first])
        }
    }

    @Test(arguments: [
        ("POST", "/user/signup", #"{"email":"x@h.example","password":"correct horse 1","nickname":"x"}"#, "ex_cycle"),
        (
            "POST", "/user/signup",
            #"{"email":"x@h.example","password":"correct horse 1","nickname":"x","ex_cycle":8}"#, "ex_cycle"
        ),
        (
            "POST", "/user/signup",
            #"{"email":"x@h.example","password":"correct horse 1","nickname":"x","ex_cycle":"a"}"#, "ex_cycle"
        ),
        ("POST", "/user/signup", #"{"email":"x@h.example","password":"correct horse 1","ex_cycle":1}"#, "nickname"),
        (
            "POST", "/user/signup", #"{"email":"x@h.example","password":"short","nickname":"x","ex_cycle":1}"#,
            "password"
        ),
        ("POST", "/user/signin", #"{"email":"x@h.example"}"#, "password"),
        ("POST", "/certi", #"{"ex_time":"a","ex_intensity":"b","ex_evalu":"c","ex_comment":"d"}"#, "certi_sport"),
        (
            "POST", "/certi", #"{"ex_time":1,"ex_intensity":"b","ex_evalu":"c","ex_comment":"d","certi_sport":"e"}"#,
            "ex_time"
        ),
        (
            "POST", "/certi",
            #"{"ex_time":"\u0007","ex_intensity":"b","ex_evalu":"c","ex_comment":"d","certi_sport":"e"}"#, "ex_time"
        ),
        ("PUT", "/certi", #"{"certi_id":"x"}"#, "certi_id"), ("PUT", "/certi", #"{"certi_id":0}"#, "certi_id"),
        ("PUT", "/mypage/cycle", "{}", "ex_cycle"), ("PUT", "/mypage/cycle", #"{"ex_cycle":0}"#, "ex_cycle"),
        ("GET", "/certi", nil, "date"), ("GET", "/certi?date=", nil, "date"),
        ("GET", "/certi?date=2026-02-30", nil, "date"),
        ("GET", "/certi/detail/x", nil, "certiId"), ("DELETE", "/certi/x", nil, "certiId"),
    ])
    func mistakesAreNamed(method: String, path: String, body: String?, field: String) async throws {
        try await ServiceHarness.run { service in
            let me = try await signUp(service, "a")
            let response = try await service.send(method, path, body, me)
            #expect(response.status == 400)
            #expect(response.json["status"] as? Int == 400)
            #expect((response.json["message"] as? String)?.hasPrefix(field) == true)
        }
    }

    @Test func nobodyPostsWithoutAName() async throws {
        try await ServiceHarness.run { service in
            // Nobody has to sign in here, but to these.
            for (method, path) in [
                ("GET", "/certi?date=2026-03-02"), ("POST", "/certi"), ("GET", "/mypage"), ("PUT", "/mypage/cycle"),
            ] {
                let response = try await service.send(method, path, nil)
                #expect(response.status == 401)
                #expect(response.json["success"] as? Bool == false)
            }
        }
    }
}
