import Foundation
import Glibc
import HalcyonTestSupport
import Synchronization
import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct UploadTests {
    static let boundary = "----part7"

    /// As RFC 7578 has it; `encoding` is of the text file.
    static func part(
        _ name: String, _ text: String, fileName: String? = nil, type: String? = nil, extra: String = ""
    ) -> String {
        "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\""
            + (fileName.map { "; filename=\"\($0)\"" } ?? "") + "\r\n"
            + (type.map { "Content-Type: \($0)\r\n" } ?? "") + extra + "\r\n" + text + "\r\n"
    }

    static func head(_ target: String, length: Int, type: String = "multipart/form-data; boundary=\(boundary)")
        -> String
    {
        "POST \(target) HTTP/1.1\r\nHost: a\r\nContent-Type: \(type)\r\nContent-Length: \(length)\r\n\r\n"
    }

    static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    /// Once the exchange is over nothing of it is in the folder.
    static func expectNothingLeft(_ server: ListenerUnderTest, after count: Int = 1) async {
        await server.handler.ended.wait { $0 >= count }
        // The task that made the answer lets go of the request after that.
        while !server.uploadNames.isEmpty { await Task.yield() }
        while server.listener.uploads.count > 0 { await Task.yield() }
    }

    @Test func aBodyThatIsAFileReachesTheRouteInAPrivateOne() async throws {
        let server = try ListenerUnderTest()
        let client = try RawClient(port: server.port)
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        client.send(Self.head("/upload", length: bytes.count, type: "image/jpeg"))
        client.send(bytes)
        let response = try #require(await client.response())
        #expect(response.text == "|-|image/jpeg|300000|600|\(Data(bytes).base64EncodedString())")
        await Self.expectNothingLeft(server)
        // The connection serves on.
        client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(await client.response()?.text == "/x")
    }

    @Test(arguments: [1, 7, 1000, .max])
    func multipartIsCutIntoItsPartsHoweverItArrives(pieceBytes: Int) async throws {
        let server = try ListenerUnderTest()
        let client = try RawClient(port: server.port)
        let look = "a\r\n------part\r\n--\r\n\r\n----part7\r\n"
        let body =
            "preamble\r\n" + Self.part("ex_comment", "오늘도 달렸다 😀\r\n")
            + Self.part("image", look, fileName: "사진 1.jpeg", type: "image/jpeg")
            + Self.part("empty", "") + Self.part("image", "", fileName: "0.png", type: "image/png")
            + Self.part("image", "2", fileName: "../../etc/passwd") + Self.part("none", "", fileName: "", type: "a/b")
            + Self.part("typed", "x", type: "text/plain; charset=utf-8") + "--\(Self.boundary)--\r\n"
        let all = Array((Self.head("/upload", length: body.utf8.count) + body).utf8)
        var start = 0
        while start < all.count {
            let end = min(all.count, start &+ min(pieceBytes, all.count))
            client.send(Array(all[start..<end]))
            start = end
        }
        let response = try #require(await client.response())
        #expect(
            response.text == """
                empty=
                ex_comment=오늘도 달렸다 😀\r\n
                typed=x
                image|사진 1.jpeg|image/jpeg|\(look.utf8.count)|600|\(Self.base64(look))
                image|0.png|image/png|0|600|
                image|../../etc/passwd|-|1|600|\(Self.base64("2"))
                """)
        await Self.expectNothingLeft(server)
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var status = 400
        var type = "multipart/form-data; boundary=\(UploadTests.boundary)"
        let body: String
    }

    static let end = "--\(boundary)--\r\n"

    static let bad: [Bad] = [
        Bad(testDescription: "no boundary named", type: "multipart/form-data", body: end),
        Bad(testDescription: "an empty boundary", type: "multipart/form-data; boundary=", body: end),
        Bad(testDescription: "more than a boundary", type: "multipart/form-data; boundary=x; charset=a", body: end),
        Bad(testDescription: "another multipart", type: "multipart/mixed; boundary=\(boundary)", body: part("a", "1")),
        Bad(testDescription: "nothing", body: ""),
        Bad(testDescription: "no boundary in it", body: "no boundary in it"),
        Bad(testDescription: "no parts", body: end),
        Bad(testDescription: "no last boundary", body: part("a", "1")),
        Bad(testDescription: "half a last boundary", body: part("a", "1") + "--\(boundary)"),
        Bad(testDescription: "a file without end", body: part("a", "1", fileName: "f") + "--other--\r\n"),
        Bad(testDescription: "an empty name", body: part("", "1") + end),
        Bad(testDescription: "no name", body: "--\(boundary)\r\nContent-Type: text/plain\r\n\r\n1\r\n" + end),
        Bad(testDescription: "a text twice", body: part("a", "1") + part("a", "2") + end),
        Bad(testDescription: "base64", body: part("a", "MQ==", extra: "Content-Transfer-Encoding: base64\r\n") + end),
        Bad(testDescription: "21 parts", body: (0..<21).map { part("a\($0)", "1") }.joined() + end),
        Bad(
            testDescription: "68 KiB of texts", status: 413,
            body: (0..<17).map { part("a\($0)", String(repeating: "x", count: 4096)) }.joined() + end),
    ]

    @Test(arguments: bad)
    func badMultipartIsRefusedAndLeavesNothing(bad: Bad) async throws {
        let server = try ListenerUnderTest()
        let client = try RawClient(port: server.port)
        client.send(Self.head("/upload", length: bad.body.utf8.count, type: bad.type) + bad.body)
        #expect(await client.response()?.status == bad.status)
        await Self.expectNothingLeft(server)
    }

    @Test func textThatIsNotUTF8IsRefused() async throws {
        let server = try ListenerUnderTest()
        let client = try RawClient(port: server.port)
        var body = Array(Self.part("a", "%").utf8) + Array("--\(Self.boundary)--\r\n".utf8)
        for index in body.indices where body[index] == UInt8(ascii: "%") { body[index] = 0xFF }
        client.send(Self.head("/upload", length: body.count))
        client.send(body)
        #expect(await client.response()?.status == 400)
    }

    @Test func chunkedBodiesAreTakenAndLimited() async throws {
        let server = try ListenerUnderTest()
        let head = "POST /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Type: image/png\r\n\r\n"
        let client = try RawClient(port: server.port)
        client.send(head + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        #expect(await client.response()?.text == "|-|image/png|5|600|\(Self.base64("abcde"))")
        let chunk = "10000\r\n" + String(repeating: "x", count: 0x10000) + "\r\n"
        client.send(head + String(repeating: chunk, count: 17) + "0\r\n\r\n")
        #expect(await client.response()?.status == 413)
        await Self.expectNothingLeft(server, after: 2)
    }

    /// Sent as bytes, as parts of multipart, and where a route takes no file: the client that never stops gets its 413 while
    /// it sends, and the one that reads nothing before it has sent all gets it then (RFC 9110 §15.5.14, RFC 9112 §9.6).
    @Test(arguments: ["/upload image/jpeg", "/upload multipart/form-data; boundary=\(boundary)", "/echo text/plain"])
    func aChunkedBodyThatGoesOnAndOnIsAnswered(route: String) async throws {
        let server = try ListenerUnderTest {
            $0.maximumExcessBytes = 2 << 20
            $0.idleSeconds = 600
        }
        let parts = route.split(separator: " ", maxSplits: 1)
        let head =
            "POST \(parts[0]) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Type: \(parts[1])\r\n\r\n"
        let start = Self.part("image", "", fileName: "f", type: "image/jpeg").dropLast(2)
        let chunk = "10000\r\n" + String(repeating: "x", count: 0x10000) + "\r\n"
        let first = "\(String(start.utf8.count, radix: 16))\r\n\(start)\r\n"
        for count in [40, 100, 200] {
            let client = try RawClient(port: server.port)
            // All of it before the answer is looked at, which ends in the middle of the body.
            client.send(head + first + String(repeating: chunk, count: count))
            if count == 40 { client.send("0\r\n\r\n") }
            let response = try #require(await client.response())
            #expect(response.status == 413)
            // What libmicrohttpd frames it may keep open.
            if count > 40 {
                #expect(response["Connection"] == "close")
                #expect(await client.remainder().isEmpty)
            }
        }
        await Self.expectNothingLeft(server, after: 3)
    }

    @Test func aDeclaredLengthOverTheLimitIsRefusedBeforeTheBody() async throws {
        let server = try ListenerUnderTest()
        let client = try RawClient(port: server.port)
        client.send(Self.head("/upload", length: (1 << 20) + 1, type: "image/jpeg"))
        #expect(await client.response()?.status == 413)
        #expect(await client.remainder().isEmpty)
        #expect(server.listener.uploads.count == 0)
    }

    @Test(arguments: ["image/jpeg", "multipart/form-data; boundary=\(boundary)"])
    func aClientThatLeavesLeavesNothingBehind(type: String) async throws {
        // Idle connections stay for longer than this test may take.
        let server = try ListenerUnderTest { $0.idleSeconds = 600 }
        do {
            let client = try RawClient(port: server.port)
            let start = Self.part("image", String(repeating: "x", count: 50_000), fileName: "f", type: "image/jpeg")
            client.send(Self.head("/upload", length: 500_000, type: type) + start)
            while server.uploadNames.isEmpty { await Task.yield() }
        }
        await Self.expectNothingLeft(server)
    }

    /// RFC 9110 §10.1.1.
    @Test func aClientThatWaitsIsToldToGoOnOrRefusedAtOnce() async throws {
        let server = try ListenerUnderTest()
        let client = try RawClient(port: server.port)
        client.send("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
        #expect(await client.response()?.status == 100)
        client.send("abc")
        #expect(await client.response()?.text == "|-|-|3|600|YWJj")
        client.send("POST /secret HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
        let refusal = try #require(await client.response())
        #expect(refusal.status == 401)
        #expect(refusal.text == "no")
        #expect(refusal["Connection"]?.lowercased() == "close")
    }

    @Test func aClientThatSendsOnGetsTheRefusalAllTheSame() async throws {
        let server = try ListenerUnderTest()
        let client = try RawClient(port: server.port)
        client.send(Self.head("/secret", length: 4 << 20, type: "image/jpeg"))
        // All of it, before the answer is looked at.
        client.send([UInt8](repeating: 7, count: 4 << 20))
        #expect(await client.response()?.status == 401)
    }

    @Test func aboveTheNumberOfUploadsThereIs503UntilOneIsDone() async throws {
        let server = try ListenerUnderTest { $0.maximumUploads = 1 }
        let first = try RawClient(port: server.port)
        first.send(Self.head("/hold-upload", length: 3, type: "image/jpeg") + "abc")
        await server.handler.held.wait { $0 == 1 }
        let second = try RawClient(port: server.port)
        second.send(Self.head("/upload", length: 3, type: "image/jpeg") + "abc")
        let refusal = try #require(await second.response())
        #expect(refusal.status == 503)
        // Others are not held up.
        #expect(try await RawClient.request(port: server.port, "POST", "/echo", body: "{}")?.text == "{}")
        server.handler.gate.open()
        #expect(await first.response()?.status == 200)
        await Self.expectNothingLeft(server)
        let third = try RawClient(port: server.port)
        third.send(Self.head("/upload", length: 3, type: "image/jpeg") + "abc")
        #expect(await third.response()?.status == 200)
    }

    @Test func whatArrivesBuysTimeAndADripDoesNot() async throws {
        let server = try ListenerUnderTest {
            $0.uploadSeconds = 100
            $0.uploadBytesPerSecond = 1000
        }
        let client = try RawClient(port: server.port)
        client.send(Self.head("/upload", length: 100_000, type: "image/jpeg"))
        client.send([UInt8](repeating: 1, count: 20_000))
        let size = {
            server.uploadNames.first.map { FileManager.default.contents(atPath: server.uploads.file($0))?.count }
        }
        while size() != 20_000 { await Task.yield() }
        server.clock.advance(120)
        server.listener.sweep()
        #expect(server.counters.overdueConnections.load(ordering: .relaxed) == 0)
        client.send([1])
        while size() != 20_001 { await Task.yield() }
        server.clock.advance(1)
        server.listener.sweep()
        #expect(await client.remainder().isEmpty)
        #expect(server.counters.overdueConnections.load(ordering: .relaxed) == 1)
        await Self.expectNothingLeft(server)
    }

    @Test func aStartRemovesWhatAKilledProcessLeft() throws {
        let folder = try TemporaryFolder()
        // Above the largest number that the kernel gives to a process.
        let names = ["halcyon-upload-4194305-a", "halcyon-upload-\(getpid())-b", "other"]
        for name in names { #expect(FileManager.default.createFile(atPath: folder.file(name), contents: Data())) }
        let server = try ListenerUnderTest { $0.uploadFolder = folder.path }
        server.listener.stop()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == names.dropFirst().sorted())
    }
}
