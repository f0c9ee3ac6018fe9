import Foundation
import HalcyonRecords
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// Tokens that have ended, by time or by an admin.
@Suite(.timeLimit(.minutes(1)))
struct TokenTests {
    private static func token(_ user: User?, _ service: ServiceHarness, _ lifetime: TimeInterval = 60) async throws
        -> [(String, String)]
    {
        let token = try await service.records.issueToken(
            userID: #require(user).id, lifetime: lifetime, now: service.clock.now
        ).token
        return [("Authorization", "Bearer \(token)")]
    }

    /// RFC 6750 §3.1, in the envelope of each route; the photo lies in memory, where no database is asked.
    @Test func anExpiredTokenIsSaidToBeThatEverywhere() async throws {
        try await ServiceHarness.run { service in
            service.serve("/1.png")
            let id = try await service.student(photo: "/1.png")
            let users = try await AccessTests.users(service.records)
            let me = try await Self.token(users[.admin], service)
            let photo = "/students/\(id)/photo"
            for _ in 1...2 { #expect(try await service.get(photo, me).status == 200) }
            service.clock.advance(by: 61)
            for (method, path) in [
                ("GET", photo), ("HEAD", photo), ("PUT", photo), ("GET", "/students"), ("GET", "/mypage"),
                ("GET", "/noticeBoards/a.json"), ("GET", "/events"), ("POST", "/users/signout"), ("GET", "/metrics"),
            ] {
                let refused = try await service.send(method, path, method == "PUT" ? "x" : nil, me)
                #expect(refused.status == 401, "\(method) \(path)")
                #expect(refused["WWW-Authenticate"] == #"Bearer error="invalid_token""#, "\(method) \(path)")
            }
            #expect(try await service.get("/students", me).code == 4010)
            #expect(try await service.get("/mypage", me).json["status"] as? Int == 401)
            #expect(try await service.get("/noticeBoards/a.json", me).json["error"] is String)
        }
    }

    /// Where nobody has to sign in, a token that has ended does no harm, and opens nothing.
    @Test func onAnOpenServerAnExpiredTokenIsAsGoodAsNone() async throws {
        var adjustments = ServiceHarness.Adjustments()
        adjustments.server = { $0.isOpen = true }
        try await ServiceHarness.run(adjustments) { service in
            let me = try await Self.token(try await AccessTests.users(service.records)[.admin], service)
            #expect(try await service.get("/metrics", me).status == 200)
            service.clock.advance(by: 61)
            #expect(try await service.get("/guidances", me).status == 200)
            #expect(try await service.get("/metrics", me).status == 401)
        }
    }

    @Test func anAdminEndsAllTokensOfAnAccount() async throws {
        try await ServiceHarness.run { service in
            service.serve("/1.png")
            let id = try await service.student(photo: "/1.png")
            let users = try await AccessTests.users(service.records)
            let (viewer, staff) = (try #require(users[.viewer]), try #require(users[.staff]))
            let admin = try await Self.token(users[.admin], service)
            let mine = [try await Self.token(viewer, service), try await Self.token(viewer, service)]
            let other = try await Self.token(staff, service)
            let photo = "/students/\(id)/photo"
            for token in mine { for _ in 1...2 { #expect(try await service.get(photo, token).status == 200) } }
            let path = "/users/\(viewer.id)/tokens"
            func delete(_ path: String, _ token: [(String, String)]) async throws -> RawResponse {
                try await service.send("DELETE", path, nil, token)
            }
            for token in mine + [other] { #expect(try await delete(path, token).status == 403) }
            #expect(try await delete(path, []).status == 401)
            for count in [2, 0] {
                let answer = try await delete(path, admin)
                #expect(answer.code == 1000)
                #expect((answer.json["result"] as? [String: Any])?["tokens"] as? Int == count)
            }
            for token in mine {
                #expect(try await service.get(photo, token).status == 401)
                #expect(try await service.get("/users/me", token).status == 401)
            }
            #expect(try await service.get(photo, other).status == 200)
            // The account is still there.
            #expect(try await service.get("/users/me", try await Self.token(viewer, service)).status == 200)
            let unknown = try await delete("/users/999/tokens", admin)
            #expect(unknown.status == 404)
            #expect(unknown.code == 3001)
            #expect(try await delete("/users/x/tokens", admin).code == 2002)
            // One's own as well, the one in use included.
            #expect(try await delete("/users/\(try #require(users[.admin]).id)/tokens", admin).status == 200)
            #expect(try await service.get("/users/me", admin).status == 401)
        }
    }
}
