import Foundation
import HalcyonRecords
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// CONTRACT.md, "HTTP: records": failures have a code, and a message that names the field and what is accepted.
@Suite(.timeLimit(.minutes(1)))
struct RefusalTests {
    private static let notice = #""title":"t","rootUser":{"id":"u","nickName":"n"}"#

    /// 2002 is for what is not of the type, 2003 for what is but is not accepted.
    @Test(arguments: [
        ("/students?limit=x", 2002, "limit"), ("/students?limit=1.5", 2002, "limit"),
        ("/students?limit=", 2002, "limit"),
        ("/students?limit=%2B1", 2002, "limit"), ("/students?limit=-", 2002, "limit"),
        ("/students?limit=-1", 2003, "limit"), ("/students?limit=0", 2003, "limit"),
        ("/students?limit=99999999999999999999999999", 2003, "limit"),
        ("/students/99999999999999999999999999", 2003, "id"), ("/students/x", 2002, "id"),
        ("/guidances?status=gone", 2003, "status"), ("/guidances/counts?by=week", 2003, "by"),
        ("/events?topics=weather", 2003, "topics"), ("/audit?topic=weather", 2003, "topic"),
        ("/students/1/photo?placeholder=svg", 2003, "placeholder"),
        ("/images?url=ftp%3A%2F%2Fh%2F", 2003, "url"), ("/images", 2001, "url"),
    ])
    func whatTheQueryHoldsIsToldApart(target: String, code: Int, field: String) async throws {
        try await ServiceHarness.run { service in
            let response = try await service.get(target)
            #expect(response.status == 400)
            #expect(response.code == code)
            #expect((response.json["message"] as? String)?.hasPrefix(field) == true)
        }
    }

