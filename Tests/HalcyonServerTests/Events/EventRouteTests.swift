import Foundation
import HalcyonRecords
import HalcyonTestSupport
import Synchronization
import Testing

@testable import HalcyonServer

/// Over whole services with a database, and with other processes' hands in it played by a second store.
@Suite(.timeLimit(.minutes(1)))
struct EventRouteTests {
    /// A client of one stream, chunks taken apart as RFC 9112 §7.1 has them.
    final class Listener: Sendable {
        let client: RawClient
        let head: String
        private let rest = Mutex("")

        init(_ service: ServiceHarness, _ target: String = "/events", _ fields: [(String, String)] = []) async throws {
            client = try RawClient(port: service.port)
            client.send(
                "GET \(target) HTTP/1.1\r\nHost: a\r\n" + fields.map { "\($0): \($1)\r\n" }.joined() + "\r\n")
            head = await client.text(until: "\r\n\r\n")
        }

        /// What comes until its end is `text`; what follows is kept for the next call.
        func text(until text: String) async -> String {
            while true {
                let found = rest.withLock { rest -> String? in
                    guard let range = rest.range(of: text) else { return nil }
                    defer { rest = String(rest[range.upperBound...]) }
                    return String(rest[..<range.upperBound])
                }
                if let found { return found }
                let chunk = String(decoding: await client.chunk(), as: UTF8.self)
                if chunk.isEmpty { return rest.withLock { $0 } }
                rest.withLock { $0 += chunk }
            }
        }
    }

    static func guidance(_ service: ServiceHarness, _ store: RecordStore? = nil) async throws -> Int {
        try await (store ?? service.records).addGuidance(studentID: 202_110_101, reason: "무단횡단", detail: nil).guidanceID
    }

