import Foundation
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// Messages that two recipients could read differently, from either side of a mount.
@Suite(.timeLimit(.minutes(1)))
struct MountHostilityTests {
    @Test(
        "RFC 9112 §6.3, §5.1, §11.2: a request that could be read in two ways does not reach the origin",
        arguments: [
            "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
            "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc", "Content-Length: +3\r\n\r\nabc",
            "Content-Length: 3, 4\r\n\r\nabc", "Content-Length: 0x3\r\n\r\nabc", "Content-Length: -1\r\n\r\n",
            "Content-Length: 99999999999999999999\r\n\r\nabc", "Content-Length : 3\r\n\r\nabc",
            "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
            "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
            "X: a\rContent-Length: 4\r\n\r\n",
            "Host: b\r\n\r\n",
        ])
    func ambiguousRequests(rest: String) async throws {
        try await ServiceHarness.runMount { (service) async throws in
            let client = try RawClient(port: service.port)
            client.send("POST /m/a HTTP/1.1\r\nHost: a\r\n\(rest)GET /m/smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = String(decoding: await client.remainder(), as: UTF8.self)
            // libmicrohttpd 0.9.75 writes the head of its own refusal twice.
            let statuses = answer.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) }
            #expect(
                !statuses.isEmpty && statuses.allSatisfy { $0 == "400" || $0 == "413" || $0 == "501" }, "\(statuses)")
            #expect(service.origin.requests().isEmpty)
        }
    }

    @Test(
        "RFC 9110 §5.1: a name that is no token goes nowhere",
        arguments: ["X y: a", "X\u{1}: a", "X\u{E9}: a", "(X): a"])
    func namesThatAreNone(line: String) async throws {
        try await ServiceHarness.runMount { (service) async throws in
            let client = try RawClient(port: service.port)
            client.send("GET /m/a HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n")
            #expect(await client.response()?.status == 400)
            #expect(service.origin.requests().isEmpty)
            service.origin.on("/base/a") {
                $0.write("HTTP/1.1 200 OK\r\n\(line)\r\nX-Own : b\r\nContent-Length: 0\r\n\r\n")
            }
            let response = try await service.get("/m/a")
            // RFC 9112 §5.1: whitespace before the colon is taken away.
            #expect(response["X-Own"] == "b")
            #expect(!response.fields.contains { $0.value == "a" })
        }
    }

    @Test(
        "RFC 9112 §7.1: a body whose chunks are broken is not ended for the origin",
        arguments: [
            "zz\r\nabc\r\n0\r\n\r\n", "-1\r\n\r\n0\r\n\r\n", "3\r\nabcdef\r\n0\r\n\r\n", "10000000000000000\r\n",
        ])
    func brokenChunks(body: String) async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") { $0.respond(200) }
            let client = try RawClient(port: service.port)
            client.send("PUT /m/a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)")
            let answer = String(decoding: await client.remainder(), as: UTF8.self)
            #expect(!answer.hasPrefix("HTTP/1.1 2"))
            #expect(service.origin.requests().isEmpty, "the origin never sees the end of the body")
        }
    }

    @Test(
        "RFC 9112 §6.3: an answer that could be read in two ways is a bad gateway",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nContent-Length: 3, 4\r\n\r\nabc", "HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nContent-Length: 3x\r\n\r\nabc", "HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nX\r\nContent-Length: 3\r\n\r\nabc", "HTTP/1.1 200 OK\r\nContent-Length : 3\r\n\r\nabc",
            "HTTP/1.1 abc OK\r\n\r\n", "hello\r\n\r\n", "HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nX: a\u{0}b\r\nContent-Length: 3\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nX: \(String(repeating: "a", count: 400_000))\r\nContent-Length: 3\r\n\r\nabc",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", "",
        ])
    func ambiguousAnswers(answer: String) async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") { exchange in
                exchange.write(answer)
                exchange.closeNow()
            }
            let client = try RawClient(port: service.port)
            client.send("GET /m/a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await client.response()?.status == 502, "\(answer.prefix(80))")
        }
    }

    @Test(
        "a body that ends too early or is broken is seen to be, and never stored",
        arguments: [
            "Content-Length: 9\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
            "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n",
            "Transfer-Encoding: chunked\r\n\r\n3\r\nabcdef\r\n0\r\n\r\n",
        ])
    func brokenBodies(rest: String) async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") { exchange in
                exchange.write("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n\(rest)")
                exchange.closeNow()
            }
            let client = try RawClient(port: service.port)
            client.send("GET /m/a HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = String(decoding: await client.remainder(), as: UTF8.self)
            // Either nothing of it was sent yet, or the end is missing.
            #expect(!answer.hasPrefix("HTTP/1.1 200") || !answer.hasSuffix("0\r\n\r\n"), "\(answer)")
            service.origin.on("/base/a") { $0.respond(200, body: Array("whole".utf8)) }
            #expect(try await service.get("/m/a").text == "whole")
        }
    }

    @Test("RFC 9110 §5.5: what the origin says cannot add a field")
    func fieldsCannotBeInjected() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") {
                $0.write("HTTP/1.1 200 OK\r\nX: a\rInjected: 1\r\nContent-Length: 3\r\n\r\nabc")
            }
            let response = try await service.get("/m/a")
            #expect(response["Injected"] == nil)
            #expect(response.status == 502 || response["X"]?.contains("\r") == false)
        }
    }
}
