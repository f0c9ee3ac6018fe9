import Foundation
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// OLD-CLIENTS.md, section C. The types are the app's own.
enum NoticeApp {
    struct User: Decodable, Equatable {
        let id: String
        let profileImage: String?
        let nickName: String
        let description: String?
    }

    struct Notice: Decodable, Equatable {
        let id: String
        let clubID: String
        let rootUser: User
        let title: String
        let content: String
        let createDate: String
        let imageList: [String]?
        let commentCount: String
    }

    struct Comment: Decodable {
        let id: String
        let noticeID: String
        let author: User
        let createDate: String
        let content: String
    }
}

/// The tree as that database's public interface offers it.
@Suite(.timeLimit(.minutes(1)))
struct NoticeAppTests {
    private static let korean = "2026년 3월 2일 오전 9:00"

    /// As the app's encoder writes it.
    private static func body(_ id: String = "n1", title: String = "첫 공지", date: String = korean) -> String {
        """
        {"id":"\(id)","rootUser":{"id":"u1","profileImage":"https://h.example/u1.jpg","nickName":"컴동쌤"},\
        "title":"\(title)","content":"내용\\n둘째 줄","createDate":"\(date)","commentCount":"0"}
        """
    }

    private func decode<T: Decodable>(_ type: T.Type, _ response: RawResponse) throws -> T {
        try JSONDecoder().decode(type, from: Data(response.body))
    }

