import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// Parts that an origin sent: kept, joined and completed (RFC 9111 §3.3, §3.4).
@Suite(.timeLimit(.minutes(1)))
struct MountRangeTests {
    private static let body = Array("0123456789".utf8)
    private static let fields = [("Cache-Control", "max-age=600"), ("ETag", "\"v1\"")]

    /// An origin that sends single ranges.
    private func run(_ body: (ServiceHarness) async throws -> Void) async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") { exchange in
                guard let text = exchange.request["Range"], let dash = text.firstIndex(of: "-"),
                    let first = Int(text[..<dash].dropFirst(6))
                else { return exchange.respond(200, fields: Self.fields, body: Self.body) }
                let last = Int(text[dash...].dropFirst()) ?? 9
                exchange.respond(
                    206, fields: Self.fields + [("Content-Range", "bytes \(first)-\(last)/10")],
                    body: Array(Self.body[first...last]))
            }
            try await body(service)
        }
    }

    private func ask(_ service: ServiceHarness, _ range: String?, _ text: String, asked: [String?]) async throws {
        let response = try await service.get("/m/a", range.map { [("Range", "bytes=\($0)")] } ?? [])
        #expect(response.status == (range == nil ? 200 : 206))
        #expect(response.text == text)
        #expect(service.origin.requests().map { $0["Range"] } == asked)
    }

    @Test("RFC 9111 §3.3: a part answers what lies within it")
    func aPartIsReused() async throws {
        try await run { (service) async throws in
            try await ask(service, "2-6", "23456", asked: ["bytes=2-6"])
            try await ask(service, "2-6", "23456", asked: ["bytes=2-6"])
            try await ask(service, "3-4", "34", asked: ["bytes=2-6"])
            try await ask(service, "7-8", "78", asked: ["bytes=2-6", "bytes=7-8"])
            // Both touch, so they are one part now.
            try await ask(service, "5-8", "5678", asked: ["bytes=2-6", "bytes=7-8"])
        }
    }

    @Test("RFC 9111 §3.4: the parts make the whole")
    func partsAreJoined() async throws {
        try await run { (service) async throws in
            try await ask(service, "0-5", "012345", asked: ["bytes=0-5"])
            try await ask(service, "4-9", "456789", asked: ["bytes=0-5", "bytes=4-9"])
            try await ask(service, nil, "0123456789", asked: ["bytes=0-5", "bytes=4-9"])
            try await ask(service, "-4", "6789", asked: ["bytes=0-5", "bytes=4-9"])
        }
    }

    @Test("RFC 9111 §3.4: only the rest of a part is asked for")
    func aPartIsCompleted() async throws {
        try await run { (service) async throws in
            try await ask(service, "0-5", "012345", asked: ["bytes=0-5"])
            try await ask(service, nil, "0123456789", asked: ["bytes=0-5", "bytes=6-"])
            #expect(service.origin.requests()[1]["If-Range"] == "\"v1\"")
            try await ask(service, nil, "0123456789", asked: ["bytes=0-5", "bytes=6-"])
        }
    }

    @Test("RFC 9111 §3.4: what has changed meanwhile comes whole")
    func aChangedPartIsNotCompleted() async throws {
        try await run { (service) async throws in
            try await ask(service, "0-5", "012345", asked: ["bytes=0-5"])
            service.origin.on("/base/a") {
                $0.respond(
                    200, fields: [("Cache-Control", "max-age=600"), ("ETag", "\"v2\"")], body: Array("new".utf8))
            }
            for _ in 0..<2 { #expect(try await service.get("/m/a").text == "new") }
            #expect(service.origin.requests().count == 2)
        }
    }

    @Test("RFC 9111 §3.3: a part that ends early is kept for what came of it")
    func aShortPartIsAPrefix() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") { exchange in
                let isFirst = exchange.request["Range"] == "bytes=0-7"
                exchange.respond(
                    206,
                    fields: Self.fields + [("Content-Range", isFirst ? "bytes 0-7/10" : "bytes 5-9/10")],
                    body: Array((isFirst ? "01234" : "56789").utf8))
            }
            #expect(try await service.get("/m/a", [("Range", "bytes=0-7")]).text == "01234")
            #expect(try await service.get("/m/a", [("Range", "bytes=1-3")]).text == "123")
            #expect(service.origin.requests().count == 1)
            let whole = try await service.get("/m/a")
            #expect(whole.status == 200)
            #expect(whole.text == "0123456789")
            #expect(service.origin.requests().map { $0["Range"] } == ["bytes=0-7", "bytes=5-"])
        }
    }

    @Test("RFC 9110 §14.2: several ranges go to the origin unless the whole is stored")
    func severalRangesGoOn() async throws {
        try await run { (service) async throws in
            service.origin.on("/base/b") {
                $0.respond(
                    206, fields: [("Content-Type", "multipart/byteranges; boundary=x")], body: Array("parts".utf8))
            }
            for _ in 0..<2 {
                let response = try await service.get("/m/b", [("Range", "bytes=0-1,4-5")])
                #expect(response.status == 206)
                #expect(response.text == "parts")
                #expect(response["Content-Type"] == "multipart/byteranges; boundary=x")
            }
            #expect(service.origin.requests().map { $0["Range"] } == ["bytes=0-1,4-5", "bytes=0-1,4-5"])
        }
    }

    @Test("a body that is cut off is passed on as cut off, and not stored whole")
    func aTruncatedBodyIsNotStored() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") { exchange in
                exchange.head(200, fields: Self.fields, declaring: 10)
                exchange.write("01234")
                exchange.closeNow()
            }
            let client = try RawClient(port: service.port)
            client.send("GET /m/a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await client.response() == nil)
            service.origin.on("/base/a") { $0.respond(200, fields: Self.fields, body: Self.body) }
            #expect(try await service.get("/m/a").body == Self.body)
        }
    }
}
