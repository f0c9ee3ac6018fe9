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
        #expect(child.err.value.contains("prefetch: 1/2 (50%)"))
        #expect(!child.err.value.contains("1 failed"))
        let get = try ChildProcess(
            "get", origin.url("/1.png"), "--only-cached", "-o", "x.png", "--allow-origin", allowed, folder: folder)
        #expect(await get.ended() == 0)
        #expect(try [UInt8](Data(contentsOf: URL(filePath: folder.file("x.png")))) == SampleImage.png())
    }

    @Test(arguments: [(SIGTERM, 0), (SIGINT, 130)] as [(Int32, Int32)])
    func aPurgeByScheduleLogsItsRoundsAndEndsAsItWasAsked(signal: Int32, code: Int32) async throws {
        origin.on("/1.png") { $0.respond(body: SampleImage.png()) }
        let fill = try ChildProcess(
            "prefetch", "--url", origin.url("/1.png"), "--allow-origin", allowed, folder: folder)
        #expect(await fill.ended() == 0)
        let child = try ChildProcess("purge", "--expired", "--every", "1h", folder: folder)
        await child.err.wait { $0.contains("event=purge what=expired count=0") }
        child.signal(signal)
        #expect(await child.ended() == code)
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

    @Test("a signal lets answers in flight finish within the grace", arguments: [SIGTERM, SIGINT])
    func answersInFlightFinishAfterASignal(signal: Int32) async throws {
        let (server, gate, port, download) = try await serverWithAPhotoUnderWay()
        server.signal(signal)
        // Once the port is closed the server does nothing but wait for the answer.
        while try await curl("http://127.0.0.1:\(port)/healthz", to: "other") != Self.cannotConnect {}
        #expect(!server.err.value.contains("\"event\":\"stopped\""))
        gate.open()
        #expect(try await download.value == 0)
        #expect(try [UInt8](Data(contentsOf: URL(filePath: folder.file("photo")))) == SampleImage.png())
        #expect(await server.ended() == (signal == SIGINT ? 130 : 0))
        #expect(server.err.value.contains(#/"event":"stopped".*"complete":true|"complete":true.*"event":"stopped"/#))
        #expect(!server.err.value.contains("cancelled"))
    }

    @Test func theGraceEnds() async throws {
        let (server, gate, _, download) = try await serverWithAPhotoUnderWay("--shutdown-grace", "50ms")
        defer { gate.open() }
        server.signal(SIGTERM)
        #expect(await server.ended() == 0)
        #expect(server.err.value.contains("\"complete\":false"))
        _ = try await download.value
    }

    /// A server, and a client of it whose photo the origin holds back until the gate opens.
    private func serverWithAPhotoUnderWay(
        _ options: String...
    ) async throws -> (server: ChildProcess, gate: Gate, port: String, download: Task<Int32, any Error>) {
        let gate = Gate()
        origin.on("/slow.png") { exchange in
            gate.waitBlocking()
            exchange.respond(body: SampleImage.png())
        }
        let server = try ChildProcess(
            arguments: ["serve", "--listen", "127.0.0.1:0", "--log-format", "json", "--allow-origin", allowed]
                + options, folder: folder)
        let port = try await port(of: server)
        let url = "http://127.0.0.1:\(port)/images?url=\(origin.url("/slow.png"))"
        let download = Task { try await curl(url, to: "photo") }
        _ = await origin.requests(to: "/slow.png", reach: 1)
        return (server, gate, port, download)
    }

    @Test func theSampleSchoolIsFetchedAndServed() async throws {
        let child = try ChildProcess("demo", "--students", "20", "--listen", "127.0.0.1:0", folder: folder)
        await child.out.wait { $0.contains("/metrics") }
        let match = try #require(child.out.value.firstMatch(of: #/http://127\.0\.0\.1:(\d+)/students/(\d+)/photo/#))
        let photo = try await body(String(match.1), "/students/\(match.2)/photo")
        #expect(photo.starts(with: [0xFF, 0xD8, 0xFF]))
        #expect((15_000...80_000).contains(photo.count))
        child.signal(SIGINT)
        #expect(await child.ended() == 130)
        // One pupil has no photo, one is missing at the origin.
        #expect(child.out.value.contains("  18  fetched\n   1  no photo\n   1  missing (404, 410)"))
    }

    @Test func aDemoInterruptedWhileItFetchesSaysHowFarItCame() async throws {
        let child = try ChildProcess("demo", "--students", "2000", "--listen", "127.0.0.1:0", folder: folder)
        await child.err.wait { $0.contains("prefetch: ") }
        child.signal(SIGINT)
        #expect(await child.ended() == 130)
        #expect(child.out.value.contains("  not reached"))
    }

    @Test func anInterruptedGetSaysSo() async throws {
        let gate = Gate()
        origin.on("/1.png") { exchange in
            gate.waitBlocking()
            exchange.respond(body: SampleImage.png())
        }
        defer { gate.open() }
        let child = try ChildProcess(
            "get", origin.url("/1.png"), "-o", "x.png", "--allow-origin", allowed, folder: folder)
        _ = await origin.requests(to: "/1.png", reach: 1)
        child.signal(SIGINT)
        #expect(await child.ended() == 130)
        #expect(child.err.value == "halcyon: interrupted\n")
    }

    private func port(of server: ChildProcess) async throws -> String {
        await server.err.wait { $0.contains("\"event\":\"listening\"") }
        return String(try #require(server.err.value.firstMatch(of: #/127\.0\.0\.1:(\d+)/#)).1)
    }

    private func body(_ port: String, _ path: String) async throws -> [UInt8] {
        _ = try await curl("http://127.0.0.1:\(port)\(path)", to: "body")
        return [UInt8](try Data(contentsOf: URL(filePath: folder.file("body"))))
    }

    /// CURLE_COULDNT_CONNECT.
    private static let cannotConnect: Int32 = 7

    /// By curl, which is no code of ours. Returns its exit code.
    @discardableResult
    private func curl(_ url: String, to name: String) async throws -> Int32 {
        let curl = Process()
        curl.executableURL = URL(filePath: "/usr/bin/curl")
        // Another suite sets a proxy in this process's environment for a moment.
        curl.environment = [:]
        curl.arguments = ["-s", "-o", folder.file(name), url]
        let code = Watched<Int32?>(nil)
        curl.terminationHandler = { process in
            let status = process.terminationStatus
            code.update { $0 = status }
        }
        try curl.run()
        await code.wait { $0 != nil }
        return code.value ?? -1
    }
}