    @Test func aTreeIsWrittenReadAndTakenDown() async throws {
        try await ServiceHarness.run { service in
            let club = "/noticeBoards/%EC%BB%B4%EB%8F%99.json"
            let n1 = "/noticeBoards/%EC%BB%B4%EB%8F%99/n1.json"
            let empty = try await service.get(club)
            #expect(empty.status == 200)
            #expect(empty.text == "null")
            #expect(try await service.get(n1).text == "null")
            let put = try decode(NoticeApp.Notice.self, try await service.send("PUT", n1, Self.body()))
            #expect(put.createDate == Self.korean)
            #expect(put.clubID == "컴동")
            #expect(put.commentCount == "0")
            #expect(put.rootUser.profileImage == "https://h.example/u1.jpg")
            #expect(try decode(NoticeApp.Notice.self, try await service.get(n1)) == put)
            let pushed = try await service.send("POST", club, Self.body("", title: "둘째"))
            let name = try #require(pushed.json["name"] as? String)
            #expect(name.utf8.count == 20)
            let all = try decode([String: NoticeApp.Notice].self, try await service.get(club))
            #expect(Set(all.keys) == ["n1", name])
            #expect(all[name]?.id == name)
            let patched = try await service.send("PATCH", n1, #"{"title":"고침","content":""}"#)
            #expect(patched.json as? [String: String] == ["title": "고침", "content": ""])
            #expect(try decode(NoticeApp.Notice.self, try await service.get(n1)).rootUser == put.rootUser)
            for _ in 1...2 {
                let gone = try await service.send("DELETE", n1, nil)
                #expect(gone.status == 200)
                #expect(gone.text == "null")
            }
            #expect(try await service.get(n1).text == "null")
        }
    }

    @Test func bothFormsAreOneBoard() async throws {
        try await ServiceHarness.run { service in
            _ = try await service.send("PUT", "/noticeBoards/a/n1.json", Self.body(date: "2026-03-02T09:00:00+09:00"))
            let list = try await service.get("/noticeBoards/a")
            #expect(list.text.contains("첫 공지"))
            let comment = try await service.post(
                "/noticeBoards/a/n1/comments", #"{"author":{"id":"u2","nickName":"B"},"content":"네"}"#)
            let decoded = try decode(FaceCheckApp.Envelope<NoticeApp.Comment>.self, comment)
            #expect(decoded.result?.author.nickName == "B")
            // What the app writes of the count, which it does not keep, does not undo ours.
            let put = try await service.send("PUT", "/noticeBoards/a/n1.json", Self.body())
            #expect(try decode(NoticeApp.Notice.self, put).commentCount == "1")
            #expect(try await service.get("/noticeBoards/b.json").text == "null")
            #expect(try await service.get("/noticeBoards/b/n1.json").text == "null")
            #expect(try await service.send("DELETE", "/noticeBoards/b/n1.json", nil).text == "null")
            let mine = try decode(
                FaceCheckApp.Envelope<[NoticeApp.Notice]>.self, try await service.get("/noticeBoards/a"))
            #expect(mine.result?.map(\.commentCount) == ["1"])
        }
    }

    @Test func childrenHavePathsOfTheirOwn() async throws {
        try await ServiceHarness.run { service in
            _ = try await service.send("PUT", "/noticeBoards/a/n1.json", Self.body())
            #expect(try await service.get("/noticeBoards/a/n1/title.json").text == "\"첫 공지\"")
            #expect(try await service.get("/noticeBoards/a/n1/rootUser/nickName.json").text == "\"컴동쌤\"")
            #expect(try await service.get("/noticeBoards/a/n1/nothing.json").text == "null")
            #expect(try await service.get("/noticeBoards/a/none/title.json").text == "null")
            #expect(try await service.send("PUT", "/noticeBoards/a/n1/title.json", "\"새 제목\"").text == "\"새 제목\"")
            #expect(try await service.send("PUT", "/noticeBoards/a/n1/title.json", "null").status == 400)
            #expect(try await service.send("PUT", "/noticeBoards/a/n1/title.json", "\"").status == 400)
            #expect(try await service.send("PUT", "/noticeBoards/a/n1/commentCount.json", "\"7\"").status == 400)
            #expect(try await service.get("/noticeBoards/a/n1/title.json").text == "\"새 제목\"")
        }
    }

    @Test func aPartCanBeAskedFor() async throws {
        try await ServiceHarness.run { service in
            for (id, date) in [("a", "3"), ("b", "1"), ("c", "2")] {
                _ = try await service.send("PUT", "/noticeBoards/k/\(id).json", Self.body(id, date: date))
            }
            let board = "/noticeBoards/k.json"
            #expect(
                try await service.get(board + "?shallow=true").json as? [String: Bool] == [
                    "a": true, "b": true, "c": true,
                ])
            func keys(_ query: String) async throws -> Set<String> {
                Set(try await service.get(board + "?" + query).json.keys)
            }
            #expect(try await keys("orderBy=%22$key%22&limitToLast=2") == ["b", "c"])
            #expect(try await keys("orderBy=%22createDate%22&limitToFirst=2") == ["b", "c"])
            for query in [
                "limitToFirst=1", "orderBy=createDate", "orderBy=%22$key%22&startAt=%22b%22",
                "orderBy=%22$key%22&limitToFirst=0",
            ] {
                let refused = try await service.get(board + "?" + query)
                #expect(refused.status == 400)
                #expect((refused.json["error"] as? String)?.isEmpty == false)
            }
            let silent = try await service.send("PUT", "/noticeBoards/k/d.json?print=silent", Self.body("d"))
            #expect(silent.status == 204)
            #expect(silent.body.isEmpty)
            #expect(try await service.get("/noticeBoards/k/d.json").text != "null")
        }
    }

    /// curl calls what it sends a form unless told otherwise, and that database does not mind.
    @Test func theBodyIsJSONWhateverItIsCalled() async throws {
        try await ServiceHarness.run { service in
            let put = try await service.send(
                "PUT", "/noticeBoards/a/n1.json", Self.body(), type: "application/x-www-form-urlencoded")
            #expect(try decode(NoticeApp.Notice.self, put).title == "첫 공지")
        }
    }

    @Test(arguments: [
        ("PUT", "n1", #"{"title":"x"}"#, "rootUser"),
        ("PUT", "n1", #"{"rootUser":{"id":"1","nickName":"a"}}"#, "title"),
        ("PUT", "n1", #"{"rootUser":{"id":"1"},"title":"x"}"#, "rootUser.nickName"),
        ("PATCH", "n1", #"{"imageList":["x"]}"#, "imageList"), ("PATCH", "n1", #"{"title":1}"#, "title"),
        ("PUT", "a.b", body(), "id"), ("PUT", "n1", "[]", ""), ("PUT", "n1", "{", ""),
    ])
    func mistakesAreNamedWithoutAnEnvelope(method: String, id: String, body: String, field: String) async throws {
        try await ServiceHarness.run { service in
            _ = try await service.send("PUT", "/noticeBoards/a/n1.json", Self.body())
            let response = try await service.send(method, "/noticeBoards/a/\(id).json", body)
            #expect(response.status == 400)
            #expect(Array(response.json.keys) == ["error"])
            #expect((response.json["error"] as? String)?.hasPrefix(field) == true)
        }
    }

    @Test func aPatchOfNoNoticeIsRefused() async throws {
        try await ServiceHarness.run { (service) async throws in
            #expect(try await service.send("PATCH", "/noticeBoards/a/x.json", #"{"title":"y"}"#).status == 404)
            #expect(try await service.get("/noticeBoards/a.json").text == "null")
        }
    }
}
