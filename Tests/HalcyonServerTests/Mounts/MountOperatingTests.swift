import Foundation
import Glibc
import Halcyon
import HalcyonRecords
import HalcyonStore
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// What the one who runs the service sees of mounts, and can do about them.
@Suite(.timeLimit(.minutes(1)))
struct MountOperatingTests {
    private func runStored(
        _ policy: MountPolicy = MountPolicy(), _ body: (ServiceHarness) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        var adjustments = ServiceHarness.Adjustments(mount: policy)
        adjustments.pipeline = { $0.cacheFolder = folder.path }
        try await ServiceHarness.run(adjustments) { (service) async throws in
            service.origin.on("*") {
                $0.respond(
                    200,
                    fields: [("Cache-Control", "max-age=600"), ("Vary", $0.request.path.hasSuffix("v") ? "X-W" : "")],
                    body: Array("face".utf8))
            }
            try await body(service)
        }
    }

    private func isStored(_ service: ServiceHarness, _ path: String) async throws -> Bool {
        let fields = [("Cache-Control", "only-if-cached"), ("X-W", "1")]
        return try await service.get(path, fields).status == 200
    }

    @Test(
        "CONTRACT.md: a purge finds what mounts keep by URL, host and label, whatever chose it",
        arguments: ["url", "host", "tag", "all"])
    func purges(kind: String) async throws {
        try await runStored { (service) async throws in
            for path in ["/m/a", "/m/v"] {
                #expect(try await service.get(path, [("X-W", "1")]).status == 200)
                while try await !isStored(service, path) { await Task.yield() }
            }
            let body =
                switch kind {
                case "url": #"{"url": ["\#(service.origin.url("/base/a"))", "\#(service.origin.url("/base/v"))"]}"#
                case "host": #"{"host": "127.0.0.1"}"#
                case "tag": #"{"tag": "mount:/m"}"#
                default: #"{"all": true}"#
                }
            #expect(try await service.post("/cache/purge", body).status == 200)
            for path in ["/m/a", "/m/v"] { #expect(try await !isStored(service, path), "\(path)") }
        }
    }

    @Test func anotherLabelIsLeftAlone() async throws {
        try await runStored { (service) async throws in
            #expect(try await service.get("/m/a").status == 200)
            while try await !isStored(service, "/m/a") { await Task.yield() }
            #expect(try await service.post("/cache/purge", #"{"tag": ["mount:/mm", "mount:/"]}"#).status == 200)
            #expect(try await isStored(service, "/m/a"))
        }
    }

    @Test func theDiskKnowsHowMuchIsOfAMount() async throws {
        try await runStored { (service) async throws in
            for name in ["a", "b"] { #expect(try await service.get("/m/" + name).status == 200) }
            let disk = try #require(service.pipeline.diskCache)
            var mounts: [String] = []
            while mounts.isEmpty { mounts = await disk.statistics().mounts.filter { $0.count == 2 }.map(\.name) }
            #expect(mounts == ["mount:/m"])
        }
    }

    @Test("the log says which mount, and nothing of the path")
    func log() async throws {
        let folder = try TemporaryFolder()
        let descriptor = open(folder.file("log"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let logger = Logger(level: .info, format: .text, descriptor: descriptor)
        var adjustments = ServiceHarness.Adjustments(logger: logger)
        adjustments.mount = MountPolicy()
        try await ServiceHarness.run(adjustments) { (service) async throws in
            #expect(try await service.get("/m/kim?token=secret").status == 404)
        }
        logger.flush()
        let lines = try String(contentsOfFile: folder.file("log"), encoding: .utf8).split(separator: "\n")
        let line = try #require(lines.first { $0.contains("event=request") })
        #expect(line.contains("route=mount"))
        #expect(line.contains("mount=/m"))
        #expect(!lines.contains { $0.contains("kim") || $0.contains("secret") })
    }

    @Test("CONTRACT.md: with accounts a mount asks for a token, which the origin never sees")
    func tokens() async throws {
        try await runStored { (service) async throws in
            let users = try await AccessTests.users(service.records)
            let token = try await AccessTests.token(users[.viewer], service.records)
            #expect(try await service.get("/m/a").status == 401)
            #expect(service.origin.requests().isEmpty)
            for fields in [[("Authorization", "Bearer \(token)")], [("token", token)]] {
                #expect(try await service.get("/m/a", fields).status == 200)
                #expect(try await service.get("/m/a", fields + [("Cache-Control", "no-cache")]).status == 200)
            }
            // A stored answer is no way round the token either.
            #expect(try await service.get("/m/a").status == 401)
            for request in service.origin.requests() {
                #expect(!request.head.contains(token))
            }
        }
    }

    @Test func aPublicMountLeavesCredentialsToTheOrigin() async throws {
        var policy = MountPolicy()
        policy.isPublic = true
        try await runStored(policy) { (service) async throws in
            _ = try await AccessTests.users(service.records)
            #expect(try await service.get("/m/a").status == 200)
            #expect(try await service.get("/m/b", [("Authorization", "Basic abc")]).status == 200)
            #expect(service.origin.requests()[1]["Authorization"] == "Basic abc")
        }
    }

    @Test("what the policy of a mount changes")
    func policies() async throws {
        var policy = MountPolicy()
        policy.expiry = 30
        policy.ignoredQueryItems = ["sig"]
        policy.refusesCookies = true
        policy.maximumObjectBytes = 1000
        try await ServiceHarness.runMount(policy) { (service) async throws in
            service.origin.on("/base/a") { $0.respond(200, body: Array($0.request.target.utf8)) }
            service.origin.on("/base/cookie") { $0.respond(200, fields: [("Set-Cookie", "a=1")]) }
            service.origin.on("/base/large") { $0.respond(200, body: [UInt8](repeating: 1, count: 1001)) }
            service.origin.on("/base/unknown") { exchange in
                exchange.headChunked()
                for _ in 0..<3 { exchange.chunk([UInt8](repeating: 1, count: 400)) }
                exchange.endChunks()
            }
            #expect(try await service.get("/m/a?sig=1&x=1").text == "/base/a?sig=1&x=1")
            #expect(try await service.get("/m/a?sig=2&x=1").text == "/base/a?sig=1&x=1")
            #expect(try await service.get("/m/a?sig=2&x=2").text == "/base/a?sig=2&x=2")
            service.clock.advance(by: 40)
            #expect(try await service.get("/m/a?sig=2&x=1").text == "/base/a?sig=2&x=1")
            for path in ["cookie", "large", "unknown"] {
                for _ in 0..<2 { #expect(try await service.get("/m/" + path).status == 200) }
                #expect(service.origin.requests(to: "/base/" + path).count == 2, "\(path)")
            }
        }
    }
}