    @Test func everyChangeIsAnEvent() async throws {
        try await ServiceHarness.run { service in
            let listener = try await Listener(service)
            #expect(listener.head.hasPrefix("HTTP/1.1 200 "))
            #expect(listener.head.contains("\r\nContent-Type: text/event-stream\r\n"))
            #expect(listener.head.contains("\r\nCache-Control: no-store\r\n"))
            #expect(listener.head.contains("\r\nX-Accel-Buffering: no\r\n"))
            #expect(await listener.text(until: "\n\n") == "retry: 3000\nid: 0\n\n")
            try await service.student(photo: nil)
            #expect(
                await listener.text(until: "\n\n") == """
                    id: 1
                    event: students
                    data: {"action":"created","clubID":null,"id":"202110101","topic":"students"}\n\n
                    """)
            let id = try await Self.guidance(service)
            #expect(
                await listener.text(until: "\n\n") == """
                    id: 2
                    event: guidances
                    data: {"action":"created","clubID":null,"id":"\(id)","topic":"guidances"}\n\n
                    """)
            let notice = try await service.records.addNotice(
                clubID: "동아리", rootUser: NoticeAuthor(id: "u", nickName: "n"), draft: NoticeDraft(title: "t"))
            #expect(
                await listener.text(until: "\n\n") == """
                    id: 3
                    event: noticeBoards
                    data: {"action":"created","clubID":"동아리","id":"\(notice.id)","topic":"noticeBoards"}\n\n
                    """)
        }
    }

    @Test func onlyTheTopicsAskedForAreTold() async throws {
        try await ServiceHarness.run { service in
            let target =
                "/events?topics=guidances,noticeBoards/\("동아리".addingPercentEncoding(withAllowedCharacters: []) ?? "")"
            let listener = try await Listener(service, target)
            _ = await listener.text(until: "\n\n")
            try await service.student(photo: nil)
            let author = try NoticeAuthor(id: "u", nickName: "n")
            _ = try await service.records.addNotice(clubID: "other", rootUser: author, draft: NoticeDraft(title: "t"))
            let notice = try await service.records.addNotice(
                clubID: "동아리", rootUser: author, draft: NoticeDraft(title: "t"))
            #expect(await listener.text(until: "\n\n").contains("id: 3\nevent: noticeBoards\n"))
            _ = try await service.records.removeNotice(clubID: "동아리", id: notice.id)
            #expect(await listener.text(until: "\n\n").contains(#""action":"removed""#))
        }
    }

    @Test func changesOfOtherProcessesArriveToo() async throws {
        try await ServiceHarness.run { service in
            try await service.student(photo: nil)
            let listener = try await Listener(service, "/events?topics=guidances")
            _ = await listener.text(until: "\n\n")
            let other = try RecordStore(path: service.folder.file("records.sqlite"))
            _ = try await Self.guidance(service, other)
            #expect(await listener.text(until: "\n\n").contains("event: guidances"))
        }
    }

    @Test(arguments: [true, false])
    func whoComesBackIsToldWhatItMissed(isInHeader: Bool) async throws {
        try await ServiceHarness.run { service in
            try await service.student(photo: nil)
            for _ in 0..<5 { _ = try await Self.guidance(service) }
            let listener =
                isInHeader
                ? try await Listener(service, "/events", [("Last-Event-ID", "4")])
                : try await Listener(service, "/events?lastEventID=4")
            let text = await listener.text(until: "id: 6\n") + listener.text(until: "\n\n")
            #expect(text.hasPrefix("retry: 3000\nid: 4\n\nid: 5\nevent: guidances\n"))
            #expect(text.hasSuffix("\n\n"))
            _ = try await Self.guidance(service)
            #expect(await listener.text(until: "\n\n").hasPrefix("id: 7\n"))
        }
    }

    @Test(arguments: ["99", "-1", "x", "1e3"])
    func whoCannotBeToldAllIsToldToReload(id: String) async throws {
        try await ServiceHarness.run { service in
            try await service.student(photo: nil)
            let listener = try await Listener(service, "/events", [("Last-Event-ID", id)])
            #expect(await listener.text(until: "event: reset\n").hasSuffix("id: 1\nevent: reset\n"))
            _ = await listener.text(until: "\n\n")
            _ = try await Self.guidance(service)
            #expect(await listener.text(until: "\n\n").hasPrefix("id: 2\n"))
        }
    }

    @Test func afterMoreThanCanBeToldThereIsAReset() async throws {
        try await ServiceHarness.run { service in
            let listener = try await Listener(service)
            _ = await listener.text(until: "\n\n")
            let rows = (0...EventHub.maximumBacklog).map { "\(20_000 + $0),1,\($0 / 90 + 1),\($0 % 90 + 1),가" }
            let file = "id,grade,classNumber,number,name\n" + rows.joined(separator: "\n")
            _ = try await service.records.importRoster(try RosterReader.read(Array(file.utf8)))
            let text = await listener.text(until: "\n\n")
            #expect(text.hasPrefix("id: \(EventHub.maximumBacklog + 1)\nevent: reset\n"))
            let late = try await Listener(service, "/events", [("Last-Event-ID", "0")])
            #expect(await late.text(until: "event: reset\n").hasSuffix("event: reset\n"))
        }
    }

    @Test(arguments: [
        "/events?topics=", "/events?topics=posts", "/events?topics=students,", "/events?topics=noticeBoards/",
        "/events?topics=students&topics=guidances", "/events?lastEventID=x", "/events?lastEventID=-1",
        "/events?topics=users",
    ])
    func whatIsNotAcceptedIsNamed(target: String) async throws {
        try await ServiceHarness.run { service in
            let response = try await service.get(target)
            #expect(response.status == 400)
            let message = try #require(response.json["message"] as? String)
            #expect(message.contains("accepted"))
            #expect(message.hasPrefix(target.hasSuffix("x") || target.hasSuffix("-1") ? "lastEventID: " : "topics: "))
        }
    }

    @Test func aViewerHearsOfStudentsAlone() async throws {
        try await ServiceHarness.run { service in
            let users = try await AccessTests.users(service.records)
            let token = try await AccessTests.token(users[.viewer], service.records)
            let fields = [("Authorization", "Bearer \(token)")]
            for topics in ["guidances", "noticeBoards", "students,noticeBoards/a"] {
                let response = try await service.get("/events?topics=" + topics, fields)
                #expect(response.status == 403)
                #expect(response.code == 4030)
            }
            let listener = try await Listener(service, "/events", fields)
            _ = await listener.text(until: "\n\n")
            try await service.student(1, photo: nil)
            #expect(await listener.text(until: "\n\n").contains("event: students"))
            _ = try await Self.guidance(service)
            try await service.student(2, photo: nil)
            #expect(await listener.text(until: "\n\n").contains("event: students"))
        }
    }

    @Test func aStreamEndsWithTheAccountItIsFor() async throws {
        try await ServiceHarness.run { service in
            let users = try await AccessTests.users(service.records)
            let staff = try #require(users[.staff])
            let token = try await AccessTests.token(staff, service.records)
            let listener = try await Listener(service, "/events", [("Authorization", "Bearer \(token)")])
            _ = await listener.text(until: "\n\n")
            try await service.records.removeUser(id: staff.id)
            #expect(await listener.client.text(until: "0\r\n\r\n") == "0\r\n\r\n")
        }
    }

    @Test func headIsTheHeaderAlone() async throws {
        try await ServiceHarness.run { service in
            let response = try await service.get("/events", method: "HEAD")
            #expect(response.status == 200)
            #expect(response["Content-Type"] == "text/event-stream")
            #expect(service.server.events.subscriberCount == 0)
        }
    }

    @Test func aQuietStreamIsSentAComment() async throws {
        try await ServiceHarness.run { service in
            let listener = try await Listener(service)
            _ = await listener.text(until: "\n\n")
            service.server.events.beat()
            #expect(await listener.text(until: "\n\n") == ":\n\n")
        }
    }

    @Test func aClientThatLeftIsForgotten() async throws {
        try await ServiceHarness.run { service in
            do {
                let listener = try await Listener(service)
                _ = await listener.text(until: "\n\n")
                #expect(service.server.events.subscriberCount == 1)
            }
            while service.server.events.subscriberCount > 0 {
                service.server.events.beat()
                await Task.yield()
            }
        }
    }

    @Test func aStopEndsTheStreams() async throws {
        let service = try await ServiceHarness()
        let listener = try await Listener(service)
        _ = await listener.text(until: "\n\n")
        // Were the streams waited for, the stop would last for ten seconds.
        await service.stop()
        #expect(await listener.client.text(until: "0\r\n\r\n").hasSuffix("0\r\n\r\n"))
        #expect(service.server.events.subscriberCount == 0)
    }

    @Test func aReaderThatIsTooSlowIsCutOffAndCanResume() async throws {
        try await ServiceHarness.run { service in
            try await service.student(photo: nil)
            let format = EventFormat(
                beginning: { _ in [] }, event: { _ in [UInt8](repeating: 7, count: 100_000) }, keepAlive: [])
            // Nobody reads it.
            let stream = try await service.server.events.subscribe(to: EventTopic.all, format: format)
            for _ in 0..<3 { _ = try await Self.guidance(service) }
            while !stream.hasOverflown { await Task.yield() }
            while service.server.events.subscriberCount > 0 { await Task.yield() }
            let metrics = try await service.get("/metrics").text
            #expect(metrics.contains("\nhalcyon_stream_slow_readers_total 1\n"))
            let last = try await service.records.lastJournalEntry()
            let listener = try await Listener(service, "/events", [("Last-Event-ID", "\(last - 1)")])
            #expect(await listener.text(until: "\n\n").hasPrefix("retry: 3000\nid: \(last - 1)\n\n"))
            #expect(try await service.get("/metrics").text.contains("\nhalcyon_streams 1\n"))
        }
    }

    @Test func streamsOfOtherFormatsShareTheHub() async throws {
        try await ServiceHarness.run { service in
            let format = EventFormat(
                beginning: { Array("begin \($0);".utf8) }, event: { Array("\($0.change.record);".utf8) },
                keepAlive: Array("alive;".utf8))
            let stream = try await service.server.events.subscribe(to: [.students], format: format)
            let listener = try ListenerUnderTest()
            listener.handler.givenStream.withLock { $0 = stream }
            let client = try RawClient(port: listener.port)
            client.send("GET /stream HTTP/1.0\r\n\r\n")
            #expect(await client.text(until: "begin 0;").hasSuffix("\r\n\r\nbegin 0;"))
            for number in 1...3 { try await service.student(number, photo: nil) }
            #expect(await client.text(until: "3;") == "202110101;202110102;202110103;")
            service.server.events.beat()
            #expect(await client.text(until: ";") == "alive;")
        }
    }

    @Test func manyListenersHearAllInOrder() async throws {
        try await ServiceHarness.run { service in
            try await service.student(photo: nil)
            var listeners: [Listener] = []
            for _ in 0..<20 { listeners.append(try await Listener(service, "/events", [("Last-Event-ID", "1")])) }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        do { for _ in 0..<25 { _ = try await Self.guidance(service) } } catch { Issue.record(error) }
                    }
                }
            }
            for listener in listeners {
                let text = await listener.text(until: "id: 101\n") + listener.text(until: "\n\n")
                let ids = text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.compactMap {
                    Int($0.dropFirst(4))
                }
                #expect(ids == Array(1...101))
            }
        }
    }
}
