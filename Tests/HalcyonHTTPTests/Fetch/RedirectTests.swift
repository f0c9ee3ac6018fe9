import HalcyonTestSupport
import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct RedirectTests {
    @Test(
        "HB-56 each status and each form of target is followed", arguments: [301, 302, 303, 307, 308],
        ["/dir/b", "b", "./x/../b", "//HOST/dir/b", "http://HOST/dir/b", "b#fragment"])
    func followed(status: Int, location: String) async throws {
        let origin = try ScriptedOrigin()
        let target = location.replacing("HOST", with: "127.0.0.1:\(origin.port)")
        origin.on("/dir/a") { $0.redirect(to: target, status: status) }
        origin.on("/dir/b") { $0.respond(body: [9]) }
        let fetcher = try makeFetcher()
        let response = try await fetcher.get(origin.url("/dir/a?token=secret"))
        #expect(response.body == [9])
        #expect(response.finalURL.text == origin.url("/dir/b"))
        #expect(response.metrics.redirects == 1)
        #expect(response.metrics.hops == ["http://127.0.0.1:\(origin.port)/…"])
        #expect(response.metrics.attempts == 1)
        await fetcher.shutDown()
    }

    @Test("HB-56 the limit counts hops, and a loop is found at once") func limit() async throws {
        let origin = try ScriptedOrigin()
        for hop in 0..<9 { origin.on("/\(hop)") { $0.redirect(to: "/\(hop + 1)") } }
        origin.on("/9") { $0.respond(body: [1]) }
        origin.on("/loop") { $0.redirect(to: "/pool") }
        origin.on("/pool") { $0.redirect(to: "/loop") }
        let fetcher = try makeFetcher { $0.maximumRedirects = 5 }
        #expect(try await fetcher.get(origin.url("/4")).status == 200)
        #expect(await fetcher.failure(origin.url("/3")) == .tooManyRedirects(5))
        #expect(await fetcher.failure(origin.url("/loop")) == .tooManyRedirects(5))
        #expect(origin.requests(to: "/loop").count == 1)
        await fetcher.shutDown()
    }

    @Test(
        "S-01, S-02, R-04, S-22 a hop to a host that is not allowed makes no connection there",
        arguments: [301, 302, 303, 307, 308], [1, 3])
    func refused(status: Int, hops: Int) async throws {
        let other = try ScriptedOrigin(host: "127.0.0.2")
        let origin = try ScriptedOrigin()
        for form in ["http://127.0.0.2:\(other.port)/x", "//127.0.0.2:\(other.port)/x"] {
            for hop in 1..<hops { origin.on("/\(hop)") { $0.redirect(to: "/\(hop + 1)", status: status) } }
            origin.on("/\(hops)") { $0.redirect(to: form, status: status) }
            let fetcher = try makeFetcher(["127.0.0.1=127.0.0.1"])
            let error = await fetcher.failure(origin.url("/1"))
            #expect(error == .refused(.redirectNotAllowed, hint: "--allow-redirect-to 127.0.0.2"))
            #expect(error?.token == "blocked-redirect")
            await fetcher.shutDown()
        }
        #expect(other.acceptedConnections == 0)
    }

    @Test("S-01 a host for redirects alone is still judged by its address") func redirectHost() async throws {
        let other = try ScriptedOrigin(host: "127.0.0.2")
        let origin = try ScriptedOrigin()
        origin.on("/") { $0.redirect(to: "http://127.0.0.2:\(other.port)/x") }
        let fetcher = try makeFetcher(["127.0.0.1=127.0.0.1"], redirectHosts: ["127.0.0.2"])
        #expect(await fetcher.failure(origin.url("/"))?.token == "blocked-address")
        #expect(other.acceptedConnections == 0)
        await fetcher.shutDown()
    }

    @Test(
        "HB-61 only http and https, at every hop",
        arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/x", "data:image/png,x"])
    func schemes(location: String) async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") { $0.redirect(to: location) }
        let fetcher = try makeFetcher()
        let error = await fetcher.failure(origin.url("/"))
        #expect(["blocked-host", "redirects"].contains(error?.token))
        await fetcher.shutDown()
    }

    @Test func aRedirectWithoutATargetIsAnError() async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") { $0.respond(302) }
        let fetcher = try makeFetcher()
        #expect(await fetcher.failure(origin.url("/")) == .redirectWithoutLocation)
        await fetcher.shutDown()
    }

    @Test func aNotModifiedAnswerIsNoRedirect() async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") { $0.respond($0.request["If-None-Match"] == "\"1\"" ? 304 : 200, fields: [("ETag", "\"1\"")]) }
        let fetcher = try makeFetcher()
        let response = try await fetcher.get(origin.url("/")) { $0.fields = [("If-None-Match", "\"1\"")] }
        #expect(response.status == 304)
        #expect(response.body.isEmpty)
        await fetcher.shutDown()
    }
}
