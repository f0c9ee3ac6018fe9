import Foundation
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// Writing below a notice, as the older clients' database has it
/// (https://firebase.google.com/docs/reference/rest/database, https://firebase.google.com/docs/database/rest/save-data):
/// a PATCH takes paths, `null` and DELETE take away, and what cannot be kept is refused.
@Suite(.timeLimit(.minutes(1)))
struct NoticeTreeUpdateTests {
    private static let n1 = "/noticeBoards/a/n1"
    private static let whole = """
        {"id":"n1","clubID":"a","rootUser":{"id":"u1","profileImage":"https://h.example/1.jpg","nickName":"컴동쌤",\
        "description":"d"},"title":"첫 공지","content":"내용","createDate":"2026-03-02","commentCount":"0",\
        "imageList":["https://h.example/a.jpg","https://h.example/b.jpg","https://h.example/c.jpg"]}
        """

    private static func withNotice(_ body: (ServiceHarness) async throws -> Void) async throws {
        try await ServiceHarness.run { (service) async throws in
            #expect(try await service.send("PUT", n1 + ".json", whole).status == 200)
            try await body(service)
        }
    }

    private static func get(_ service: ServiceHarness, _ place: String) async throws -> String {
        try await service.get("\(n1)\(place).json").text
    }

    @Test func aPatchTakesPaths() async throws {
        try await Self.withNotice { service in
            let answer = try await service.send(
                "PATCH", Self.n1 + ".json",
                #"{"rootUser/nickName":"새 이름","/imageList/1":"https://h.example/d.jpg","title":"고침","commentCount":"9"}"#
            )
            #expect(
                answer.json as? [String: String] == [
                    "rootUser/nickName": "새 이름", "/imageList/1": "https://h.example/d.jpg", "title": "고침",
                    "commentCount": "0",
                ])
            #expect(try await Self.get(service, "/rootUser/nickName") == "\"새 이름\"")
            #expect(try await Self.get(service, "/rootUser/id") == "\"u1\"")
            #expect(try await Self.get(service, "/rootUser/profileImage") == "\"https://h.example/1.jpg\"")
            #expect(
                try await Self.get(service, "/imageList")
                    == #"["https://h.example/a.jpg","https://h.example/d.jpg","https://h.example/c.jpg"]"#)
            #expect(try await Self.get(service, "/content") == "\"내용\"")
        }
    }

    @Test(
        arguments: [
            ("PUT", "/rootUser/nickName", "\"n\"", "\"n\""),
            ("PUT", "/rootUser/profileImage", "\"https://h.example/2.jpg\"", "\"https://h.example/2.jpg\""),
            ("PUT", "/rootUser/profileImageURL", "\"https://h.example/2.jpg\"", "\"https://h.example/2.jpg\""),
            ("DELETE", "/rootUser/profileImage", nil, "null"), ("DELETE", "/rootUser/description", nil, "null"),
            ("PUT", "/rootUser/description", "null", "null"), ("DELETE", "/content", nil, "\"\""),
            ("DELETE", "/imageList", nil, "[]"),
            ("PUT", "/imageList/3", "\"https://h.example/e.jpg\"", "\"https://h.example/e.jpg\""),
            ("DELETE", "/imageList/2", nil, "null"), ("DELETE", "/imageList/0", nil, "\"https://h.example/b.jpg\""),
            ("PATCH", "/rootUser", #"{"nickName":"n"}"#, nil),
        ] as [(String, String, String?, String?)])
    func aPlaceIsWrittenAndTakenAway(method: String, place: String, body: String?, after: String?) async throws {
        try await Self.withNotice { service in
            let answer = try await service.send(method, "\(Self.n1)\(place).json", body)
            #expect(answer.status == 200, "\(answer.text)")
            // What was written is answered; nothing for what was taken away.
            #expect(answer.text == (method == "DELETE" ? "null" : body))
            if let after { #expect(try await Self.get(service, place) == after) }
            #expect(try await Self.get(service, "/rootUser/id") == "\"u1\"")
            #expect(try await Self.get(service, "/title") == "\"첫 공지\"")
        }
    }

    @Test(
        arguments: [
            ("PATCH", "", #"{"titel":"x"}"#, "titel"), ("PATCH", "", #"{"title":"x","likes":1}"#, "likes"),
            ("PATCH", "", #"{"rootUser/nick":"x"}"#, "rootUser/nick"), ("PATCH", "", #"{"title/x":"y"}"#, "title/x"),
            ("PATCH", "", #"{"rootUser/a/b":"y"}"#, "rootUser/a/b"),
            ("PATCH", "", #"{"imageList/x":"y"}"#, "imageList/x"),
            ("PATCH", "", #"{"imageList/7":"https://h.example/x"}"#, "imageList/7"),
            ("PATCH", "", #"{"rootUser":{"id":"u1","nickName":"n"},"rootUser/id":"u2"}"#, "rootUser/id"),
            ("PATCH", "", #"{"rootUser":{"id":"u1","nickName":"n","age":1}}"#, "rootUser/age"),
            ("PATCH", "", #"{"title":null}"#, "title"), ("PATCH", "", #"{"createDate":null}"#, "createDate"),
            ("PATCH", "", #"{"rootUser/id":null}"#, "rootUser.id"), ("PATCH", "", #"{"id":"n2"}"#, "id"),
            ("PATCH", "", #"{"clubID":"b"}"#, "clubID"), ("PATCH", "", "{}", "the body"), ("PATCH", "", #"{"":1}"#, ""),
            ("PUT", "", #"{"rootUser":{"id":"1","nickName":"a"},"title":"x","likes":1}"#, "likes"),
            ("PUT", "", #"{"rootUser":{"id":"1","nickName":"a"},"title":"x","id":"n2"}"#, "id"),
            ("PUT", "/likes", "1", "path"), ("PUT", "/rootUser/age", "1", "rootUser/age"),
            ("PUT", "/title", "1", "title"),
            ("DELETE", "/title", nil, "title"), ("DELETE", "/rootUser", nil, "rootUser"),
            ("DELETE", "/rootUser/nickName", nil, "rootUser.nickName"), ("DELETE", "/commentCount", nil, "path"),
            ("PATCH", "/title", #"{"a":1}"#, "title/a"),
        ] as [(String, String, String?, String)])
    func whatCannotBeKeptIsNamed(method: String, place: String, body: String?, name: String) async throws {
        try await Self.withNotice { service in
            let before = try await Self.get(service, "")
            let answer = try await service.send(method, "\(Self.n1)\(place).json", body)
            #expect(answer.status == 400)
            #expect((answer.json["error"] as? String)?.hasPrefix(name) == true, "\(answer.text)")
            #expect(try await Self.get(service, "") == before)
        }
    }

    /// Comments are no part of the tree, and clubs are not removed with a word.
    @Test(arguments: [
        ("GET", "/noticeBoards/a/n1/comments.json", 404), ("PUT", "/noticeBoards/a/n1/comments.json", 404),
        ("GET", "/noticeBoards/a/n1/comments/c1.json", 404), ("PUT", "/noticeBoards/a/n1/comments/c1.json", 404),
        ("DELETE", "/noticeBoards/a/n1/comments/c1.json", 404),
        ("GET", "/noticeBoards/a/n1/comments/c1/content.json", 404), ("DELETE", "/noticeBoards/a.json", 405),
        ("POST", "/noticeBoards/a/n1.json", 405), ("PUT", "/noticeBoards/a/none/rootUser/nickName.json", 404),
        ("DELETE", "/noticeBoards/a/none/content.json", 404),
    ])
    func whatIsNotInTheTreeIsSaidNotToBe(method: String, path: String, status: Int) async throws {
        try await Self.withNotice { (service) async throws in
            let body = method == "GET" || method == "DELETE" ? nil : "\"x\""
            #expect(try await service.send(method, path, body).status == status)
            #expect(try await Self.get(service, "/title") == "\"첫 공지\"")
        }
    }

    /// Each knows what the others wrote: none of it is lost.
    @Test func updatesOfDifferentPlacesAtOnceAreAllKept() async throws {
        try await Self.withNotice { service in
            let places = [
                "rootUser/nickName": "x1", "rootUser/description": "x2", "imageList/0": "https://h.example/x3",
                "imageList/1": "https://h.example/x4", "imageList/2": "https://h.example/x5", "title": "x6",
                "rootUser/profileImage": "https://h.example/x7", "content": "x8",
            ]
            try await withThrowingTaskGroup(of: Int.self) { group in
                for (place, value) in places {
                    group.addTask {
                        try await service.send("PATCH", Self.n1 + ".json", "{\"\(place)\":\"\(value)\"}").status
                    }
                }
                for try await status in group { #expect(status == 200) }
            }
            for (place, value) in places { #expect(try await Self.get(service, "/\(place)") == "\"\(value)\"") }
        }
    }

    /// docs/boards.md: whole, it makes one; a part of none is 404.
    @Test func aPatchMakesANoticeOnlyIfItIsWhole() async throws {
        try await ServiceHarness.run { (service) async throws in
            for body in [#"{"title":"t"}"#, #"{"rootUser/nickName":"n","title":"t"}"#, #"{"content":"c"}"#] {
                #expect(try await service.send("PATCH", Self.n1 + ".json", body).status == 404)
            }
            #expect(try await Self.get(service, "") == "null")
            #expect(try await service.send("PATCH", Self.n1 + ".json", Self.whole).status == 200)
            #expect(try await Self.get(service, "/rootUser/nickName") == "\"컴동쌤\"")
        }
    }
}
