import HalcyonTestSupport
import Testing

@testable import HalcyonHTTP

/// Addresses are judged where the socket is opened, whatever led there.
@Suite(.timeLimit(.minutes(1)))
struct AddressJudgementTests {
    @Test("S-09 what is blocked is blocked as a URL, however it is allowed by name", arguments: blockedAddresses)
    func asURL(literal: String, name: String) async throws {
        let host = literal.contains(":") ? "[\(literal)]" : literal
        let fetcher = try makeFetcher([host])
        let error = await fetcher.failure("http://\(host)/")
        #expect(error == .refused(.addressBlocked(class: name), hint: "--allow-origin \(try HostPattern(host))=CIDR"))
        #expect(error?.token == "blocked-address")
        await fetcher.shutDown()
    }

    @Test("S-09, S-11, S-14, R-16, HB-61 what is blocked is blocked as the answer of DNS", arguments: blockedAddresses)
    func asName(literal: String, name: String) async throws {
        let fetcher = try makeFetcher(["*.school.test"]) {
            $0.resolve = ["photos.school.test:80:\(literal.contains(":") ? "[\(literal)]" : literal)"]
        }
        let error = await fetcher.failure("http://photos.school.test/a.png?secret=1")
        #expect(error == .refused(.addressBlocked(class: name), hint: "--allow-origin photos.school.test=CIDR"))
        #expect(error?.description.contains(literal) == false)
        #expect(error?.description.contains("secret") == false)
        await fetcher.shutDown()
    }

    @Test(
        "S-07 forms that only inet_aton reads are no URLs",
        arguments: ["0", "127.1", "0x7f.1", "2130706433", "0177.0.0.1"])
    func numericHosts(host: String) async throws {
        #expect(throws: URLProblem.ambiguousAddress) { try CanonicalURL("http://\(host)/") }
        #expect(throws: OriginRuleProblem.invalidHost) { try OriginRule(host) }
    }

    @Test("S-08 private ranges are refused by default, and allowed by naming them")
    func byDefault() async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") { $0.respond(body: [1]) }
        let closed = try makeFetcher(["127.0.0.1"])
        #expect(await closed.failure(origin.url("/"))?.token == "blocked-address")
        #expect(origin.acceptedConnections == 0)
        await closed.shutDown()
        let open = try makeFetcher(["127.0.0.1=127.0.0.1"])
        #expect(try await open.get(origin.url("/")).status == 200)
        await open.shutDown()
    }

    @Test("S-03, S-23 a second address is judged as the first was") func secondAddress() async throws {
        // Only 127.0.0.2 listens; 127.0.0.3, where no test has an origin, refuses the connection, so that curl goes on to the next address.
        let origin = try ScriptedOrigin(host: "127.0.0.2")
        origin.on("/") { $0.respond(body: [1]) }
        let fetcher = try makeFetcher(["photos.test=127.0.0.3"]) {
            $0.resolve = ["photos.test:\(origin.port):127.0.0.3,127.0.0.2"]
        }
        let error = await fetcher.failure("http://photos.test:\(origin.port)/")
        #expect(error?.token == "blocked-address")
        #expect(origin.acceptedConnections == 0)
        await fetcher.shutDown()
    }

    @Test("S-03 a name that comes to mean another address is judged anew") func rebinding() async throws {
        let good = try ScriptedOrigin()
        let port = good.port
        let bad = try ScriptedOrigin(host: "127.0.0.4", port: port)
        for origin in [good, bad] { origin.on("/") { $0.respond(fields: [("Connection", "close")], body: [1]) } }
        var configuration = FetchConfiguration(policy: OriginPolicy(rules: [try OriginRule("photos.test=127.0.0.1")]))
        configuration.resolve = ["photos.test:\(port):127.0.0.1"]
        let fetcher = try Fetcher(configuration: configuration)
        #expect(try await fetcher.get("http://photos.test:\(port)/").status == 200)
        configuration.resolve = ["photos.test:\(port):127.0.0.4"]
        fetcher.reconfigure(configuration)
        #expect(await fetcher.failure("http://photos.test:\(port)/")?.token == "blocked-address")
        #expect(bad.acceptedConnections == 0)
        await fetcher.shutDown()
    }

    @Test("R-03 S-23 a kept connection is judged by the rule of the request that would ride on it")
    func keptConnection()
        async throws
    {
        let origin = try ScriptedOrigin()
        origin.on("/") { $0.respond(body: [1]) }
        var configuration = FetchConfiguration(policy: OriginPolicy(rules: [try OriginRule("127.0.0.1=127.0.0.0/8")]))
        let fetcher = try Fetcher(configuration: configuration)
        #expect(try await fetcher.get(origin.url("/")).status == 200)
        configuration.policy = OriginPolicy(rules: [try OriginRule("127.0.0.1")])
        fetcher.reconfigure(configuration)
        #expect(await fetcher.failure(origin.url("/"))?.token == "blocked-address")
        #expect(origin.requests().count == 1)
        await fetcher.shutDown()
    }

    @Test func anIPv6OriginIsReached() async throws {
        let origin = try ScriptedOrigin(host: "::1")
        origin.on("/") { $0.respond(body: [6]) }
        let fetcher = try makeFetcher(["[::1]=::1"])
        #expect(try await fetcher.get(origin.url("/")).body == [6])
        await fetcher.shutDown()
    }

    @Test("S-16 nothing in a request lowers the policy") func requestMembers() throws {
        let request = FetchRequest(url: try CanonicalURL("http://a.example/"))
        let members = Mirror(reflecting: request).children.compactMap(\.label).sorted()
        #expect(
            members == [
                "acceptsContent", "acceptsContentCodings", "body", "fields", "id", "maximumBodyBytes", "method",
                "onProgress", "priority", "retries", "timeout", "url",
            ])
    }
}
