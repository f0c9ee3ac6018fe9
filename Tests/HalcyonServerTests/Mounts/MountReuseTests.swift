import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// What is stored, asked for in other ways than it came.
@Suite(.timeLimit(.minutes(1)))
struct MountReuseTests {
    private static let date = "Tue, 03 Mar 2026 09:00:00 GMT"
    private static let earlier = "Tue, 03 Mar 2026 08:59:59 GMT"
    private static let body = Array("0123456789".utf8)

    /// `/m/a` is stored: fresh, with both validators.
    private func runStored(_ body: (ServiceHarness) async throws -> Void) async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") {
                $0.respond(
                    200, fields: [("Cache-Control", "max-age=600"), ("ETag", "\"v1\""), ("Last-Modified", Self.date)],
                    body: Self.body)
            }
            #expect(try await service.get("/m/a").body == Self.body)
            try await body(service)
            #expect(service.origin.requests().count == 1)
        }
    }

    typealias ConditionCase = (fields: [(String, String)], status: Int)
    static let conditionCases: [ConditionCase] = [
        ([("If-None-Match", "\"v1\"")], 304), ([("If-None-Match", "W/\"v1\"")], 304),
        ([("If-None-Match", "\"v0\", \"v1\"")], 304), ([("If-None-Match", "*")], 304),
        ([("If-None-Match", "\"v0\"")], 200), ([("If-Modified-Since", date)], 304),
        ([("If-Modified-Since", earlier)], 200), ([("If-Modified-Since", "yesterday")], 200),
        // If-None-Match counts alone where both are sent.
        ([("If-None-Match", "\"v0\""), ("If-Modified-Since", date)], 200),
        ([("If-Match", "\"v1\"")], 200), ([("If-Match", "*")], 200), ([("If-Match", "\"v0\"")], 412),
        // Strong comparison.
        ([("If-Match", "W/\"v1\"")], 412), ([("If-Unmodified-Since", date)], 200),
        ([("If-Unmodified-Since", earlier)], 412), ([("If-Match", "\"v0\""), ("If-None-Match", "\"v1\"")], 412),
        ([("If-Match", "\"v1\""), ("If-None-Match", "\"v1\"")], 304),
    ]

    @Test(
        "RFC 9110 §13.2.2, RFC 9111 §4.3.2: the client's conditions are judged on what is stored",
        arguments: conditionCases)
    func conditions(_ example: ConditionCase) async throws {
        let (fields, status) = example
        try await runStored { (service) async throws in
            for method in ["GET", "HEAD"] {
                let response = try await service.get("/m/a", fields, method: method)
                #expect(response.status == status)
                #expect(response.isHit)
                #expect(response["ETag"] == "\"v1\"")
                if status == 200, method == "GET" { #expect(response.body == Self.body) }
                // RFC 9110 §15.4.5
                if status == 304 { #expect(response["Cache-Control"] == "max-age=600" && response["Date"] != nil) }
            }
        }
    }

    typealias RangeCase = (asked: String, condition: String?, status: Int, text: String, range: String?)
    static let rangeCases: [RangeCase] = [
        ("bytes=2-4", nil, 206, "234", "bytes 2-4/10"), ("bytes=7-", nil, 206, "789", "bytes 7-9/10"),
        ("bytes=-3", nil, 206, "789", "bytes 7-9/10"), ("bytes=8-99", nil, 206, "89", "bytes 8-9/10"),
        ("bytes=-99", nil, 206, "0123456789", "bytes 0-9/10"), ("bytes=10-", nil, 416, "", "bytes */10"),
        ("bytes=-0", nil, 416, "", "bytes */10"), ("lines=1-2", nil, 200, "0123456789", nil),
        ("bytes=4-2", nil, 200, "0123456789", nil), ("bytes=2-4", "\"v1\"", 206, "234", "bytes 2-4/10"),
        ("bytes=2-4", "\"v0\"", 200, "0123456789", nil), ("bytes=2-4", "W/\"v1\"", 200, "0123456789", nil),
        ("bytes=2-4", date, 206, "234", "bytes 2-4/10"), ("bytes=2-4", earlier, 200, "0123456789", nil),
    ]

    @Test("RFC 9110 §14, §13.1.5: parts of what is stored whole", arguments: rangeCases)
    func ranges(_ example: RangeCase) async throws {
        try await runStored { (service) async throws in
            var fields = [("Range", example.asked)]
            if let condition = example.condition { fields.append(("If-Range", condition)) }
            let response = try await service.get("/m/a", fields)
            #expect(response.status == example.status)
            #expect(response.text == example.text)
            #expect(response["Content-Range"] == example.range)
        }
    }

    @Test("RFC 9111 §4: HEAD is answered from what a GET stored")
    func headFromStored() async throws {
        try await runStored { (service) async throws in
            let response = try await service.get("/m/a", method: "HEAD")
            #expect(response.status == 200)
            #expect(response["Content-Length"] == "10")
            #expect(response["Age"] != nil)
        }
    }

    @Test("RFC 9111 §4.3.3, §4.3.4: stale, so asked; a 304 makes it fresh again and says what has changed")
    func revalidation() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") { exchange in
                let isSame = exchange.request["If-None-Match"] == "\"v1\""
                exchange.respond(
                    isSame ? 304 : 200,
                    fields: [
                        ("Cache-Control", "max-age=60"), ("ETag", "\"v1\""), ("X-Seen", isSame ? "again" : "first"),
                    ], body: Self.body)
            }
            #expect(try await service.get("/m/a")["X-Seen"] == "first")
            service.clock.advance(by: 90)
            let validated = try await service.get("/m/a")
            #expect(validated.status == 200)
            #expect(validated.body == Self.body)
            #expect(validated["X-Seen"] == "again")
            #expect(validated["Cache-Status"]?.hasPrefix("halcyon; fwd=stale; fwd-status=304; ") == true)
            #expect(try await service.get("/m/a").isHit)
            let requests = service.origin.requests()
            #expect(requests.map { $0["If-None-Match"] } == [nil, "\"v1\""])
        }
    }

    @Test("RFC 9111 §4.3.3: a full answer to a condition takes the place of what was stored")
    func replacement() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") { exchange in
                let isFirst = exchange.request["If-None-Match"] == nil
                exchange.respond(
                    200, fields: [("Cache-Control", "max-age=60"), ("ETag", isFirst ? "\"v1\"" : "\"v2\"")],
                    body: Array((isFirst ? "old" : "new").utf8))
            }
            #expect(try await service.get("/m/a").text == "old")
            service.clock.advance(by: 90)
            // The client's own condition is on what it has, not on what is stored here.
            #expect(try await service.get("/m/a", [("If-None-Match", "\"v2\"")]).status == 304)
            let hit = try await service.get("/m/a")
            #expect(hit.text == "new")
            #expect(hit["ETag"] == "\"v2\"")
            #expect(service.origin.requests().count == 2)
        }
    }

    @Test("a demand is the origin's to judge once it has to be asked")
    func demandsOnWhatIsStale() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") { exchange in
                let demand = exchange.request["If-Match"]
                exchange.respond(
                    demand.map { $0 == "\"v2\"" ? 200 : 412 } ?? 200,
                    fields: [("Cache-Control", "max-age=60"), ("ETag", demand == nil ? "\"v1\"" : "\"v2\"")],
                    body: Self.body)
            }
            #expect(try await service.get("/m/a").status == 200)
            service.clock.advance(by: 90)
            #expect(try await service.get("/m/a", [("If-Match", "\"v1\"")]).status == 412)
            #expect(try await service.get("/m/a", [("If-Match", "\"v2\"")])["ETag"] == "\"v2\"")
            #expect(try await service.get("/m/a")["ETag"] == "\"v2\"")
            #expect(service.origin.requests().map { $0["If-Match"] } == [nil, "\"v1\"", "\"v2\""])
        }
    }

    @Test("RFC 9111 §4.3.5: a HEAD that shows another representation makes what is stored stale, the same one fresh")
    func headFreshens() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            let tag = Watched("\"v1\"")
            service.origin.on("/base/a") {
                $0.respond(200, fields: [("Cache-Control", "max-age=60"), ("ETag", tag.value)], body: Self.body)
            }
            func methods() -> [String] { service.origin.requests().map(\.method) }
            #expect(try await service.get("/m/a").status == 200)
            service.clock.advance(by: 90)
            #expect(try await service.get("/m/a", method: "HEAD").status == 200)
            #expect(try await service.get("/m/a").isHit)
            #expect(methods() == ["GET", "HEAD"])
            service.clock.advance(by: 90)
            tag.update { $0 = "\"v2\"" }
            #expect(try await service.get("/m/a", method: "HEAD").status == 200)
            tag.update { $0 = "\"v3\"" }
            #expect(try await service.get("/m/a")["ETag"] == "\"v3\"")
            #expect(methods() == ["GET", "HEAD", "HEAD", "GET"])
        }
    }

    @Test("RFC 9110 §9.3.3: what a POST says is fresh and of its own URL answers a GET")
    func postStored() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") { exchange in
                let own: [(String, String)] = exchange.request.method == "POST" ? [("Content-Location", "/base/a")] : []
                exchange.respond(
                    200, fields: [("Cache-Control", "max-age=60")] + own, body: Array(exchange.request.method.utf8))
            }
            #expect(try await service.get("/m/a").text == "GET")
            #expect(try await service.send("POST", "/m/a", "x", type: "text/plain").text == "POST")
            #expect(try await service.get("/m/a").text == "POST")
            // Every POST goes to the origin itself.
            #expect(try await service.send("POST", "/m/a", "x", type: "text/plain").text == "POST")
            #expect(service.origin.requests().map(\.method) == ["GET", "POST", "POST"])
        }
    }

    @Test("RFC 9111 §4.1: several responses are kept, and each request has its own")
    func variantsAreKept() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") {
                $0.respond(
                    200, fields: [("Cache-Control", "max-age=60"), ("Vary", "Accept-Language, X-Kind")],
                    body: Array("\($0.request["X-Kind"] ?? "-")/\($0.request["Accept-Language"] ?? "-")".utf8))
            }
            for _ in 0..<2 {
                for kind in ["a", "b"] {
                    for language in ["ko", "en"] {
                        let fields = [("X-Kind", kind), ("Accept-Language", language)]
                        #expect(try await service.get("/m/a", fields).text == "\(kind)/\(language)")
                    }
                }
                #expect(try await service.get("/m/a").text == "-/-")
            }
            // Whitespace says nothing.
            #expect(try await service.get("/m/a", [("X-Kind", "  a "), ("Accept-Language", "ko")]).text == "a/ko")
            #expect(service.origin.requests().count == 5)
        }
    }

    @Test(
        "RFC 9111 §4.4: what Location and Content-Location name goes too, of this origin alone",
        arguments: [
            ("Location", "/base/b", true), ("Content-Location", "b", true),
            ("Location", "http://other.example/base/b", false), ("Location", "/base/c", false),
        ])
    func invalidation(field: String, value: String, isGone: Bool) async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/b") { $0.respond(200, fields: [("Cache-Control", "max-age=60")], body: Self.body) }
            service.origin.on("/base/a") { $0.respond(201, fields: [(field, value)]) }
            #expect(try await service.get("/m/b").status == 200)
            #expect(try await service.send("PUT", "/m/a", "x", type: "text/plain").status == 201)
            let next = try await service.get("/m/b")
            #expect(next.isHit == !isGone)
        }
    }

    @Test("RFC 9111 §4.4: an answer that is an error makes nothing invalid", arguments: [400, 404, 500, 503])
    func errorsInvalidateNothing(status: Int) async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") { exchange in
                exchange.respond(
                    exchange.request.method == "GET" ? 200 : status, fields: [("Cache-Control", "max-age=60")],
                    body: Self.body)
            }
            #expect(try await service.get("/m/a").status == 200)
            #expect(try await service.send("DELETE", "/m/a", nil).status == status)
            #expect(try await service.get("/m/a").isHit)
        }
    }

    @Test("what was asked for before a change and comes after it is not stored")
    func aLateAnswerIsNotStored() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            let (asked, hold) = (Gate(), Gate())
            service.origin.on("/base/a") { exchange in
                guard exchange.request.method == "GET" else { return exchange.respond(204) }
                let isFirst = exchange.request["X-First"] != nil
                if isFirst {
                    asked.open()
                    hold.waitBlocking()
                }
                exchange.respond(
                    200, fields: [("Cache-Control", "max-age=60")], body: Array((isFirst ? "old" : "new").utf8))
            }
            let client = try RawClient(port: service.port)
            client.send("GET /m/a HTTP/1.1\r\nHost: a\r\nX-First: 1\r\n\r\n")
            await asked.wait()
            #expect(try await service.send("DELETE", "/m/a", nil).status == 204)
            hold.open()
            #expect(await client.response()?.text == "old")
            #expect(try await service.get("/m/a").text == "new")
        }
    }
}
