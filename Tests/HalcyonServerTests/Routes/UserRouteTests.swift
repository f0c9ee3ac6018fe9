import Foundation
import HalcyonRecords
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

    private func send(
        _ service: ServiceHarness, _ method: String, _ target: String, token: String?, body: String = "",
        contentType: String = "application/json"
    ) async throws -> RawResponse {
        let credentials = token.map { [("Authorization", "Bearer \($0)")] } ?? []
        return try #require(
            try await RawClient.request(
                port: service.port, method, target, credentials, body: body, contentType: contentType))
    }

    private func signUp(_ service: ServiceHarness, _ email: String) async throws -> String {
        try await service.records.signUp(
            email: email, password: "correct horse 1", userName: "n", now: service.clock.now
        ).token
    }

    @Test func aFormSignsInAsJSONDoes() async throws {
        try await ServiceHarness.run { service in
            _ = try await signUp(service, "a@school.example")
            let body = "email=a%40school.example&password=correct%20horse%201"
            let answer = try await send(
                service, "POST", "/users/signin", token: nil, body: body,
                contentType: "application/x-www-form-urlencoded")
            #expect(answer.status == 200)
        }
    }

    @Test func changingThePasswordAnswersWithTheOneTokenThatIsGood() async throws {
        try await ServiceHarness.run { service in
            let token = try await signUp(service, "a@school.example")
            let path = "/users/password"
            let wrong = try await send(
                service, "PUT", path, token: token, body: #"{"password":"x","newPassword":"another horse 2"}"#)
            #expect(wrong.status == 400)
            #expect(wrong.json["message"] as? String == "password: accepted is the present password")
            #expect(wrong.text.contains("\"data\":null"))
            let body = #"{"password":"correct horse 1","newPassword":"another horse 2"}"#
            #expect(try await send(service, "PUT", path, token: nil, body: body).status == 401)
            let answer = try await send(service, "PUT", path, token: token, body: body)
            #expect(answer.status == 200)
            let new = try #require((answer.json["data"] as? [String: Any])?["token"] as? String)
            #expect(try await send(service, "GET", "/users/me", token: token).status == 401)
            let me = try await send(service, "GET", "/users/me", token: new)
            #expect((me.json["result"] as? [String: Any])?["email"] as? String == "a@school.example")
            #expect((me.json["result"] as? [String: Any])?["role"] as? String == "admin")
            for _ in 0..<10 {
                _ = try await send(
                    service, "PUT", path, token: new, body: #"{"password":"x","newPassword":"another horse 2"}"#)
            }
            let slowed = try await send(
                service, "PUT", path, token: new, body: #"{"password":"x","newPassword":"another horse 2"}"#)
            #expect(slowed.status == 429)
            #expect(slowed["Retry-After"] != nil)
        }
    }

    @Test func signingOutEndsThisTokenOrAll() async throws {
        try await ServiceHarness.run { service in
            let first = try await signUp(service, "a@school.example")
            let userID = try #require(try await service.records.user(token: first)).id
            let (second, third) = (
                try await service.records.issueToken(userID: userID).token,
                try await service.records.issueToken(userID: userID).token
            )
            let answer = try await send(service, "POST", "/users/signout", token: first)
            #expect(answer.status == 200)
            #expect(answer.text.contains("\"data\":null"))
            #expect(try await send(service, "POST", "/users/signout", token: first).status == 401)
            #expect(try await send(service, "GET", "/users/me", token: second).status == 200)
            let everywhere = #"{"everywhere":true}"#
            #expect(try await send(service, "POST", "/users/signout", token: second, body: everywhere).status == 200)
            #expect(try await send(service, "GET", "/users/me", token: third).status == 401)
        }
    }

    @Test func anAdminRunsTheAccounts() async throws {
        try await ServiceHarness.run { service in
            let admin = try await signUp(service, "a@school.example")
            let other = try await signUp(service, "b@school.example")
            let list = try await send(service, "GET", "/users", token: admin)
            let users = try #require(list.json["result"] as? [[String: Any]])
            #expect(users.map { $0["role"] as? String } == ["admin", "viewer"])
            #expect(!list.text.contains("argon2"))
            let (adminID, otherID) = (try #require(users[0]["id"] as? Int), try #require(users[1]["id"] as? Int))
            #expect(try await send(service, "GET", "/users", token: other).status == 403)

            for (body, status) in [
                (#"{"role":"boss"}"#, 400), ("{}", 400), (#"{"role":1}"#, 400), (#"{"role":"staff"}"#, 409),
                (#"{"userName":"교장"}"#, 200),
            ] {
                #expect(try await send(service, "PUT", "/users/\(adminID)", token: admin, body: body).status == status)
            }
            let last = try await send(service, "DELETE", "/users/\(adminID)", token: admin)
            #expect(last.status == 409)
            #expect(last.json["code"] as? Int == 3000)
            let raised = try await send(
                service, "PUT", "/users/\(otherID)", token: admin, body: #"{"role":"staff"}"#)
            #expect((raised.json["result"] as? [String: Any])?["role"] as? String == "staff")
            #expect(try await send(service, "GET", "/guidances", token: other).status == 200)
            let ended = try await send(service, "DELETE", "/users/\(otherID)/tokens", token: admin)
            #expect((ended.json["result"] as? [String: Any])?["tokens"] as? Int == 1)
            #expect(try await send(service, "GET", "/users/me", token: other).status == 401)
            #expect(try await send(service, "DELETE", "/users/\(otherID)", token: admin).status == 200)
            #expect(try await send(service, "DELETE", "/users/\(otherID)", token: admin).status == 404)
        }
    }

    @Test func theAuditTrailSaysWhoDidWhat() async throws {
        try await ServiceHarness.run { service in
            let admin = try await signUp(service, "a@school.example")
            let staff = try await service.records.addUser(
                email: "b@school.example", password: "correct horse 1", userName: "n", role: .staff)
            let token = try await service.records.issueToken(userID: staff.id).token
            let id = try await service.student(photo: nil)
            let body = #"{"studentID":\#(id),"reason":"무단횡단"}"#
            #expect(try await send(service, "POST", "/guidances", token: token, body: body).status == 200)
            #expect(
                try await send(service, "PUT", "/users/\(staff.id)", token: admin, body: #"{"role":"viewer"}"#).status
                    == 200)
            let answer = try await send(service, "GET", "/audit?limit=2", token: admin)
            let entries = try #require(answer.json["result"] as? [[String: Any]])
            #expect(entries.map { $0["actor"] as? String } == ["user:1", "user:2"])
            #expect(entries.map { $0["topic"] as? String } == ["users", "guidances"])
            #expect(entries[0]["fields"] as? [String] == ["role"])
            #expect(!answer.text.contains("viewer") && !answer.text.contains("무단횡단"))
            let next = try #require(answer.json["next"] as? String)
            let older = try await send(service, "GET", "/audit?before=\(next)&limit=1000", token: admin)
            let seqs = (older.json["result"] as? [[String: Any]])?.map { $0["seq"] as? Int }
            #expect(seqs == [4, 3, 2, 1])
            #expect(older.json["next"] == nil)
            for (query, count) in [
                ("topic=guidances", 1), ("actor=user:2", 1), ("record=\(staff.id)&topic=users", 3),
                ("after=4", 2), ("after=4&before=6", 1),
            ] {
                let some = try await send(service, "GET", "/audit?\(query)", token: admin)
                #expect((some.json["result"] as? [Any])?.count == count, "\(query)")
            }
            for query in ["topic=x", "limit=0", "limit=1001", "after=x"] {
                #expect(try await send(service, "GET", "/audit?\(query)", token: admin).status == 400)
            }
            #expect(try await send(service, "GET", "/audit", token: token).status == 403)
        }
    }
}
