import Foundation
import HalcyonTestSupport
import Testing

@testable import HalcyonCLI

/// The commands that fetch and keep photos, against an origin on loopback.
@Suite(.timeLimit(.minutes(1)))
struct PhotoCommandTests {
    private let folder: TemporaryFolder
    private let origin: ScriptedOrigin
    private let buffer = BufferConsole()

    init() throws {
        folder = try TemporaryFolder()
        origin = try ScriptedOrigin()
    }

    private func run(_ arguments: String...) async -> ExitCode {
        let common = [
            "--database", folder.file("r.sqlite"), "--cache-dir", folder.file("cache"), "--retries", "0",
            "--allow-origin", "127.0.0.1:\(origin.port)=127.0.0.0/8",
        ]
        return await CommandLineTool.run(arguments: arguments + common, environment: [:], console: buffer.console)
    }

    private func write(_ lines: [String], to name: String) throws -> String {
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: folder.file(name)))
        return folder.file(name)
    }

    private func json(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    /// A class of `paths.count` pupils, 1-1-1 and on; `nil` has no photo.
    private func importClass(_ paths: [String?]) async throws {
        let rows = paths.enumerated().map { index, path in
            "\(index + 1),1,1,\(index + 1),pupil,\(path.map(origin.url) ?? "")"
        }
        let roster = try write(["id,grade,classNumber,number,name,profileImageURL"] + rows, to: "roster.csv")
        #expect(await run("students", "import", roster) == .done)
    }

    private func serve(_ paths: String...) {
        for (index, path) in paths.enumerated() {
            origin.on(path) {
                $0.respond(fields: [("ETag", "\"\(index)\"")], body: SampleImage.png(seed: UInt64(index)))
            }
        }
    }

    @Test func variantsAreWarmedAndHadAndTheClassComesOnOneSheet() async throws {
        serve("/1.png", "/2.png")
        try await importClass(["/1.png", "/2.png", nil])
        #expect(await run("prefetch", "--variant", "w=4", "--variant", "w=2,format=webp") == .done)
        #expect(buffer.out.contains("  2  fetched\n  1  no photo"))
        // From the cache, whatever becomes of the origin.
        origin.on("*") { $0.respond(500) }
        let out = folder.file("1.webp")
        #expect(await run("get", "1", "--variant", "w=2&format=webp", "--only-cached", "-o", out) == .done)
        let bytes = try Data(contentsOf: URL(filePath: out))
        #expect(bytes.prefix(4) == Data("RIFF".utf8) && bytes.dropFirst(8).prefix(4) == Data("WEBP".utf8))
        #expect(await run("sheet", "--grade", "1", "--class", "1", "-o", folder.file("class.pdf")) == .done)
        #expect(try Data(contentsOf: URL(filePath: folder.file("class.pdf"))).prefix(5) == Data("%PDF-".utf8))
        #expect(buffer.err.contains("3 students, 1 without a photo"))
        #expect(await run("sheet", "--grade", "9", "--class", "1", "-o", folder.file("no.jpg")) == .failed)
        #expect(buffer.err.contains("there is nobody in class 9-1"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("no.jpg")))
        #expect(await run("sheet", "--grade", "1", "--class", "1", "-o", folder.file("class.gif")) == .usage)
        #expect(!FileManager.default.fileExists(atPath: folder.file("class.gif")))
        #expect(await run("get", "1", "--variant", "", "-o", folder.file("none.png")) == .usage)
        #expect(!FileManager.default.fileExists(atPath: folder.file("none.png")))
        #expect(origin.requests().count == 2)
    }

    @Test(
        "config check says what serve would say, and opens nothing",
        arguments: [
            ([], nil), (["--mount", "/students=http://a.example"], "is a path of Halcyon's own"),
            (["--purge-schedule", "x"], "a cron expression has five fields"),
            (["--tls-cert", "/nope.pem", "--tls-key", "/nope.key"], "/nope.pem cannot be read"),
            (["--config", "/nope.json"], "cannot read the file /nope.json"),
            (["--placeholder", "/nope.png"], "/nope.png"), (["--disk-limit", "much"], "--disk-limit"),
        ] as [([String], String?)])
    func configCheck(options: [String], problem: String?) async throws {
        let places = ["--cache-dir", folder.file("c"), "--database", folder.file("d")]
        let code = await CommandLineTool.run(
            arguments: ["config", "check"] + places + options, environment: [:], console: buffer.console)
        #expect(code == (problem == nil ? .done : .usage))
        if let problem { #expect(buffer.err.contains(problem)) }
        #expect(!FileManager.default.fileExists(atPath: folder.file("c")))
        #expect(!FileManager.default.fileExists(atPath: folder.file("d")))
    }

    @Test func aClassIsImportedFetchedHadAndPurged() async throws {
        serve("/1.png", "/2.png")
        try await importClass(["/1.png", "/2.png", nil])
        #expect(await run("prefetch", "--grade", "1", "--class", "1") == .done)
        #expect(buffer.out.contains("  2  fetched\n  1  no photo"))
        #expect(origin.requests().count == 2)

        // Everything comes from the disk cache now.
        #expect(await run("prefetch") == .done)
        #expect(buffer.out.contains("  2  already fresh"))
        #expect(await run("get", "1", "-o", folder.file("1.png")) == .done)
        #expect(try [UInt8](Data(contentsOf: URL(filePath: folder.file("1.png")))) == SampleImage.png(seed: 0))
        #expect(await run("get", origin.url("/2.png"), "--only-cached", "-o", folder.file("2.png")) == .done)
        #expect(origin.requests().count == 2)
        #expect(await run("stats") == .done)
        #expect(buffer.out.contains("files     2\n"))
        #expect(buffer.out.contains("class:1-1: 2, "))
        #expect(await run("verify") == .done)
        #expect(buffer.out.contains("2 photos read"))

        #expect(await run("purge", "--student", "1", "--dry-run") == .done)
        #expect(buffer.out.contains("would drop 1 file, "))
        #expect(await run("purge", "--student", "1") == .done)
        #expect(await run("get", "1", "--only-cached", "-o", "-") == .failed)
        #expect(await run("get", "2", "--only-cached", "-o", folder.file("2.png")) == .done)
        #expect(await run("purge", "--grade", "1") == .done)
        #expect(await run("get", "2", "--only-cached", "-o", "-") == .failed)
    }

    @Test func refreshAsksAgainAndKeepsWhatHasNotChanged() async throws {
        origin.on("/1.png") { exchange in
            if exchange.request["If-None-Match"] == "\"v\"" {
                exchange.respond(304, fields: [("ETag", "\"v\"")])
            } else {
                exchange.respond(fields: [("ETag", "\"v\"")], body: SampleImage.png())
            }
        }
        #expect(await run("prefetch", "--url", origin.url("/1.png")) == .done)
        #expect(await run("prefetch", "--url", origin.url("/1.png"), "--refresh") == .done)
        #expect(buffer.out.contains("  1  revalidated"))
        #expect(origin.requests().count == 2)
    }

    @Test("HB-87 in any mix the numbers add up to the input, and a photo that was not had ends with 1")
    func theMixAddsUp() async throws {
        serve("/good.png", "/other.png")
        origin.on("/page") { $0.respond(fields: [("Content-Type", "image/jpeg")], body: Array("<html>sign in".utf8)) }
        origin.on("/short") { exchange in
            exchange.head(declaring: 5000)
            exchange.write(Array(SampleImage.png().prefix(20)))
            exchange.closeNow()
        }
        origin.on("/busy") { $0.respond(503) }
        let elsewhere = "http://photos.elsewhere.example/1.png"
        let lines =
            ["# photos", ""] + ["/good.png", "/other.png", "/page", "/short", "/busy", "/none"].map(origin.url)
            + [elsewhere, origin.url("/good.png")]
        let list = try write(lines, to: "urls")
        #expect(await run("prefetch", "--urls-from", list, "--json", "--progress", "none") == .failed)

        let summary = try json(buffer.out)
        let counts = try #require(summary["counts"] as? [String: Int])
        #expect(summary["total"] as? Int == 8)
        #expect(counts.values.reduce(0, +) == 8)
        // The second of two equal URLs either waits for the first or finds it kept.
        #expect(counts["fetched", default: 0] + counts["fresh", default: 0] == 3)
        #expect(counts["notAnImage"] == 1)
        #expect(counts["missing"] == 1)
        #expect(counts["refused"] == 1)
        #expect(counts["failed"] == 2)
        #expect(summary["missingOptions"] as? [String] == ["--allow-origin photos.elsewhere.example"])
        #expect((summary["failures"] as? [Any])?.count == 5)
    }

    @Test("HB-89 a photo that fails once with 503 is had when a retry is allowed")
    func aRetryIsMade() async throws {
        origin.on("/1.png") { [origin] exchange in
            if origin.requests(to: "/1.png").count == 1 {
                exchange.respond(503)
            } else {
                exchange.respond(body: SampleImage.png())
            }
        }
        // The later flag counts.
        let code = await CommandLineTool.run(
            arguments: [
                "prefetch", "--url", origin.url("/1.png"), "--cache-dir", folder.file("cache"), "--retries", "1",
                "--allow-origin", "127.0.0.1=127.0.0.0/8",
            ], environment: [:], console: buffer.console)
        #expect(code == .done)
        #expect(origin.requests().count == 2)
    }

    @Test("HB-41 purging a URL drops it and says how many", arguments: ["--url", "--host", "--all", "--to-size"])
    func selectorsDropAndCount(selector: String) async throws {
        serve("/1.png")
        #expect(await run("prefetch", "--url", origin.url("/1.png")) == .done)
        let value = ["--url": [origin.url("/1.png")], "--host": ["127.0.0.1"], "--to-size": ["0"]][selector] ?? []
        let arguments = ["purge", selector] + value + ["--cache-dir", folder.file("cache")]
        let code = await CommandLineTool.run(arguments: arguments, environment: [:], console: buffer.console)
        #expect(code == .done)
        #expect(buffer.out.contains("dropped 1 file, "))
    }

    @Test func fetchingByURLAloneIsFoundWhenItsStudentIsPurged() async throws {
        serve("/1.png")
        try await importClass(["/1.png"])
        #expect(await run("prefetch", "--url", origin.url("/1.png")) == .done)
        #expect(await run("purge", "--student", "1", "--dry-run") == .done)
        #expect(buffer.out.contains("would drop 1 file, "))
        #expect(await run("purge", "--student", "1") == .done)
        #expect(buffer.out.contains("\ndropped 1 file, "))
    }

    @Test(arguments: [
        (["purge"], "what? One of --expired"),
        (["purge", "--all", "--expired"], "--all, --expired exclude each other"),
        (["purge", "--class", "2"], "--class needs --grade"),
        (["purge", "--no-all"], "what? One of --expired"),
        (["purge", "--all", "--every", "1h", "--schedule", "@daily"], "--every and --schedule exclude each other"),
        (["purge", "--all", "--schedule", "61 * * * *"], "--schedule: \"61 * * * *\" is not accepted (minute"),
        (["purge", "--older-than", "-30d"], "--older-than: \"-30d\" is not accepted"),
        (["serve", "--listen", "8080"], "--listen: \"8080\" is not accepted"),
        (["serve", "--listen", "0.0.0.0:0"], "--open"),
        (["serve", "--public-url", "https://h/?a"], "--public-url: \"https://h/?…\" is not accepted"),
        (["serve", "--tls-cert", "/x"], "--tls-cert and --tls-key: give both or neither"),
        (["serve", "--placeholder", "/nonexistent.png"], "--placeholder: "),
        (["serve", "--sign-keys", "/nonexistent"], "--sign-keys: "),
        (["sign", "http://a.example/1.png"], "needs --sign-keys"),
        (["sign", "ftp://a.example/1.png", "--sign-keys", "/x"], "sign: "),
        (
            ["prefetch", "--allow-origin", "photos.example=10.0.0.0/99"],
            "--allow-origin: \"photos.example=10.0.0.0/99\""
        ),
        (["prefetch", "--variant", "w=0"], "w must be a whole number from 1 to 4096"),
        (["get", "7", "--variant", "width=128"], "w, h, fit, enlarge, dpr, format, q, round"),
        (["get", "1", "--refresh", "--only-cached", "-o", "-"], "exclude each other"),
    ])
    func wrongUsageIsFoundBeforeAnythingIsDone(arguments: [String], message: String) async {
        let code = await CommandLineTool.run(
            arguments: arguments + ["--database", folder.file("r.sqlite"), "--cache-dir", folder.file("cache")],
            environment: [:], console: buffer.console)
        #expect(code == .usage)
        #expect(buffer.err.contains(message), "\(buffer.err)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("cache")) || arguments.contains("0.0.0.0:0"))
    }
}