    @Test(arguments: [
        ("POST", "/students", #"{"grade":1e30,"classNumber":1,"number":1,"name":"a"}"#, 2003, "grade: accepted"),
        (
            "POST", "/students", #"{"grade":"99999999999999999999","classNumber":1,"number":1,"name":"a"}"#, 2003,
            "grade: accepted"
        ),
        ("POST", "/students", #"{"grade":1.5,"classNumber":1,"number":1,"name":"a"}"#, 2002, "grade: accepted"),
        ("POST", "/students", #"{"grade":[],"classNumber":1,"number":1,"name":"a"}"#, 2002, "grade: accepted"),
        (
            "POST", "/students", #"{"grade":1,"classNumber":1,"number":1,"name":"a","profileImageURL":"x"}"#, 2003,
            "profileImageURL: "
        ),
        // The type is called by its name, whatever came instead.
        (
            "POST", "/noticeBoards/a", #"{"title":{},"rootUser":{"id":"u","nickName":"n"}}"#, 2002,
            "title: accepted is text"
        ),
        ("POST", "/noticeBoards/a", #"{"title":"t","rootUser":"u"}"#, 2002, "rootUser: accepted is an object"),
        ("POST", "/noticeBoards/a", #"{"title":"t","rootUser":[]}"#, 2002, "rootUser: accepted is an object"),
        (
            "POST", "/noticeBoards/a", #"{"title":"t","rootUser":{"id":1,"nickName":"n"}}"#, 2002,
            "rootUser.id: accepted is text"
        ),
        ("POST", "/noticeBoards/a", "{\(notice),\"imageList\":{}}", 2002, "imageList: accepted is a list"),
        ("POST", "/noticeBoards/a", "{\(notice),\"imageList\":[{}]}", 2002, "imageList[0]: accepted is text"),
        ("POST", "/guidances", #"{"studentID":1,"reason":{}}"#, 2002, "reason: accepted is"),
        ("POST", "/guidances", #"{"studentID":1,"reason":"late"}"#, 2003, "reason: accepted is"),
        // Named with the way to it.
        (
            "POST", "/noticeBoards/a", #"{"title":"t","rootUser":{"id":"u","nickName":"n","id":"v"}}"#, 2004,
            "rootUser.id: accepted once"
        ),
        // What the route does not know would be lost.
        ("POST", "/students", #"{"grade":1,"classNumber":1,"number":1,"name":"a","nmae":"b"}"#, 2004, "nmae: "),
        ("PUT", "/students/1", #"{"photo":"x"}"#, 2004, "photo: "),
        ("POST", "/guidances", #"{"studentID":1,"reason":"무단횡단","details":"x"}"#, 2004, "details: "),
        ("POST", "/noticeBoards/a", "{\(notice),\"body\":\"x\"}", 2004, "body: "),
        (
            "POST", "/noticeBoards/a", #"{"title":"t","rootUser":{"id":"u","nickName":"n","age":1}}"#, 2004,
            "rootUser.age: "
        ),
        (
            "POST", "/noticeBoards/a/n1/comments", #"{"content":"c","author":{"id":"u","nickName":"n","age":1}}"#, 2004,
            "author.age: "
        ),
        ("POST", "/noticeBoards/a", "{\(notice),\"clubID\":\"b\"}", 2004, "clubID: "),
        ("PUT", "/users/1", #"{"email":"b@h.example"}"#, 2004, "email: "),
        // `null` where a value has to be.
        ("PUT", "/students/1", #"{"name":null}"#, 2002, "name: "),
        ("PUT", "/students/1", #"{"grade":null}"#, 2002, "grade: "),
        ("PUT", "/users/1", #"{"userName":null}"#, 2002, "userName: "),
        ("POST", "/students", #"{"grade":1,"classNumber":1,"number":1,"name":null}"#, 2001, "name"),
        ("POST", "/noticeBoards/a", #"{"title":null,"rootUser":{"id":"u","nickName":"n"}}"#, 2001, "title"),
    ])
    func whatABodyHoldsIsToldApart(method: String, path: String, body: String, code: Int, start: String) async throws {
        try await ServiceHarness.run { service in
            let response = try await service.send(method, path, body)
            #expect(response.status == 400)
            #expect(response.code == code)
            #expect((response.json["message"] as? String)?.hasPrefix(start) == true, "\(response.text)")
            #expect(try await service.records.allStudents().isEmpty)
            #expect(try await service.records.notices(clubID: "a").isEmpty)
        }
    }

    /// A notice that was read may be sent back, with one field changed; another author is not taken for done.
    @Test func aNoticeThatWasReadMayBeSentBack() async throws {
        try await ServiceHarness.run { service in
            let made = try await service.post("/noticeBoards/a", "{\(Self.notice)}")
            var notice = try #require(made.json["result"] as? [String: Any])
            let path = "/noticeBoards/a/\(try #require(notice["id"] as? String))"
            func put(_ changes: [String: Any]) async throws -> RawResponse {
                notice.merge(changes) { $1 }
                let body = try JSONSerialization.data(withJSONObject: notice)
                return try await service.send("PUT", path, String(decoding: body, as: UTF8.self))
            }
            let changed = try await put(["title": "새 제목"])
            #expect((changed.json["result"] as? [String: Any])?["title"] as? String == "새 제목")
            for (field, value) in [
                ("createDate", "2026-03-02T09:00:00Z"), ("rootUser", ["id": "v", "nickName": "n"]), ("id", "other"),
            ] as [(String, Any)] {
                let before = notice[field]
                let refused = try await put([field: value])
                #expect(refused.status == 400)
                #expect((refused.json["message"] as? String)?.hasPrefix("\(field): ") == true)
                notice[field] = before
            }
            #expect(try await put(["title": NSNull()]).code == 2002)
        }
    }

    /// Older apps may send more than they say: what signs in goes on to.
    @Test(arguments: ["/users/signup", "/user/signup", "/users/signin", "/user/signin"])
    func signingInTakesMoreThanItNeeds(path: String) async throws {
        try await ServiceHarness.run { service in
            _ = try await service.records.addUser(
                email: "a@h.example", password: "correct horse 1", userName: "a", role: .admin)
            let email = path.hasSuffix("in") ? "a@h.example" : "b@h.example"
            let response = try await service.post(
                path,
                #"{"email":"\#(email)","password":"correct horse 1","userName":"a","nickname":"a","ex_cycle":1,"device":"x"}"#
            )
            #expect(response.status == 200)
        }
    }

    /// RFC 9110 §8.4 and §15.5.16.
    @Test(arguments: [
        ("gzip", 415), ("identity, br", 415), ("x", 415), ("identity", 200), ("Identity", 200), ("", 200),
    ])
    func aCodedBodyIsNotTakenForWhatItIsNot(coding: String, status: Int) async throws {
        try await ServiceHarness.run { service in
            let response = try await service.send(
                "POST", "/students", #"{"grade":1,"classNumber":1,"number":1,"name":"a"}"#,
                [("Content-Encoding", coding)])
            #expect(response.status == status)
            guard status == 415 else { return }
            #expect(response["Accept-Encoding"] == "identity")
            #expect((response.json["message"] as? String)?.hasPrefix("Content-Encoding: ") == true)
        }
    }

    /// Each condition that is given holds.
    @Test(arguments: [
        ("grade=1", 200), ("grade=1&classNumber=1&number=1", 200), ("grade=2", 404), ("classNumber=2", 404),
        ("number=2", 404), ("grade=1&classNumber=1&number=2", 404), ("grade=0", 400),
    ])
    func aSeatThatContradictsTheIdIsNobodys(query: String, status: Int) async throws {
        try await ServiceHarness.run { service in
            let id = try await service.student(1, photo: nil)
            #expect(try await service.get("/students/search?id=\(id)&\(query)").status == status)
        }
    }
}
