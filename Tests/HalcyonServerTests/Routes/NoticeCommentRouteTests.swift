import Foundation
import HalcyonRecords
import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct NoticeCommentRouteTests {
    private static let author = #""author":{"id":"u1","nickName":"컴동쌤","profileImage":"https://h.example/a.jpg"}"#

    private func notice(_ service: ServiceHarness, club: String = "a") async throws -> String {
        let made = try await service.post("/noticeBoards/\(club)", "{\(NoticeRouteTests.author),\"title\":\"제목\"}")
        return try #require((made.json["result"] as? [String: Any])?["id"] as? String)
    }

    private func count(_ service: ServiceHarness, _ notice: String) async throws -> String? {
        (try await service.get(notice).json["result"] as? [String: Any])?["commentCount"] as? String
    }

    @Test func commentsAreMadeEditedAndRemoved() async throws {
        try await ServiceHarness.run { service in
            let board = "/noticeBoards/a/\(try await notice(service))"
            let comments = board + "/comments"
            #expect(try await service.get(comments).text.contains("\"result\":[]"))
            let made = try await service.post(comments, "{\(Self.author),\"content\":\"좋아요\"}")
            #expect(made.status == 200)
            let comment = try #require(made.json["result"] as? [String: Any])
            #expect(comment["content"] as? String == "좋아요")
            #expect((comment["author"] as? [String: Any])?["profileImageURL"] as? String == "https://h.example/a.jpg")
            let id = try #require(comment["id"] as? String)
            let second = try await service.send(
                "POST", comments, "content=%EB%91%98&author[id]=u2&author[nickName]=B",
                type: "application/x-www-form-urlencoded")
            #expect((second.json["result"] as? [String: Any])?["content"] as? String == "둘")
            #expect(try await count(service, board) == "2")
            let edited = try await service.send("PUT", "\(comments)/\(id)", #"{"content":"고침"}"#)
            #expect((edited.json["result"] as? [String: Any])?["content"] as? String == "고침")
            let left = try await service.send("DELETE", "\(comments)/\(id)", nil)
            #expect((left.json["result"] as? [[String: Any]])?.map { $0["content"] as? String } == ["둘"])
            #expect(try await service.send("DELETE", "\(comments)/\(id)", nil).status == 404)
            #expect(try await count(service, board) == "1")
        }
    }

    @Test func anotherClubAndAnotherNoticeHaveNone() async throws {
        try await ServiceHarness.run { service in
            let id = try await notice(service)
            _ = try await notice(service, club: "b")
            for target in ["/noticeBoards/b/\(id)", "/noticeBoards/a/x"] {
                #expect(try await service.get(target).code == 3001)
                #expect(try await service.get(target + "/comments").code == 3001)
                #expect(
                    try await service.post(target + "/comments", "{\(Self.author),\"content\":\"x\"}").code == 3001)
                #expect(try await service.send("PUT", target + "/comments/y", #"{"content":"x"}"#).code == 3001)
                #expect(try await service.send("DELETE", target + "/comments/y", nil).code == 3001)
            }
        }
    }

    @Test(arguments: [
        (#"{"content":"x"}"#, 2001, "author"), (#"{\#(author)}"#, 2001, "content"),
        (#"{\#(author),"content":1}"#, 2002, "content"), (#"{\#(author),"content":" "}"#, 2003, "content"),
        (#"{"author":{"id":"1"},"content":"x"}"#, 2001, "author.nickName"),
        (#"{"author":{"id":"1","nickName":"a","profileImage":"x"},"content":"x"}"#, 2003, "author.profileImageURL"),
        (#"{\#(author),"content":"x","createDate":"today"}"#, 2003, "createDate"), ("[]", 2006, ""),
    ])
    func mistakesAreNamed(body: String, code: Int, field: String) async throws {
        try await ServiceHarness.run { service in
            let response = try await service.post("/noticeBoards/a/\(try await notice(service))/comments", body)
            #expect(response.status == 400)
            #expect(response.code == code)
            #expect((response.json["message"] as? String)?.hasPrefix(field) == true)
        }
    }

    @Test func whoeverIsSignedInNeedsNoAuthor() async throws {
        try await ServiceHarness.run { service in
            let users = try await AccessTests.users(service.records)
            let token = [("token", try await AccessTests.token(users[.staff], service.records))]
            let made = try await service.send(
                "POST", "/noticeBoards/a", "title=%EA%B3%B5%EC%A7%80", type: "application/x-www-form-urlencoded", token)
            let notice = try #require(made.json["result"] as? [String: Any])
            #expect(notice["title"] as? String == "공지")
            let author = try #require(notice["rootUser"] as? [String: Any])
            #expect(author["nickName"] as? String == "staff")
            #expect(author["id"] as? String == users[.staff].map { "\($0.id)" })
            let id = try #require(notice["id"] as? String)
            let comment = try await service.send("POST", "/noticeBoards/a/\(id)/comments", #"{"content":"x"}"#, token)
            #expect(
                ((comment.json["result"] as? [String: Any])?["author"] as? [String: Any])?["nickName"] as? String
                    == "staff")
            let change = try await service.records.journal(after: 0, limit: 1000, topics: [.noticeBoards])
            let actor = "user:\(try #require(users[.staff]).id)"
            #expect(change.map(\.actor) == [actor, actor])
        }
    }
}
