import Foundation
import HalcyonTestSupport
import Testing

@testable import HalcyonCLI

@Suite(.timeLimit(.minutes(1)))
struct RecordCommandTests {
    private let folder: TemporaryFolder
    private let buffer = BufferConsole()

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String...) async -> ExitCode {
        await CommandLineTool.run(
            arguments: arguments + ["--database", folder.file("r.sqlite")], environment: [:], console: buffer.console)
    }

    @Test func aGuidanceIsGivenRemovedAndRestored() async {
        _ = await run("students", "add", "--id", "7", "--grade", "1", "--class", "2", "--number", "3", "--name", "가나다")
        #expect(await run("guidances", "add", "7", "--reason", "기타", "--detail", "뛰었다") == .done)
        #expect(buffer.out.hasSuffix("1  1-2-3  가나다  기타: 뛰었다\n"))
        #expect(await run("guidances", "remove", "1") == .done)
        #expect(await run("guidances", "list", "--json") == .done)
        #expect(buffer.out.hasSuffix("[\n\n]\n"))
        #expect(await run("guidances", "restore", "1") == .done)
        #expect(await run("guidances", "list", "--class", "2") == .done)
        #expect(buffer.err.hasSuffix("1 guidance\n"))
        #expect(await run("guidances", "add", "7", "--reason", "no") == .usage)
        #expect(await run("guidances", "add", "7", "--reason", "무단횡단", "--detail", "x") == .usage)
        #expect(await run("guidances", "remove", "9") == .failed)
    }

    @Test func aNoticeIsWrittenChangedAndRemoved() async throws {
        #expect(
            await run(
                "notices", "add", "band", "--title", "a", "--content", "b", "--author-id", "u1", "--author-name", "n")
                == .done)
        let id = buffer.out.trimmingCharacters(in: .newlines)
        #expect(await run("notices", "edit", "band", id, "--title", "c") == .done)
        #expect(await run("notices", "list", "band") == .done)
        #expect(buffer.out.hasSuffix("  c\n"))
        #expect(await run("notices", "remove", "other", id) == .failed)
        #expect(await run("notices", "remove", "band", id) == .done)
        #expect(await run("notices", "add", "band", "--title", "a") == .usage)
    }

    @Test func anAccountIsMadeAndItsPasswordNeverShown() async throws {
        let password = folder.file("password")
        try Data("correct horse battery\n".utf8).write(to: URL(filePath: password))
        #expect(await run("users", "add", "a@b", "--password-file", password, "--role", "staff") == .failed)
        #expect(await run("users", "add", "A@school.example", "--password-file", password) == .done)
        #expect(await run("users", "add", "b@school.example", "--password-file", password, "--role", "staff") == .done)
        #expect(buffer.out == "a@school.example is admin\nb@school.example is staff\n")
        #expect(await run("users", "token", "a@school.example", "--valid-for", "1h") == .done)
        let token = try #require(buffer.out.split(separator: "\n").last)
        #expect(token.utf8.count == 43)
        #expect(await run("users", "password", "b@school.example", "--password-file", password) == .done)
        #expect(await run("users", "role", "a@school.example", "viewer") == .failed)
        #expect(await run("users", "remove", "a@school.example") == .failed)
        #expect(buffer.err.hasSuffix("this is the last admin: make somebody else an admin first\n"))
        #expect(await run("users", "role", "b@school.example", "boss") == .usage)
        #expect(await run("users", "role", "b@school.example", "admin") == .done)
        #expect(buffer.out.hasSuffix("b@school.example is admin\n"))
        #expect(await run("users", "revoke", "a@school.example") == .done)
        #expect(buffer.out.hasSuffix("a@school.example: 1 token ended\n"))
        #expect(await run("users", "remove", "b@school.example") == .done)
        #expect(await run("users", "list") == .done)
        #expect(buffer.out.hasSuffix("a@school.example  admin  A@school.example\n"))
        #expect(await run("users", "token", "c@school.example") == .failed)
        #expect(!(buffer.out + buffer.err).contains("horse"))
    }

    @Test func recordsAreBackedUpReplacedAndAudited() async throws {
        _ = await run("students", "add", "--id", "7", "--grade", "1", "--class", "2", "--number", "3", "--name", "가나다")
        #expect(await run("backup", folder.file("backups"), "--keep", "1") == .done)
        let path = try #require(buffer.out.split(separator: "\n").last.map(String.init))
        #expect(path.hasPrefix(folder.file("backups") + "/20"))
        #expect(await run("students", "remove", "7") == .done)
        #expect(await run("restore", path) == .failed)
        #expect(await run("restore", path, "--dry-run") == .done)
        #expect(await run("students", "show", "7") == .failed)
        // In a process of its own the command before has let go of the database; here that may take a moment.
        var code = ExitCode.failed
        repeat { code = await run("restore", path, "--replace") } while code == .failed && buffer.err.contains("in use")
        #expect(code == .done)
        #expect(await run("students", "show", "7") == .done)
        #expect(await run("restore", folder.file("backups")) == .failed)
        #expect(await run("audit") == .done)
        let line = try #require(buffer.out.split(separator: "\n").last)
        #expect(line.contains("  command-line:") && line.hasSuffix("  students 7 created"))
        #expect(await run("audit", "--topic", "users", "--since", "1d", "--json") == .done)
        #expect(buffer.out.hasSuffix("[\n\n]\n"))
        #expect(await run("audit", "--topic", "x") == .usage)
    }
}
