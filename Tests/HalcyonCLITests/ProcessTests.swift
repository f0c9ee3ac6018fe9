import Foundation
import HalcyonTestSupport
import Testing

@testable import HalcyonCLI

/// The executable itself: exit codes and signals.
@Suite(.timeLimit(.minutes(1)))
struct ProcessTests {
    private let folder: TemporaryFolder
    private let origin: ScriptedOrigin

    init() throws {
        folder = try TemporaryFolder()
        origin = try ScriptedOrigin()
    }

    private var allowed: String { "127.0.0.1:\(origin.port)=127.0.0.0/8" }

    @Test func theExitCodesAreThoseOfTheContract() async throws {
        #expect(try await ChildProcess("version", folder: folder).ended() == 0)
        #expect(try await ChildProcess("get", "http://127.0.0.1:1/", folder: folder).ended() == 1)
        #expect(try await ChildProcess("serve", "--disk-limit", "much", folder: folder).ended() == 2)
    }

    @Test func theVariablesOfTheProcessCount() async throws {
        let child = try ChildProcess("serve", "--print-config", folder: folder, environment: ["HALCYON_RETRIES": "9"])
        #expect(await child.ended() == 0)
        #expect(child.out.value.contains("\"retries\" : 9"))
    }

    @Test func interruptingAPrefetchKeepsWhatWasFetched() async throws {
        let gate = Gate()
        origin.on("/1.png") { $0.respond(body: SampleImage.png()) }
        origin.on("/2.png") { exchange in
            gate.waitBlocking()
            exchange.respond(body: SampleImage.png(seed: 2))
        }
        defer { gate.open() }
        let child = try ChildProcess(
            "prefetch", "--url", origin.url("/1.png"), "--url", origin.url("/2.png"), "--concurrency", "1",
            "--allow-origin", allowed, folder: folder)
        // With one at a time the second is asked for once the first is kept.
        _ = await origin.requests(to: "/2.png", reach: 1)
        child.signal(SIGINT)
        #expect(await child.ended() == 130)
        #expect(child.out.value.contains("  1  fetched\n  1  not reached"))
        let get = try ChildProcess(
            "get", origin.url("/1.png"), "--only-cached", "-o", "x.png", "--allow-origin", allowed, folder: folder)
        #expect(await get.ended() == 0)
        #expect(try [UInt8](Data(contentsOf: URL(filePath: folder.file("x.png")))) == SampleImage.png())
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func aPurgeByScheduleLogsItsRoundsAndEndsWithZero(signal: Int32) async throws {
        let child = try ChildProcess("purge", "--expired", "--every", "1h", folder: folder)
        await child.err.wait { $0.contains("event=purge what=expired count=0") }
        child.signal(signal)
        #expect(await child.ended() == 0)
    }

    @Test("HB-31 a server and the commands share one cache folder")
    func aServerSeesWhatCommandsFetchAndPurge() async throws {
        origin.on("/1.png") { $0.respond(body: SampleImage.png()) }
        let roster = "id,grade,classNumber,number,name,profileImageURL\n7,1,1,1,pupil,\(origin.url("/1.png"))\n"
        try Data(roster.utf8).write(to: URL(filePath: folder.file("r.csv")))
        #expect(try await ChildProcess("students", "import", "r.csv", folder: folder).ended() == 0)
        let server = try ChildProcess(
            "serve", "--listen", "127.0.0.1:0", "--log-format", "json", "--allow-origin", allowed, folder: folder)
        let port = try await port(of: server)
        #expect(try await ChildProcess("prefetch", "--allow-origin", allowed, folder: folder).ended() == 0)

        #expect(try await body(port, "/students/7/photo") == SampleImage.png())
        #expect(origin.requests().count == 1)
        #expect(try await ChildProcess("purge", "--student", "7", folder: folder).ended() == 0)
        // Within the documented second the server asks the origin again; each request is a real one.
        while origin.requests().count == 1 { _ = try await body(port, "/students/7/photo") }

        server.signal(SIGHUP)
        await server.err.wait { $0.contains("\"event\":\"reloaded\"") }
        server.signal(SIGTERM)
        #expect(await server.ended() == 0)
        #expect(server.err.value.contains("\"event\":\"stopped\""))
        #expect(!server.err.value.contains("1.png"))
    }

    @Test func theSampleSchoolIsFetchedAndServed() async throws {
        let child = try ChildProcess("demo", "--students", "20", "--listen", "127.0.0.1:0", folder: folder)
        await child.out.wait { $0.contains("/metrics") }
        let match = try #require(child.out.value.firstMatch(of: #/http://127\.0\.0\.1:(\d+)/students/(\d+)/photo/#))
        let photo = try await body(String(match.1), "/students/\(match.2)/photo")
        #expect(photo.starts(with: [0xFF, 0xD8, 0xFF]))
        #expect((15_000...80_000).contains(photo.count))
        child.signal(SIGINT)
        #expect(await child.ended() == 0)
        // One pupil has no photo, one is missing at the origin.
        #expect(child.out.value.contains("  18  fetched\n   1  no photo\n   1  missing (404, 410)"))
    }

    private func port(of server: ChildProcess) async throws -> String {
        await server.err.wait { $0.contains("\"event\":\"listening\"") }
        return String(try #require(server.err.value.firstMatch(of: #/127\.0\.0\.1:(\d+)/#)).1)
    }

    /// By curl, which is no code of ours.
    private func body(_ port: String, _ path: String) async throws -> [UInt8] {
        let file = folder.file("body")
        let curl = Process()
        curl.executableURL = URL(filePath: "/usr/bin/curl")
        curl.arguments = ["-s", "-o", file, "http://127.0.0.1:\(port)\(path)"]
        let isDone = Watched(false)
        curl.terminationHandler = { _ in isDone.update { $0 = true } }
        try curl.run()
        await isDone.wait { $0 }
        return [UInt8](try Data(contentsOf: URL(filePath: file)))
    }
}
