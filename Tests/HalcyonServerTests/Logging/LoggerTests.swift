import Foundation
import Glibc
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct LoggerTests {
    /// What `body` writes with a logger over a file.
    static func lines(
        level: Logger.Level = .info, format: Logger.Format = .text, _ body: (Logger) async throws -> Void
    ) async throws -> [String] {
        let folder = try TemporaryFolder()
        let path = folder.file("log")
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let logger = Logger(level: level, format: format, descriptor: descriptor)
        try await body(logger)
        logger.flush()
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test func levelsBelowTheThresholdAreNotWritten() async throws {
        let lines = try await Self.lines(level: .warning) { logger in
            logger.log(.info, "quiet")
            logger.log(.warning, "loud")
            logger.level = .debug
            logger.log(.debug, "louder")
        }
        #expect(lines.count == 2)
        #expect(lines[0].contains("level=warning event=loud"))
    }

    @Test func jsonLinesAreJSON() async throws {
        let text = "a \"quote\" \\ \n \u{1} 김"
        let lines = try await Self.lines(format: .json) { logger in
            logger.log(.info, "event", ["text": .text(text), "number": .number(-3), "flag": .flag(true)])
        }
        let line = try #require(lines.first)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["text"] as? String == text)
        #expect(object["number"] as? Int == -3)
        #expect(object["flag"] as? Bool == true)
        #expect(object["event"] as? String == "event")
    }

    @Test func aValueCannotForgeALine() async throws {
        let lines = try await Self.lines {
            $0.log(.info, "event", ["text": .text("x\ntime=now level=error event=forged")])
        }
        #expect(lines.count == 1)
    }

    @Test("O-19 the access log holds no URL, no query and no name")
    func accessLogIsDiscreet() async throws {
        let lines = try await Self.lines { logger in
            try await ServiceHarness.run(.init(logger: logger)) { service in
                service.serve("/secret-path.png")
                let id = try await service.student(photo: "/secret-path.png?token=abc")
                for _ in 0..<2 { _ = try await service.get("/students/\(id)/photo?key=hidden") }
                _ = try await service.get(service.imageTarget("/secret-path.png?token=abc"))
                _ = try await service.get("/students/search?id=\(id)")
            }
        }
        let requests = lines.filter { $0.contains("event=request") }
        #expect(requests.count == 4)
        #expect(requests.contains { $0.contains("route=photo status=200 source=memory") })
        for line in lines {
            for secret in ["secret-path", "token", "abc", "hidden", "202110101", "김하나", "127.0.0.1%3A", "?"] {
                #expect(!line.contains(secret), "\(line)")
            }
        }
    }

    /// libmicrohttpd tells of what it refuses, with what it refuses in it.
    @Test func whatTheLibraryBelowSaysIsDiscreetToo() async throws {
        let lines = try await Self.lines(level: .debug) { logger in
            try await ServiceHarness.run(.init(logger: logger)) { service in
                for request in [
                    "GET /noticeBoards/secretclub\(String(repeating: "x", count: 20_000)) HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET /noticeBoards/secretclub HTTP/1.1\r\nHost: a\r\nContent-Length: secretclub\r\n\r\n",
                    "POST /noticeBoards/secretclub HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nsecretclub\r\n",
                    "GET /noticeBoards/secretclub HTTP/7.7\r\nHost: a\r\n\r\n",
                ] {
                    let client = try RawClient(port: service.port)
                    client.send(request)
                    _ = await client.response()
                }
            }
        }
        #expect(lines.contains { $0.contains("event=http") })
        for line in lines { #expect(!line.contains("secretclub"), "\(line)") }
    }

    @Test func aLogThatNobodyReadsHoldsUpNothing() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let logger = Logger(level: .info, descriptor: ends[1])
        let text = String(repeating: "x", count: 1000)
        // More than the pipe and the buffer take together: the rest is dropped, and this loop ends.
        for _ in 0..<3000 { logger.log(.info, "event", ["text": .text(text)]) }
        #expect(logger.dropped > 0)
        let reader = ends[0]
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while read(reader, &buffer, buffer.count) > 0 {}
            close(reader)
        }
        logger.flush()
        close(ends[1])
    }
}
