import HalcyonTestSupport
import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct MountTests {

    @Test("RFC 9111 §4: what is fresh is answered without the origin; the target goes on byte for byte")
    func whatIsFreshIsAnsweredFromTheCache() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a//b%7e") {
                $0.respond(200, fields: [("Cache-Control", "max-age=600"), ("X-Own", "1")], body: Array("face".utf8))
            }
            let first = try await service.get("/m/a//b%7e?x=%2F&y")
            #expect(first.status == 200)
            #expect(first["Cache-Status"]?.contains("fwd=uri-miss") == true)
            #expect(first["Via"] == "1.1 halcyon")
            for _ in 0..<2 {
                let hit = try await service.get("/m/a//b%7e?x=%2F&y")
                #expect(hit.status == 200)
                #expect(String(decoding: hit.body, as: UTF8.self) == "face")
                #expect(hit["X-Own"] == "1")
                #expect(hit["Age"] != nil)
                #expect(hit.isHit)
            }
            let requests = service.origin.requests()
            #expect(requests.map(\.target) == ["/base/a//b%7e?x=%2F&y"])
        }
    }

    @Test("RFC 9111 §5.2.2.5: what says no-store is asked for each time")
    func whatMayNotBeStoredIsNot() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/n") {
                $0.respond(200, fields: [("Cache-Control", "no-store, max-age=600")], body: [1])
            }
            for _ in 0..<3 { #expect(try await service.get("/m/n").status == 200) }
            #expect(service.origin.requests().count == 3)
        }
    }

    /// Whether the body is in before the origin asks for it or not must make no difference.
    @Test func bodiesGoOnAndAnswersComeBack() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/p") { $0.respond(201, body: $0.request.body) }
            for number in 0..<200 {
                let answer = try await service.send("PUT", "/m/p", "body \(number)", type: "text/plain")
                #expect(answer.status == 201)
                #expect(String(decoding: answer.body, as: UTF8.self) == "body \(number)")
            }
        }
    }

    @Test("RFC 9111 §4.4: what is changed is asked for again")
    func anUnsafeRequestMakesTheStoredAnswerInvalid() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/i") {
                $0.respond(200, fields: [("Cache-Control", "max-age=600")], body: Array($0.request.method.utf8))
            }
            for _ in 0..<2 { #expect(try await service.get("/m/i").status == 200) }
            #expect(try await service.send("POST", "/m/i", "x", type: "text/plain").status == 200)
            #expect(try await service.get("/m/i").status == 200)
            #expect(service.origin.requests().map(\.method) == ["GET", "POST", "GET"])
        }
    }

    @Test(
        "RFC 9112 §5.2: a folded line is refused, wherever it stands",
        arguments: [
            "X: q\r\n z\r\n", "Content-Length:\r\n 5\r\n", "Transfer-Encod: chunked\r\n ing\r\n",
            "Content-Length: 5\r\nX: q\r\n\tz\r\n", "X:\r\n  \r\n z\r\n", "X-Long-Enough: q\r\n z\r\nY: 1\r\n",
        ])
    func foldedLinesAreRefused(lines: String) async throws {
        try await ServiceHarness.runMount { (service) async throws in
            for target in ["/m/p", "/students"] {
                let client = try RawClient(port: service.port)
                client.send("PUT \(target) HTTP/1.1\r\nHost: a\r\n\(lines)\r\nhello")
                #expect(await client.text(until: "\r\n").hasPrefix("HTTP/1.1 400 "))
            }
            #expect(service.origin.requests().isEmpty)
        }
    }

    @Test func pathsOfHalcyonsOwnAreNoMounts() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            let firsts = service.server.routes.compactMap { route in
                if case .text(let text)? = route.parts.first { text } else { nil }
            }
            #expect(Server.ownSegments == Set(firsts))
            #expect(Server.segmentInTheWay(of: try Mount("/students/x=http://127.0.0.1")) == "students")
            #expect(Server.segmentInTheWay(of: try Mount("/=http://127.0.0.1")) == nil)
        }
    }

    @Test(arguments: [
        "/m", "m=http://a.example", "/a/../b=http://a.example", "/m=ftp://a.example", "/m=http://a.example/?q",
    ])
    func whatIsNoMountIsRefused(text: String) {
        #expect(throws: MountProblem.self) { try Mount(text) }
    }
}
