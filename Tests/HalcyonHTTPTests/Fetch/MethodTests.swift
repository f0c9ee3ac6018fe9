import HalcyonTestSupport
import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct MethodTests {
    static let body = Array(#"{"name":"김하나"}"#.utf8)
    static let json: HTTPFields = [("Content-Type", "application/json")]

    @Test("RFC 9110 §9.3 each method goes out with its body", arguments: FetchMethod.allCases)
    func methods(method: FetchMethod) async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") { $0.respond(body: [1, 2]) }
        let fetcher = try makeFetcher { $0.maximumConcurrent = 1 }
        let response = try await fetcher.get(origin.url("/")) {
            $0.method = method
            $0.body = Self.body
            $0.fields = Self.json
        }
        #expect(response.body == (method == .head ? [] : [1, 2]))
        let request = try #require(origin.requests().first)
        #expect(request.method == method.rawValue)
        let carries = method != .get && method != .head
        #expect(request.body == (carries ? Self.body : []))
        #expect(request["Content-Length"] == (carries ? "\(Self.body.count)" : nil))
        #expect(request["Content-Type"] == "application/json")
        await fetcher.shutDown()
    }

    @Test func aHandleKeepsNothingOfTheRequestBefore() async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") { $0.respond(body: [7]) }
        let fetcher = try makeFetcher { $0.maximumConcurrent = 1 }
        for method in FetchMethod.allCases + [.get] {
            _ = try await fetcher.get(origin.url("/")) {
                $0.method = method
                $0.body = method == .get || method == .head ? nil : Self.body
            }
        }
        let last = try await fetcher.get(origin.url("/"))
        #expect(last.body == [7])
        let request = try #require(origin.requests().last)
        #expect(request.method == "GET")
        #expect(request.body.isEmpty)
        for name in ["Content-Length", "Content-Type", "Transfer-Encoding", "Expect"] { #expect(request[name] == nil) }
        await fetcher.shutDown()
    }

    @Test(
        "RFC 9110 §8.6 a body that is empty has the length 0, and nothing is said of its type",
        arguments: [FetchMethod.post, .put, .patch])
    func emptyBody(method: FetchMethod) async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") { $0.respond(204) }
        let fetcher = try makeFetcher()
        #expect(try await fetcher.get(origin.url("/")) { $0.method = method }.status == 204)
        #expect(origin.requests().first?["Content-Length"] == "0")
        #expect(origin.requests().first?["Content-Type"] == nil)
        await fetcher.shutDown()
    }

    @Test func aBodyOfMebibytesArrivesWhole() async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") { $0.respond() }
        let large = (0..<3 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let fetcher = try makeFetcher()
        _ = try await fetcher.get(origin.url("/")) {
            $0.method = .put
            $0.body = large
        }
        #expect(origin.requests().first?.body == large)
        await fetcher.shutDown()
    }

    /// libcurl itself sends a request again when a kept connection ends without a byte of an answer.
    @Test("RFC 9110 §9.2.2 what may have been acted on is not sent twice", arguments: [FetchMethod.post, .patch])
    func onAKeptConnection(method: FetchMethod) async throws {
        let origin = try ScriptedOrigin()
        origin.on("/warm") { $0.respond(body: [1]) }
        origin.on("/closes") { $0.closeNow() }
        origin.on("/breaks") {
            $0.head(declaring: 9)
            $0.closeNow()
        }
        let fetcher = try makeFetcher { $0.retries = 3 }
        for path in ["/closes", "/breaks"] {
            _ = try await fetcher.get(origin.url("/warm"))
            let error = await fetcher.failure(origin.url(path)) {
                $0.method = method
                $0.body = Self.body
            }
            #expect(error?.token == (path == "/breaks" ? "truncated" : "connect"))
            #expect(origin.requests(to: path).count == 1)
        }
        await fetcher.shutDown()
    }

    @Test("RFC 9110 §9.2.2 an answer to a POST counts, whichever", arguments: [429, 500, 503])
    func answersAreNotAskedForAgain(status: Int) async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") { $0.respond(status) }
        let fetcher = try makeFetcher { $0.retries = 3 }
        #expect(try await fetcher.get(origin.url("/")) { $0.method = .post }.status == status)
        #expect(origin.requests().count == 1)
        await fetcher.shutDown()
    }

    @Test func whatWasNeverSentIsTriedAgain() async throws {
        let origin = try ScriptedOrigin()
        origin.stop()
        let fetcher = try makeFetcher { $0.retries = 2 }
        #expect(await fetcher.failure(origin.url("/")) { $0.method = .post }?.token == "connect")
        #expect(fetcher.statistics.retries == 2)
        await fetcher.shutDown()
    }

    @Test("RFC 9110 §9.2.2 PUT and DELETE are repeated, body and all", arguments: [FetchMethod.put, .delete])
    func idempotent(method: FetchMethod) async throws {
        let origin = try ScriptedOrigin()
        let count = Watched(0)
        origin.on("/") { exchange in
            let number = count.update {
                $0 += 1
                return $0
            }
            if number == 1 { exchange.reset() } else { exchange.respond(number == 2 ? 503 : 200) }
        }
        let fetcher = try makeFetcher { $0.retries = 2 }
        let response = try await fetcher.get(origin.url("/")) {
            $0.method = method
            $0.body = Self.body
        }
        #expect(response.status == 200)
        #expect(origin.requests().map(\.body) == [Self.body, Self.body, Self.body])
        await fetcher.shutDown()
    }

    @Test func onlyAGetIsResumed() async throws {
        let origin = try ScriptedOrigin()
        let count = Watched(0)
        origin.on("/") { exchange in
            let isFirst = count.update {
                $0 += 1
                return $0 == 1
            }
            guard isFirst else { return exchange.respond(body: [1, 2, 3, 4]) }
            exchange.head(fields: [("ETag", "\"1\""), ("Accept-Ranges", "bytes")], declaring: 4)
            exchange.write([1, 2])
            exchange.closeNow()
        }
        let fetcher = try makeFetcher { $0.retries = 1 }
        #expect(try await fetcher.get(origin.url("/")) { $0.method = .put }.body == [1, 2, 3, 4])
        #expect(origin.requests().allSatisfy { $0["Range"] == nil })
        await fetcher.shutDown()
    }
}

