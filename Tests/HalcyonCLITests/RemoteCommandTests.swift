import Foundation
import Halcyon
import HalcyonRecords
import HalcyonServer
import HalcyonTestSupport
import Testing

@testable import HalcyonCLI

/// The commands with `--server`, against a running service.
@Suite(.timeLimit(.minutes(1)))
struct RemoteCommandTests {
    /// A service on a database of its own, which `body` gets the address of.
    private func serving(_ body: (String, RecordStore) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let pipeline = try ImagePipeline(configuration: .init(origins: [], cacheFolder: nil))
        await pipeline.open()
        let relay = ChangeRelay()
        let records = try RecordStore(path: folder.file("remote.sqlite"), onChange: relay.send)
        let placeholder = ImagePlaceholder(bytes: SampleImage.png(), contentType: "image/png")
        let server = Server(
            configuration: ServerConfiguration(
                listener: ListenerConfiguration(address: try ListenAddress("127.0.0.1:0")),
                placeholder: PlaceholderPolicy(image: placeholder), mediaFolder: folder.file("media")),
            pipeline: pipeline, records: records, changes: relay, logger: Logger(level: .off))
        let address = "http://" + (try server.start())
        do {
            try await body(address, records)
        } catch {
            await server.stop()
            await pipeline.shutDown()
            throw error
        }
        await server.stop()
        await pipeline.shutDown()
    }

    private func addPupils(to records: RecordStore) async throws {
        for number in 1...3 {
            try await records.add(
                Student(
                    id: 100 + number, grade: 1, classNumber: 2, number: number, name: "김하나\(number)",
                    profileImageURL: number == 1 ? nil : "https://photos.school.example/\(number).jpg"))
        }
    }

    private static let sameBothWays: [[String]] = [
        ["students", "list"], ["students", "list", "--json"], ["students", "list", "--find", "김하나2"],
        ["students", "show", "102"], ["students", "show", "101", "--json"],
        ["guidances", "add", "101", "--reason", "복장 불량"],
        ["guidances", "add", "102", "--reason", "기타", "--detail", "복도에서"],
        ["guidances", "remove", "1"], ["guidances", "list"], ["guidances", "list", "--status", "all"],
        ["guidances", "list", "--status", "deleted"], ["guidances", "restore", "1"],
        ["guidances", "list", "--student", "101"], ["guidances", "remove", "9"],
        ["guidances", "add", "101", "--reason", "기타", "--detail", ""], ["guidances", "add", "x", "--reason", "기타"],
        ["notices", "list", "컴퓨터 반"], ["notices", "add", "컴퓨터", "--title", "a"], ["notices", "edit", "컴퓨터", "1"],
        ["users", "list"], ["users", "role", "a@b.example", "staff"], ["users", "role", "a@b.example", "king"],
    ]

    @Test func aCommandShowsTheSameFromADatabaseAndFromAServer() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("local.sqlite")
        try await addPupils(to: try RecordStore(path: path))
        try await serving { address, records in
            try await addPupils(to: records)
            for arguments in Self.sameBothWays {
                let (here, there) = (BufferConsole(), BufferConsole())
                let local = await CommandLineTool.run(
                    arguments: arguments + ["--database", path], environment: [:], console: here.console)
                let remote = await CommandLineTool.run(
                    arguments: arguments + ["--server", address], environment: [:], console: there.console)
                #expect(local == remote, "\(arguments)")
                #expect(here.out == there.out, "\(arguments)")
                if local == .done { #expect(here.err == there.err, "\(arguments)") }
                if local != .done { #expect(there.err.hasPrefix("halcyon: "), "\(arguments)") }
            }
        }
    }

    @Test func aNoticeIsWrittenChangedAndRemovedOnAServer() async throws {
        try await serving { address, records in
            let console = BufferConsole()
            let end = ["--server", address]
            func run(_ arguments: String...) async -> ExitCode {
                await CommandLineTool.run(arguments: arguments + end, environment: [:], console: console.console)
            }
            #expect(
                await run("notices", "add", "밴드", "--title", "a", "--author-id", "u", "--author-name", "n") == .done)
            let id = console.out.trimmingCharacters(in: .newlines)
            #expect(await run("notices", "edit", "밴드", id, "--title", "c") == .done)
            let notices = try await records.notices(clubID: "밴드")
            #expect(notices.map(\.title) == ["c"])
            #expect(await run("notices", "list", "밴드") == .done)
            #expect(console.out.hasSuffix("  c\n"))
            #expect(await run("notices", "remove", "밴드", id) == .done)
            #expect(await run("notices", "remove", "밴드", id) == .failed)
        }
    }

    @Test("the token comes from a flag, a file or the environment", arguments: ["flag", "file", "environment"])
    func token(place: String) async throws {
        let folder = try TemporaryFolder()
        try await serving { address, records in
            let admin = try await records.addUser(
                email: "a@school.example", password: "correct horse 1", userName: "a", role: .admin)
            let token = try await records.issueToken(userID: admin.id).token
            try Data("\(token)\n".utf8).write(to: URL(filePath: folder.file("token")))
            let console = BufferConsole()
            #expect(await console.run("users", "list", "--server", address) == .failed)
            #expect(console.out.isEmpty)
            let more =
                switch place {
                case "flag": ["--token", token]
                case "file": ["--token-file", folder.file("token")]
                default: [String]()
                }
            let environment = place == "environment" ? ["HALCYON_TOKEN": token] : [:]
            let code = await CommandLineTool.run(
                arguments: ["users", "list", "--server", address] + more, environment: environment,
                console: console.console)
            #expect(code == .done)
            #expect(console.out == "a@school.example  admin  a\n")
            #expect(!console.err.contains(token))
        }
    }

    @Test func whoCannotBeReachedIsNamedWithoutTheQuery() async throws {
        let origin = try ScriptedOrigin()
        origin.stop()
        let console = BufferConsole()
        #expect(
            await console.run("students", "list", "--find", "비밀", "--server", origin.base, "--retries", "0") == .failed)
        #expect(console.err.hasPrefix("halcyon: http://127.0.0.1:\(origin.port): the connection failed"))
        #expect(!console.err.contains("q="))
        #expect(!console.err.contains("비밀"))
    }

    @Test(
        "wrong usage is told before anything is sent",
        arguments: [
            ["--server", "http://photos.school.example"], ["--server", "photos.school.example"],
            ["--server", "http://127.0.0.1:1", "--token", "a b"], ["--token", "s3cret"], ["--insecure-http"],
            ["--server", "https://user:s3cret@photos.school.example"],
        ])
    func usage(arguments: [String]) async {
        let console = BufferConsole()
        let code = await CommandLineTool.run(
            arguments: ["students", "list"] + arguments, environment: [:], console: console.console)
        #expect(code == .usage)
        #expect(!console.err.contains("s3cret"))
        #expect(!console.err.contains("a b"))
    }

    @Test func theEffectiveConfigurationHasNoToken() async {
        let console = BufferConsole()
        _ = await console.run(
            "students", "list", "--server", "http://127.0.0.1:1", "--token", "s3cret", "--print-config",
            environment: ["HALCYON_TOKEN": "s3cret"])
        #expect(!console.out.isEmpty)
        #expect(!console.out.contains("s3cret"))
    }
}
