import Foundation
import HalcyonTestSupport
import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct CredentialTests {
    private func rule(_ text: String, credential: String? = nil) throws -> OriginRule {
        var rule = try OriginRule(text)
        rule.credential = credential
        if let credential { rule.requestFields = [("X-Photo-Key", "key of \(credential)")] }
        return rule
    }

    @Test("HB-57, S-20 credentials stay with the origin that they are for") func acrossPorts() async throws {
        let first = try ScriptedOrigin()
        let second = try ScriptedOrigin()
        first.on("/a") { $0.redirect(to: second.url("/b")) }
        second.on("/b") { $0.redirect(to: first.url("/c")) }
        first.on("/c") { $0.respond(body: [1]) }
        let rules = try [
            rule("127.0.0.1:\(first.port)=127.0.0.1", credential: "Bearer one"), rule("127.0.0.1=127.0.0.1"),
        ]
        let fetcher = try makeFetcher { $0.policy = OriginPolicy(rules: rules) }
        _ = try await fetcher.get(first.url("/a")) {
            $0.fields = [("X-Client", "secret"), ("Accept", "image/png"), ("If-None-Match", "\"1\"")]
        }
        let there = try #require(second.requests().first)
        for name in ["Authorization", "X-Photo-Key", "X-Client", "Cookie"] { #expect(there[name] == nil) }
        #expect(there["Accept"] == "image/png")
        #expect(there["If-None-Match"] == "\"1\"")
        // Each hop has what its own rule says.
        for path in ["/a", "/c"] {
            let here = try #require(first.requests(to: path).first)
            #expect(here["Authorization"] == "Bearer one")
            #expect(here["X-Photo-Key"] == "key of Bearer one")
        }
        #expect(first.requests(to: "/a").first?["X-Client"] == "secret")
        await fetcher.shutDown()
    }

    @Test("S-20 a rule for all ports gives its credential to the first port alone") func otherPort() async throws {
        let first = try ScriptedOrigin()
        let second = try ScriptedOrigin()
        first.on("/") { $0.redirect(to: second.url("/")) }
        second.on("/") { $0.respond(body: [1]) }
        let rule = try rule("127.0.0.1=127.0.0.1", credential: "Bearer one")
        let fetcher = try makeFetcher { $0.policy = OriginPolicy(rules: [rule]) }
        _ = try await fetcher.get(first.url("/"))
        #expect(first.requests().first?["Authorization"] == "Bearer one")
        #expect(second.requests().first?["Authorization"] == nil)
        #expect(second.requests().first?["X-Photo-Key"] == nil)
        await fetcher.shutDown()
    }

    @Test("HB-57 another host gets the credential of its own rule") func ownRule() async throws {
        let first = try ScriptedOrigin()
        let second = try ScriptedOrigin(host: "127.0.0.2")
        first.on("/") { $0.redirect(to: second.url("/")) }
        second.on("/") { $0.respond(body: [1]) }
        let rules = try [
            rule("127.0.0.1=127.0.0.1", credential: "Bearer one"),
            rule("127.0.0.2=127.0.0.2", credential: "Bearer two"),
        ]
        let fetcher = try makeFetcher { $0.policy = OriginPolicy(rules: rules) }
        _ = try await fetcher.get(first.url("/"))
        #expect(second.requests().first?["Authorization"] == "Bearer two")
        await fetcher.shutDown()
    }

    @Test("K-01 a client's cookie and credentials never reach an origin") func clientFields() async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") { $0.respond(fields: [("Set-Cookie", "session=1")], body: [1]) }
        let fetcher = try makeFetcher()
        let clients: [HTTPFields] = [
            [("Cookie", "a=1"), ("Authorization", "Bearer a"), ("cookie2", "x"), ("Proxy-Authorization", "Basic a")],
            [("cOOKIE", "b=2"), ("AUTHORIZATION", "Bearer b"), ("Host", "evil.test"), ("Connection", "close")],
            [],
        ]
        for fields in clients { _ = try await fetcher.get(origin.url("/")) { $0.fields = fields } }
        let heads = Set(origin.requests().map(\.head))
        // Identical requests, and the cookie that the origin set is not sent back either.
        #expect(heads.count == 1)
        #expect(heads.first?.lowercased().contains("cookie") == false)
        #expect(origin.acceptedConnections == 1)
        await fetcher.shutDown()
    }

    @Test func aFieldCannotBeginAnotherLine() async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") { $0.respond(body: [1]) }
        let fetcher = try makeFetcher()
        _ = try await fetcher.get(origin.url("/")) {
            $0.fields = [("X-A", "1\r\nX-Evil: 1"), ("X-B: 1\r\nX-Evil", "1"), ("X-Empty", ""), ("", "x")]
        }
        let request = try #require(origin.requests().first)
        #expect(request["X-Evil"] == nil)
        #expect(request["X-A"] == "1  X-Evil: 1")
        #expect(request["X-Empty"] == "")
        await fetcher.shutDown()
    }

    @Test("R-07 proxy variables are obeyed only when asked for") func proxies() async throws {
        let proxy = try ScriptedOrigin()
        let origin = try ScriptedOrigin()
        proxy.on("*") { $0.respond(body: [2]) }
        origin.on("/") { $0.respond(body: [1]) }
        setenv("http_proxy", proxy.base, 1)
        defer { unsetenv("http_proxy") }
        let direct = try makeFetcher()
        #expect(try await direct.get(origin.url("/")).body == [1])
        #expect(proxy.acceptedConnections == 0)
        await direct.shutDown()
        let proxied = try makeFetcher { $0.usesEnvironmentProxies = true }
        #expect(try await proxied.get(origin.url("/")).body == [2])
        #expect(proxy.requests().first?.target == origin.url("/"))
        // The list of hosts holds all the same.
        #expect(await proxied.failure("http://other.test/")?.token == "blocked-host")
        await proxied.shutDown()
    }
}
