import Foundation
import HalcyonTestSupport
import Testing

@testable import HalcyonCLI

/// What must not be printed, created or accepted.
@Suite(.timeLimit(.minutes(1)))
struct HostileInputTests {
    private let folder: TemporaryFolder
    private let buffer = BufferConsole()

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: [String], environment: [String: String] = [:]) async -> ExitCode {
        await CommandLineTool.run(
            arguments: arguments + ["--database", folder.file("r.sqlite"), "--cache-dir", folder.file("cache")],
            environment: environment, console: buffer.console)
    }

    @Test(arguments: ["variable", "flag", "file", "configuration"])
    func aMistypedSigningKeyIsNeverPrinted(place: String) async throws {
        let key = String(repeating: "0123456789abcde", count: 4) + "012"
        let file = folder.file("c.json")
        try Data(#"{"signKeys": "\#(key)"}"#.utf8).write(to: URL(filePath: file))
        let url = "http://h.example/1.png"
        let code =
            switch place {
            case "variable": await run(["sign", url], environment: ["HALCYON_SIGN_KEYS": key])
            case "flag": await run(["sign", url, "--sign-keys", key])
            case "file": await run(["sign", url, "--config", file])
            default: await run(["sign", url, "--config", file, "--print-config"])
            }
        #expect(code == (place == "configuration" ? .done : .usage))
        #expect(!(buffer.out + buffer.err).contains(key))
        #expect(
            place == "configuration"
                || buffer.err.contains("not a file (No such file or directory), and not keys: 63 bytes"))
    }

    @Test(arguments: [
        ("http://user:pw@h.example/x?secret=1", "http://…@h.example/x"),
        ("http://h.example/x?secret=1#f", "http://h.example/x"),
        ("http://user:pw?secret@h.example/x", "(no URL: 33 bytes, not shown)"),
        ("user:pw@h.example", "(no URL: 17 bytes, not shown)"), ("ftp://h/x", "ftp://h/x"),
        ("http://h.example/@user/1.png", "http://h.example/@user/1.png"), ("a\u{1B}[2Jb", #"a\u{1B}[2Jb"#),
    ])
    func aURLIsShownWithoutWhatItHides(url: String, shown: String) {
        #expect(Shown.url(url) == shown)
    }

    @Test func aListOfURLsSteersNoTerminalAndMayBeginWithAMark() async throws {
        let list = folder.file("urls")
        let text = "\u{FEFF}http://user:pw@h.example/x?secret=1\nno\u{1B}[31m\u{7}url\nhttp://h.example/1.png\n"
        try Data(text.utf8).write(to: URL(filePath: list))
        #expect(try Invocation.urls(from: list).first?.hasPrefix("http://user") == true)
        #expect(await run(["prefetch", "--urls-from", list]) == .failed)
        let printed = buffer.out + buffer.err
        for hidden in ["pw", "secret", "\u{1B}", "\u{7}", "\u{FEFF}"] { #expect(!printed.contains(hidden)) }
        #expect(printed.contains(#"no\u{1B}[31m\u{7}url"#))
    }

    @Test(arguments: [
        (["prefetch", "--url", "ftp://u:pw@a.example/b"], "--url: \"(no URL: 22 bytes, not shown)\" is not accepted"),
        (["prefetch", "--url", "true"], "--url: \"true\" is not accepted (the URL does not begin with http://"),
        (["prefetch", "--url", "http://"], "--url: \"http://\" is not accepted"),
        (["purge", "--url", "notaurl"], "--url: \"notaurl\" is not accepted"),
        (["purge", "--host", "http://h.example/"], "--host: \"http://h.example/\" is not accepted: expected a host"),
        (["students", "add", "--photo-url", "ftp://x"], "--photo-url: \"ftp://x\" is not accepted"),
        (["students", "add", "--name", "a\u{1B}[1m"], #"--name: "a\u{1B}[1m" is not accepted: expected 1 to 100"#),
        (["notices", "add", "band", "--image", "ftp://x"], "--image: \"ftp://x\" is not accepted"),
        (["users", "add", "notmail"], "users add: \"notmail\" is not accepted"),
        (["stats", "--ca-file", "/nope"], "--ca-file: \"/nope\" is not accepted (No such file"),
        (["students", "list", "--placeholder", "/nope"], "--placeholder: \"/nope\" is not accepted"),
        (
            ["guidances", "add", "7", "--reason", "무단횡단", "--detail", "x"],
            "--detail is accepted with --reason 기타 alone"
        ),
        (["notices", "edit", "band", "x"], "notices edit: nothing to change: give at least one of --title"),
        (["students", "edit", "7"], "students edit: nothing to change: give at least one of --grade"),
        (["verify", "http://u:pw@h.example/"], "verify: \"http://…@h.example/\" is one word too many"),
        (["get", "1", "--allow-origin", "http://u:pw@h"], "--allow-origin: \"http://…@h/\" is not accepted"),
        (["stats", "--help=maybe"], "--help: \"maybe\" is not accepted: expected true or false"),
    ])
    func aWrongValueIsWrongUsage(arguments: [String], message: String) async {
        #expect(await run(arguments) == .usage)
        #expect(buffer.err.contains(message), "\(buffer.err)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("r.sqlite")))
    }

    @Test(arguments: [
        (["students", "list"], "--database: there is no file "),
        (["students", "show", "7"], "--database: there is no file "),
        (["students", "export", "-"], "--database: there is no file "), (["prefetch"], "--database: there is no file "),
        (["guidances", "list"], "--database: there is no file "), (["users", "list"], "--database: there is no file "),
        (["stats"], "--cache-dir: there is no folder "), (["verify"], "--cache-dir: there is no folder "),
        (["purge", "--all"], "--cache-dir: there is no folder "),
        (["get", "http://h.example/1", "--only-cached", "-o", "-"], "--cache-dir: there is no folder "),
    ])
    func whoOnlyLooksCreatesNothing(arguments: [String], message: String) async throws {
        #expect(await run(arguments) == .failed)
        #expect(buffer.err.contains(message), "\(buffer.err)")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!left.contains("r.sqlite") && !(left.contains("cache") && arguments[0] != "prefetch"))
    }

    @Test(arguments: [
        ["help"], ["sign", "http://h.example/1", "--help"], ["students", "list"], ["students", "list", "--json"],
    ])
    func whatCannotBeWrittenFailsTheCommand(arguments: [String]) async throws {
        #expect(
            await run(["students", "add", "--id", "1", "--grade", "1", "--class", "1", "--number", "1", "--name", "a"])
                == .done)
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", #"exec "$0" "$@" >/dev/full"#, ChildProcess.executable.path] + arguments
        shell.environment = ["HALCYON_DATABASE": folder.file("r.sqlite")]
        let pipe = Pipe()
        shell.standardError = pipe
        try shell.run()
        let told = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 1)
        #expect(told.contains("halcyon: cannot write to standard output: No space left on device\n"))
    }

    @Test(arguments: [
        (["127.0.0.1:9911"], "127.0.0.1"), (["Photos.Example:80"], "photos.example"), (["[::1]:8080"], "::1"),
        (["::1"], "::1"),
    ])
    func aHostMayBeWrittenWithItsPort(texts: [String], host: String) throws {
        let settings = try Settings(
            specs: [Options.host.spec], given: ["host": texts], environment: [:], file: nil)
        #expect(settings[Options.host] == host)
    }

    @Test func aDatabaseThatOthersCanReadIsToldOnce() async throws {
        let add = ["students", "add", "--id", "1", "--grade", "1", "--class", "1", "--number", "1", "--name", "a"]
        #expect(await run(add) == .done)
        #expect(buffer.err.isEmpty)
        chmod(folder.file("r.sqlite"), 0o666)
        #expect(await run(["students", "show", "1"]) == .done)
        #expect(buffer.err.components(separatedBy: "other users can read or change").count == 2)
    }

    /// As the shell sees it, with the last word at the cursor.
    @Test(arguments: [
        (["help", ""], ["prefetch", "students", "help"], ["my roster.csv"]),
        (["completions", ""], ["bash", "zsh", "fish"], ["my roster.csv"]),
        (["students", ""], ["import", "list"], ["my roster.csv"]),
        (["students", "list", ""], [], ["my roster.csv"]),
        (["students", "import", "my"], ["my roster.csv"], []),
        (["prefetch", "--urls-from", "my"], ["my roster.csv"], []),
        (["guidances", "add", "7", "--reason", "복"], [#"복장\ 불량"#], ["my roster.csv"]),
        (["purge", "--older-than", ""], [], ["my roster.csv"]),
        (["verify", "--rep"], ["--repair"], ["--json"]),
    ])
    func bashOffersWhatFits(words: [String], offered: [String], notOffered: [String]) throws {
        try Data().write(to: URL(filePath: folder.file("my roster.csv")))
        let script =
            Completions.script(for: .bash, commands: CommandTable.all)
            + #"COMP_WORDS=(halcyon "$@"); COMP_CWORD=$#; _halcyon; printf '%s\n' "${COMPREPLY[@]}""#
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/bash")
        shell.arguments = ["-c", script, "bash"] + words
        shell.currentDirectoryURL = folder.url
        shell.environment = ["LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"]
        let pipe = Pipe()
        shell.standardOutput = pipe
        try shell.run()
        let lines = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .split(separator: "\n").map(String.init)
        shell.waitUntilExit()
        for word in offered { #expect(lines.contains(word), "\(lines)") }
        for word in notOffered { #expect(!lines.contains(word), "\(lines)") }
        if words.last == "", offered.isEmpty { #expect(lines.isEmpty) }
    }
}
