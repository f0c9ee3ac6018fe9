import Foundation
import Testing

@testable import HalcyonServer

/// OLD-CLIENTS.md, section B.
@Suite(.timeLimit(.minutes(1)))
struct UserRouteTests {
    static let account = #"{"email":"a@school.example","password":"correct horse 1","userName":"컴동쌤"}"#

    @Test func signingUpAndInAnswersInTheSecondEnvelope() async throws {
        try await ServiceHarness.run { service in
            let up = try await service.post("/users/signup", Self.account)
            #expect(up.status == 200)
            #expect(up.json["status"] as? Int == 200)
            #expect(up.json["success"] as? Bool == true)
            let data = try #require(up.json["data"] as? [String: Any])
            #expect(data["email"] as? String == "a@school.example")
            #expect(data["userName"] as? String == "컴동쌤")
            #expect(data["password"] as? String == "")
            #expect((data["token"] as? String)?.isEmpty == false)
            let again = try await service.post("/users/signup", Self.account)
            #expect(again.status == 409)
            let right = try await service.post(
                "/users/signin", #"{"email":"A@School.example","password":"correct horse 1"}"#)
            #expect(right.status == 200)
            let wrong = try await service.post("/users/signin", #"{"email":"a@school.example","password":"wrong"}"#)
            #expect(wrong.status == 401)
            for failure in [again, wrong] {
                #expect(failure.json["success"] as? Bool == false)
                #expect(failure.text.contains("\"data\":null"))
                #expect((failure.json["message"] as? String)?.isEmpty == false)
            }
        }
    }

    @Test(arguments: ["{}", "{", "[]", #"{"email":"a@school.example"}"#, #"{"email":1,"password":"x"}"#])
    func mistakesComeInTheSecondEnvelope(body: String) async throws {
        try await ServiceHarness.run { service in
            let response = try await service.post("/users/signin", body)
            #expect(response.status == 400)
            #expect(response.json["status"] as? Int == 400)
            #expect(response.json["success"] as? Bool == false)
            #expect(response.json["isSuccess"] == nil)
            #expect(try await service.get("/users/signin").json["status"] as? Int == 405)
        }
    }

    @Test func guessingIsSlowedDownByAccountAndByAddress() throws {
        let limiter = SignInLimiter(now: { .init(timeIntervalSince1970: 0) })
        for number in 0..<10 { try limiter.admit(address: "10.0.0.\(number)", account: "a@h") }
        #expect(throws: Problem.self) { try limiter.admit(address: "10.0.0.99", account: "A@h ") }
        for number in 0..<30 { try limiter.admit(address: "10.0.1.1", account: "\(number)@h") }
        #expect(throws: Problem.self) { try limiter.admit(address: "10.0.1.1", account: "new@h") }
        try limiter.admit(address: "10.0.1.2", account: "new@h")
    }
}
