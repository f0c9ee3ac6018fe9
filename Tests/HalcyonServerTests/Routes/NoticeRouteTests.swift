import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct NoticeRouteTests {
    static let author = #""rootUser":{"id":"u1","nickName":"컴동쌤","profileImage":"https://h.example/a.jpg"}"#

    @Test func aClubSeesItsOwnNoticesNewestFirst() async throws {
        try await ServiceHarness.run { service in
            #expect(try await service.get("/noticeBoards/a").text.contains("\"result\":[]"))
            for (title, date) in [("old", "2026-01-01T00:00:00Z"), ("new", "2026-02-01T00:00:00Z")] {
                let body = #"{\#(Self.author),"title":"\#(title)","content":"x","createDate":"\#(date)"}"#
                #expect(try await service.post("/noticeBoards/a", body).status == 200)
            }
            let notices = try #require(try await service.get("/noticeBoards/a").json["result"] as? [[String: Any]])
            #expect(notices.map { $0["title"] as? String } == ["new", "old"])
            #expect(notices[0]["commentCount"] as? String == "0")
            #expect(notices[0]["createDate"] as? String == "2026-02-01T00:00:00Z")
            let author = try #require(notices[0]["rootUser"] as? [String: Any])
            #expect(author["profileImageURL"] as? String == "https://h.example/a.jpg")
            #expect(author["profileImage"] as? String == "https://h.example/a.jpg")
            #expect(try await service.get("/noticeBoards/b").text.contains("\"result\":[]"))
            let id = try #require(notices[0]["id"] as? String)
            let edit = #"{"title":"newer"}"#
            let edited = try await RawClient.request(port: service.port, "PUT", "/noticeBoards/a/\(id)", body: edit)
            #expect((edited?.json["result"] as? [String: Any])?["title"] as? String == "newer")
            #expect(
                try await RawClient.request(port: service.port, "PUT", "/noticeBoards/b/\(id)", body: edit)?.status
                    == 404)
            let left = try await RawClient.request(port: service.port, "DELETE", "/noticeBoards/a/\(id)")
            #expect((left?.json["result"] as? [Any])?.count == 1)
        }
    }

    @Test(arguments: [
        (#"{"title":"x"}"#, 2001, "rootUser"), (#"{\#(author)}"#, 2001, "title"),
        (#"{\#(author),"title":1}"#, 2002, "title"),
        (#"{"rootUser":{"id":"1"},"title":"x"}"#, 2001, "rootUser.nickName"),
        (#"{"rootUser":"x","title":"x"}"#, 2002, "rootUser"),
        (#"{\#(author),"title":"x","createDate":"today"}"#, 2003, "createDate"), ("[]", 2006, ""), ("{", 2006, ""),
    ])
    func mistakesAreNamed(body: String, code: Int, field: String) async throws {
        try await ServiceHarness.run { service in
            let response = try await service.post("/noticeBoards/a", body)
            #expect(response.status == 400)
            #expect(response.code == code)
            #expect((response.json["message"] as? String)?.hasPrefix(field) == true)
        }
    }
}