@Suite(.timeLimit(.minutes(1)))
struct MethodRedirectTests {
    /// RFC 9110 §15.4: 303 asks with GET; 301 and 302 may for POST, and clients do; 307 and 308 may not.
    static let rows: [(status: Int, method: FetchMethod, then: FetchMethod)] = [
        (301, .post, .get), (302, .post, .get), (303, .post, .get), (307, .post, .post), (308, .post, .post),
        (301, .put, .put), (302, .put, .put), (303, .put, .get), (307, .put, .put), (308, .put, .put),
        (301, .delete, .delete), (303, .delete, .get), (307, .patch, .patch), (303, .patch, .get),
        (303, .head, .head), (302, .head, .head), (303, .get, .get),
    ]

    @Test("RFC 9110 §15.4 the method and body that a redirect leads to", arguments: rows)
    func methods(row: (status: Int, method: FetchMethod, then: FetchMethod)) async throws {
        let origin = try ScriptedOrigin()
        origin.on("/a") { $0.redirect(to: "/b", status: row.status) }
        origin.on("/b") { $0.respond() }
        let fetcher = try makeFetcher()
        _ = try await fetcher.get(origin.url("/a")) {
            $0.method = row.method
            $0.body = MethodTests.body
            $0.fields = MethodTests.json
        }
        let request = try #require(origin.requests(to: "/b").first)
        #expect(request.method == row.then.rawValue)
        let keeps = row.then == row.method
        #expect(request["Content-Type"] == (keeps ? "application/json" : nil))
        #expect(request.body == (keeps && row.method != .get && row.method != .head ? MethodTests.body : []))
        await fetcher.shutDown()
    }

    @Test func toReadAtTheAddressThatWasWrittenToIsNoLoop() async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") { $0.request.method == "POST" ? $0.redirect(to: "/", status: 303) : $0.respond(body: [1]) }
        origin.on("/loop") { $0.redirect(to: "/loop", status: 303) }
        let fetcher = try makeFetcher()
        #expect(try await fetcher.get(origin.url("/")) { $0.method = .post }.body == [1])
        #expect(await fetcher.failure(origin.url("/loop")) { $0.method = .post } == .tooManyRedirects(5))
        await fetcher.shutDown()
    }

    @Test("HB-57 a body goes to another allowed origin with its type and no credentials") func acrossOrigins()
        async throws
    {
        let first = try ScriptedOrigin()
        let second = try ScriptedOrigin()
        first.on("/") { $0.redirect(to: second.url("/"), status: 307) }
        second.on("/") { $0.respond() }
        var own = try OriginRule("127.0.0.1:\(first.port)=127.0.0.1")
        own.credential = "Bearer one"
        let rules = [own, try OriginRule("127.0.0.1=127.0.0.1")]
        let fetcher = try makeFetcher { $0.policy = OriginPolicy(rules: rules) }
        _ = try await fetcher.get(first.url("/")) {
            $0.method = .post
            $0.body = MethodTests.body
            $0.fields = [("Content-Type", "application/json"), ("token", "secret")]
        }
        let there = try #require(second.requests().first)
        #expect(there.body == MethodTests.body)
        #expect(there["Content-Type"] == "application/json")
        #expect(there["Authorization"] == nil)
        #expect(there["token"] == nil)
        #expect(first.requests().first?["Authorization"] == "Bearer one")
        await fetcher.shutDown()
    }
}
