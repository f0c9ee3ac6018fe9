import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// What an intermediary changes of a message, and what it leaves alone (RFC 9110 §7.6, RFC 9112).
@Suite(.timeLimit(.minutes(1)))
struct MountForwardingTests {
    @Test("RFC 9110 §7.6.1, §7.6.3: fields of the connection stay, those of the way are added, all others go on")
    func requestFields() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            let client = try RawClient(port: service.port)
            client.send(
                """
                GET /m/a HTTP/1.1\r\nHost: school.example\r\nConnection: X-Hop, keep-alive\r\nX-Hop: 1\r\nKeep-Alive: 5\r\n\
                Proxy-Connection: a\r\nTE: trailers\r\nUpgrade: h2c\r\nVia: 1.0 first\r\nX-Forwarded-For: 192.0.2.1\r\n\
                X-End: a, b\r\nX-End: c\r\nX-Empty:\r\nCookie: a=b\r\nAccept-Encoding: gzip\r\n\r\n
                """)
            #expect(await client.response()?.status == 404)
            let request = try #require(service.origin.requests().first)
            for name in ["X-Hop", "Keep-Alive", "Proxy-Connection", "TE", "Upgrade", "Accept", "Expect"] {
                #expect(request[name] == nil, "\(name)")
            }
            #expect(request["Host"] == "127.0.0.1:\(service.origin.port)")
            #expect(request["Via"] == "1.0 first, 1.1 halcyon")
            #expect(request["X-Forwarded-For"] == "192.0.2.1, 127.0.0.1")
            #expect(request["X-Forwarded-Host"] == "school.example")
            #expect(request["X-Forwarded-Proto"] == "http")
            #expect(request["Forwarded"] == "for=127.0.0.1;host=\"school.example\";proto=http")
            #expect(request.fields.filter { $0.name == "X-End" }.map(\.value) == ["a, b", "c"])
            #expect(request["X-Empty"]?.isEmpty == true)
            #expect(request["Cookie"] == "a=b")
            #expect(request["Accept-Encoding"] == "gzip")
        }
    }

    @Test("RFC 9110 §6.6.1, §7.6.1: of an answer too, and a Date is added where there is none")
    func responseFields() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") {
                $0.respond(
                    200,
                    fields: [
                        ("Connection", "X-Hop"), ("X-Hop", "1"), ("Keep-Alive", "5"), ("Via", "1.0 far"),
                        ("X-End", "a"), ("X-End", "b"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"),
                    ], body: [1])
            }
            let response = try await service.get("/m/a")
            for name in ["X-Hop", "Keep-Alive"] { #expect(response[name] == nil, "\(name)") }
            #expect(response["Via"] == "1.0 far, 1.1 halcyon")
            #expect(response.fields.filter { $0.name == "X-End" }.map(\.value) == ["a", "b"])
            #expect(response.fields.filter { $0.name == "Set-Cookie" }.map(\.value) == ["a=1", "b=2"])
            #expect(response.fields.filter { $0.name == "Date" }.count == 1)
        }
    }

    @Test(
        "RFC 9110 §15: any status goes on, registered or not", arguments: [203, 299, 307, 418, 451, 499, 599, 799, 999])
    func statuses(status: Int) async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") { $0.respond(status, body: Array("body".utf8)) }
            let response = try await service.get("/m/a")
            #expect(response.status == status)
            #expect(response.text == "body")
        }
    }

    @Test(
        "RFC 9110 §9.1: any method goes on, with its body", arguments: ["PATCH", "FROB", "M-SEARCH", "REPORT", "get"])
    func methods(method: String) async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") {
                $0.respond(200, body: Array($0.request.method.utf8) + $0.request.body)
            }
            #expect(try await service.send(method, "/m/a", "-x", type: "text/plain").text == method + "-x")
            #expect(try await service.send(method, "/m/a", nil).text == method)
        }
    }

    @Test("RFC 9112 §3.2.2: a target in absolute-form is the same")
    func absoluteForm() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            #expect(try await service.get("http://halcyon.test/m/a%2fb?c=%2F&&d").status == 404)
            #expect(service.origin.requests().map(\.target) == ["/base/a%2fb?c=%2F&&d"])
        }
    }

    @Test("RFC 9110 §15.2: 102 and 103 go on at once; a client of HTTP/1.0 is spared them")
    func interimAnswers() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            let hold = Gate()
            service.origin.on("/base/a") {
                $0.write(
                    "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </s.css>\r\nX-Own: 1\r\n\r\n")
                hold.waitBlocking()
                $0.respond(200, body: Array("last".utf8))
            }
            let client = try RawClient(port: service.port)
            client.send("GET /m/a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await client.text(until: "\r\n\r\n").hasPrefix("HTTP/1.1 102 "))
            let hints = await client.text(until: "\r\n\r\n")
            #expect(hints.hasPrefix("HTTP/1.1 103 "))
            #expect(hints.contains("\r\nLink: </s.css>\r\n"))
            #expect(hints.contains("\r\nX-Own: 1\r\n"))
            hold.open()
            #expect(await client.response()?.text == "last")

            let old = try RawClient(port: service.port)
            old.send("GET /m/a HTTP/1.0\r\n\r\n")
            let all = String(decoding: await old.remainder(), as: UTF8.self)
            #expect(all.hasPrefix("HTTP/1.1 200 ") || all.hasPrefix("HTTP/1.0 200 "))
            #expect(all.hasSuffix("\r\n\r\nlast"))
        }
    }

    @Test("RFC 9112 §7.1.2: chunks and trailers go on")
    func trailers() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") { exchange in
                exchange.headChunked(fields: [("Trailer", "X-Sum")])
                exchange.chunk(Array("hello ".utf8))
                exchange.chunk(Array("world".utf8))
                exchange.write("0\r\nX-Sum: 11\r\n\r\n")
            }
            let client = try RawClient(port: service.port)
            client.send("GET /m/a HTTP/1.1\r\nHost: a\r\n\r\n")
            let head = await client.text(until: "\r\n\r\n")
            #expect(head.contains("\r\nTransfer-Encoding: chunked\r\n"))
            var body: [UInt8] = []
            while true {
                let chunk = await client.chunk()
                if chunk.isEmpty { break }
                body += chunk
            }
            #expect(String(decoding: body, as: UTF8.self) == "hello world")
            #expect(await client.text(until: "\r\n\r\n") == "X-Sum: 11\r\n\r\n")
        }
    }

    @Test("RFC 9112 §6.1: without chunks for a client of HTTP/1.0, which sees the end")
    func chunksForHTTP10() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") { exchange in
                exchange.headChunked()
                exchange.chunk(Array("hello".utf8))
                exchange.endChunks()
            }
            let client = try RawClient(port: service.port)
            client.send("GET /m/a HTTP/1.0\r\n\r\n")
            let all = String(decoding: await client.remainder(), as: UTF8.self)
            #expect(all.hasSuffix("\r\n\r\nhello"))
            #expect(!all.contains("Transfer-Encoding"))
        }
    }

    @Test("the first byte goes on as it comes, stored or not", arguments: ["max-age=60", "no-store"])
    func firstByte(control: String) async throws {
        try await ServiceHarness.runMount { (service) async throws in
            let hold = Gate()
            service.origin.on("/base/a") { exchange in
                exchange.head(200, fields: [("Cache-Control", control)], declaring: 2)
                exchange.write("a")
                hold.waitBlocking()
                exchange.write("b")
            }
            let client = try RawClient(port: service.port)
            client.send("GET /m/a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await client.text(until: "\r\n\r\na").hasSuffix("\r\n\r\na"))
            hold.open()
            #expect(await client.text(until: "b") == "b")
        }
    }

    @Test("RFC 9110 §10.1.1: whether to send the body is the origin's to say")
    func expectContinue() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") { $0.respond(201, body: $0.request.body) }
            let client = try RawClient(port: service.port)
            client.send("PUT /m/a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
            #expect(await client.text(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100 "))
            client.send("body")
            #expect(await client.response()?.text == "body")
            #expect(service.origin.requests()[0]["Expect"] == "100-continue")
        }
    }

    @Test("RFC 9112 §7.1: a body in chunks, larger than what is held, comes through whole")
    func chunkedUpload() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") { $0.respond(200, body: Array("\($0.request.body.count)".utf8)) }
            let client = try RawClient(port: service.port)
            let piece = [UInt8](repeating: 0x61, count: 1 << 20)
            client.send("PUT /m/a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<8 { client.send(Array("100000\r\n".utf8) + piece + [13, 10]) }
            client.send("0\r\n\r\n")
            #expect(await client.response()?.text == "\(8 << 20)")
            let request = try #require(service.origin.requests().first)
            #expect(request["Transfer-Encoding"] == "chunked")
            #expect(request["Content-Length"] == nil)
        }
    }

    @Test("HEAD goes on as HEAD, and has the length of the GET")
    func head() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") { $0.respond(200, body: Array("0123456789".utf8)) }
            let response = try await service.get("/m/a", method: "HEAD")
            #expect(response.status == 200)
            #expect(response["Content-Length"] == "10")
            #expect(service.origin.requests().map(\.method) == ["HEAD"])
        }
    }

    @Test("RFC 9110 §7.6.2: Max-Forwards ends here at 0", arguments: [("OPTIONS", 204), ("TRACE", 501)])
    func maxForwards(method: String, status: Int) async throws {
        try await ServiceHarness.runMount { (service) async throws in
            #expect(try await service.get("/m/a", [("Max-Forwards", "0")], method: method).status == status)
            #expect(service.origin.requests().isEmpty)
            service.origin.on("/base/a") { $0.respond(200, body: Array(($0.request["Max-Forwards"] ?? "").utf8)) }
            #expect(try await service.get("/m/a", [("Max-Forwards", "3")], method: method).text == "2")
        }
    }

    @Test("RFC 9110 §7.6.3: what comes round again and again is not sent round once more")
    func loops() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            let far = Array(repeating: "1.1 halcyon", count: 20).joined(separator: ", ")
            #expect(try await service.get("/m/a", [("Via", far)]).status == 508)
            #expect(service.origin.requests().isEmpty)
            // A few of them in a row are a set-up like any other.
            #expect(try await service.get("/m/a", [("Via", "1.1 halcyon, 1.0 other, 1.1 halcyon")]).status == 404)
        }
    }
}
