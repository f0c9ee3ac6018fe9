import Halcyon
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// What is stale, with an origin that is slow, fails or is gone.
@Suite(.timeLimit(.minutes(1)))
struct MountStaleTests {
    /// `/m/a` is stored as `old` with this `Cache-Control`, and 90 seconds have passed.
    private func runStale(
        _ control: String, fields: [(String, String)] = [("ETag", "\"v1\"")],
        _ body: (ServiceHarness) async throws -> Void
    ) async throws {
        try await ServiceHarness.runMount { (service) async throws in
            service.origin.on("/base/a") {
                $0.respond(200, fields: [("Cache-Control", control)] + fields, body: Array("old".utf8))
            }
            #expect(try await service.get("/m/a").text == "old")
            service.clock.advance(by: 90)
            try await body(service)
        }
    }

    private func answerNew(_ service: ServiceHarness, after gate: Gate? = nil) {
        service.origin.on("/base/a") {
            gate?.waitBlocking()
            $0.respond(
                200, fields: [("Cache-Control", "max-age=60"), ("ETag", "\"v2\"")], body: Array("new".utf8))
        }
    }

    @Test("RFC 5861 §3: stale-while-revalidate answers at once, asks once, and then has the new one")
    func staleWhileRevalidate() async throws {
        try await runStale("max-age=60, stale-while-revalidate=60") { (service) async throws in
            let hold = Gate()
            answerNew(service, after: hold)
            for _ in 0..<3 {
                let stale = try await service.get("/m/a")
                #expect(stale.text == "old")
                #expect(stale["Cache-Status"]?.contains("hit; ttl=-3") == true)
            }
            await service.origin.requests(to: "/base/a", reach: 2)
            hold.open()
            while try await service.get("/m/a").text == "old" { await Task.yield() }
            let requests = service.origin.requests()
            #expect(requests.map { $0["If-None-Match"] } == [nil, "\"v1\""])
        }
    }

    @Test("RFC 5861 §3: past the window the origin is waited for")
    func staleWhileRevalidateEnds() async throws {
        try await runStale("max-age=60, stale-while-revalidate=20") { (service) async throws in
            answerNew(service)
            #expect(try await service.get("/m/a").text == "new")
        }
    }

    @Test("RFC 5861 §4: stale-if-error stands in for what is an error", arguments: [500, 502, 503, 504])
    func staleIfError(status: Int) async throws {
        try await runStale("max-age=60, stale-if-error=60") { (service) async throws in
            service.origin.on("/base/a") { $0.respond(status) }
            let stale = try await service.get("/m/a")
            #expect(stale.status == 200)
            #expect(stale.text == "old")
            #expect(stale["Cache-Status"]?.contains("fwd=stale; fwd-status=\(status)") == true)
            #expect(90..<120 ~= Int(stale["Age"] ?? "") ?? 0)
            service.clock.advance(by: 60)
            #expect(try await service.get("/m/a").status == status)
        }
    }

    @Test("an error goes on where nothing allows otherwise")
    func errorsGoOn() async throws {
        try await runStale("max-age=60") { (service) async throws in
            service.origin.on("/base/a") { $0.respond(503, fields: [("Retry-After", "7")]) }
            let error = try await service.get("/m/a")
            #expect(error.status == 503)
            #expect(error["Retry-After"] == "7")
            service.origin.on("/base/a") { $0.respond(404) }
            #expect(try await service.get("/m/a").status == 404)
        }
    }

    @Test("RFC 9111 §4.2.4: cut off from the origin, what is stale is sent")
    func disconnected() async throws {
        try await runStale("max-age=60") { (service) async throws in
            service.origin.stop()
            let stale = try await service.get("/m/a")
            #expect(stale.status == 200)
            #expect(stale.text == "old")
            #expect(stale["Cache-Status"]?.contains("fwd=stale; ") == true)
            #expect(try await service.get("/m/other").status == 502)
        }
    }

    @Test(
        "RFC 9111 §5.2.2.2, §5.2.2.8, §5.2.2.10, §5.2.2.4: what must be validated is never sent stale",
        arguments: ["must-revalidate", "proxy-revalidate", "s-maxage=60", "no-cache"])
    func mustRevalidate(directive: String) async throws {
        try await runStale("max-age=60, \(directive), stale-if-error=600, stale-while-revalidate=600") {
            (service) async throws in
            service.origin.on("/base/a") { $0.respond(500) }
            #expect(try await service.get("/m/a").status == 500)
            service.origin.stop()
            #expect([502, 504].contains(try await service.get("/m/a").status))
        }
    }

    @Test(
        "RFC 9111 §5.2.1: the client says how stale, how old and how fresh",
        arguments: [
            ("max-stale=60", "old"), ("max-stale", "old"), ("max-stale=10", "new"), ("max-age=100", "new"),
            ("no-cache", "new"), ("min-fresh=1", "new"), ("only-if-cached, max-stale", "old"),
        ])
    func requestDirectives(directives: String, text: String) async throws {
        try await runStale("max-age=60") { (service) async throws in
            answerNew(service)
            #expect(try await service.get("/m/a", [("Cache-Control", directives)]).text == text)
            #expect(
                try await service.get("/m/a", [("Cache-Control", "only-if-cached")]).status
                    == (text == "new" ? 200 : 504))
        }
    }

    @Test("RFC 9111 §5.4: Pragma counts where there is no Cache-Control")
    func pragma() async throws {
        try await runStale("max-age=600") { (service) async throws in
            answerNew(service)
            let both = [("Pragma", "no-cache"), ("Cache-Control", "max-stale")]
            #expect(try await service.get("/m/a", both).text == "old")
            #expect(try await service.get("/m/a", [("Pragma", "no-cache")]).text == "new")
        }
    }

    @Test("a stored answer outlives the process and the memory")
    func mountsAreKeptOnDisk() async throws {
        let folder = try TemporaryFolder()
        var adjustments = ServiceHarness.Adjustments(mount: MountPolicy())
        adjustments.pipeline = { $0.cacheFolder = folder.path }
        let first = try await ServiceHarness(adjustments)
        first.origin.on("/base/a") {
            $0.respond(200, fields: [("Cache-Control", "max-age=600"), ("X-Own", "1")], body: Array("face".utf8))
        }
        let target = first.origin.url("/base")
        #expect(try await first.get("/m/a").text == "face")
        await first.stop()
        adjustments.mount = nil
        adjustments.server = { configuration in
            do { configuration.mounts = [try Mount("/m=\(target)")] } catch { Issue.record(error) }
        }
        try await ServiceHarness.run(adjustments) { (service) async throws in
            let hit = try await service.get("/m/a")
            #expect(hit.text == "face")
            #expect(hit["X-Own"] == "1")
            #expect(hit.isHit)
        }
    }
}
