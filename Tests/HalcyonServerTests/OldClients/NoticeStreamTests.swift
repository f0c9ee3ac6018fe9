import Foundation
import HalcyonRecords
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// The streams of the tree, read as the protocol has them: `event`, `data` with `path` and `data`, an empty line.
@Suite(.timeLimit(.minutes(1)))
struct NoticeStreamTests {
    private static let accept = [("Accept", "text/event-stream")]

    private static let keepAlive = "event: keep-alive\ndata: null\n\n"

    private struct Event {
        let name: String
        let path: String?
        /// An object, a text or nothing.
        let data: Any?

        var object: [String: Any] { data as? [String: Any] ?? [:] }
    }

    /// The next but for those that only keep the connection awake, which a slow machine sees too.
    private func next(_ stream: EventRouteTests.Listener) async throws -> Event {
        var text = await stream.text(until: "\n\n")
        while text == Self.keepAlive { text = await stream.text(until: "\n\n") }
        let lines = text.split(separator: "\n").map(String.init)
        try #require(lines.count == 2 && lines[0].hasPrefix("event: ") && lines[1].hasPrefix("data: "), "\(lines)")
        let payload = try JSONSerialization.jsonObject(
            with: Data(lines[1].dropFirst(6).utf8), options: [.fragmentsAllowed])
        let object = payload as? [String: Any]
        return Event(name: String(lines[0].dropFirst(7)), path: object?["path"] as? String, data: object?["data"])
    }

    @Test func aClubsStreamTellsTheWholeAndThenEachChange() async throws {
        try await ServiceHarness.run { service in
            let author = try NoticeAuthor(id: "u1", nickName: "컴동쌤")
            let stream = try await EventRouteTests.Listener(service, "/noticeBoards/a.json", Self.accept)
            #expect(stream.head.hasPrefix("HTTP/1.1 200 "))
            #expect(stream.head.contains("\r\nContent-Type: text/event-stream\r\n"))
            let empty = try await next(stream)
            #expect(empty.name == "put")
            #expect(empty.path == "/")
            #expect(empty.data is NSNull)
            // By another process, in another club, then here.
            let other = try RecordStore(path: service.folder.file("records.sqlite"))
            _ = try await other.addNotice(clubID: "b", rootUser: author, draft: NoticeDraft(title: "b"))
            let made = try await other.addNotice(
                clubID: "a", rootUser: author, draft: NoticeDraft(title: "첫\u{2028}공지"))
            let put = try await next(stream)
            #expect(put.name == "put")
            #expect(put.path == "/\(made.id)")
            #expect(put.object["title"] as? String == "첫\u{2028}공지")
            #expect(put.object["clubID"] as? String == "a")
            _ = try await service.send("PUT", "/noticeBoards/a/\(made.id)", #"{"title":"둘"}"#)
            let patch = try await next(stream)
            #expect(patch.name == "patch")
            #expect(patch.path == "/\(made.id)")
            #expect(patch.object as? [String: String] == ["title": "둘"])
            _ = try await service.records.addComment(
                clubID: "a", noticeID: made.id, author: author, content: "네")
            #expect(try await next(stream).object as? [String: String] == ["commentCount": "1"])
            _ = try await service.send("DELETE", "/noticeBoards/a/\(made.id).json", nil)
            let gone = try await next(stream)
            #expect(gone.name == "put")
            #expect(gone.path == "/\(made.id)")
            #expect(gone.data is NSNull)
        }
    }

    @Test func aNoticesStreamTellsItsOwnAlone() async throws {
        try await ServiceHarness.run { service in
            let author = try NoticeAuthor(id: "u1", nickName: "컴동쌤")
            let draft = NoticeDraft(rootUser: author, title: "하나")
            _ = try await service.records.putNotice(clubID: "a", id: "n1", draft: draft)
            let stream = try await EventRouteTests.Listener(service, "/noticeBoards/a/n1.json", Self.accept)
            #expect(try await next(stream).object["title"] as? String == "하나")
            _ = try await service.records.putNotice(clubID: "a", id: "n2", draft: draft)
            _ = try await service.records.patchNotice(clubID: "a", id: "n1", draft: NoticeDraft(content: "새 내용"))
            let patch = try await next(stream)
            #expect(patch.name == "patch")
            #expect(patch.path == "/")
            #expect(patch.object as? [String: String] == ["content": "새 내용"])
            try await service.records.removeNotice(clubID: "a", id: "n1")
            let gone = try await next(stream)
            #expect(gone.path == "/")
            #expect(gone.data is NSNull)
        }
    }

    @Test func whoeverStaysIsKeptAwake() async throws {
        try await ServiceHarness.run { service in
            let stream = try await EventRouteTests.Listener(service, "/noticeBoards/a.json", Self.accept)
            _ = try await next(stream)
            service.server.events.beat()
            #expect(await stream.text(until: "\n\n") == Self.keepAlive)
        }
    }

    @Test func aStreamOfNoPlaceIsRefused() async throws {
        try await ServiceHarness.run { service in
            let refused = try await service.get("/noticeBoards/a%23.json", Self.accept)
            #expect(refused.status == 400)
            #expect(Array(refused.json.keys) == ["error"])
            let users = try await AccessTests.users(service.records)
            #expect(try await service.get("/noticeBoards/a.json", Self.accept).status == 401)
            let token = try await AccessTests.token(users[.viewer], service.records)
            #expect(try await service.get("/noticeBoards/a.json", Self.accept + [("token", token)]).status == 403)
        }
    }
}
