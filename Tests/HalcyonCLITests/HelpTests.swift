import Foundation
import Testing

@testable import HalcyonCLI

@Suite(.timeLimit(.minutes(1)))
struct HelpTests {
    @Test("HB-14 docs/options.md is what the code prints")
    func theReferenceEqualsTheDocument() throws {
        let document = URL(filePath: #filePath).appending(path: "../../../docs/options.md").standardized
        let text = try String(contentsOf: document, encoding: .utf8)
        #expect(
            text == OptionReference.markdown(commands: CommandTable.all), "halcyon help --markdown > docs/options.md")
    }

    @Test(arguments: CommandTable.all.map(\.name))
    func everyCommandTellsItsUsageOptionsAndDefaults(name: String) async throws {
        let path = name.split(separator: " ").map(String.init)
        let command = try CommandTable.find(path).command
        let text = HelpText.text(of: command)
        #expect(text.contains("Usage: halcyon \(command.usage)"))
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for spec in command.allOptions {
            #expect(text.contains("--\(spec.flag)"), "\(spec.flag)")
            if !spec.isSwitch, let standard = spec.defaultTexts.first {
                #expect(words.contains("default \(standard)"), "\(spec.flag)")
            }
        }
        let buffer = BufferConsole()
        #expect(
            await CommandLineTool.run(arguments: path + ["--help"], environment: [:], console: buffer.console) == .done
        )
        #expect(buffer.out == text)
    }

    @Test("HB-11 the default limits are finite and printed", arguments: ["help", "configuration"])
    func defaultLimitsAreShown(place: String) async {
        let buffer = BufferConsole()
        let code = place == "help" ? await buffer.run("help", "serve") : await buffer.run("serve", "--print-config")
        #expect(code == .done)
        #expect(buffer.out.contains(place == "help" ? "default 256MiB" : #""memoryLimit" : "256MiB""#))
        #expect(buffer.out.contains(place == "help" ? "default 2GiB" : #""diskLimit" : "2GiB""#))
    }

    @Test func theOverviewNamesEveryCommand() async {
        let buffer = BufferConsole()
        #expect(await buffer.run("help") == .done)
        for command in CommandTable.all { #expect(buffer.out.contains(command.usage)) }
    }

    @Test(arguments: [
        (["prefetc"], "there is no command prefetc: did you mean prefetch?"),
        (["students"], "students: which of "),
        (["students", "lst"], "did you mean list?"),
        (["completions", "tcsh"], #""tcsh" is not accepted: expected one of bash, zsh, fish"#),
        (["completions"], "expected halcyon completions bash|zsh|fish"),
        (["version", "x"], #""x" is one word too many"#),
        (["purge", "--all", "--refresh"], "purge has no option --refresh"),
        (["serve", "--mount", "/a=b"], "--mount: \"/a=b\" is not accepted"),
        (["serve", "--mount", "/students=http://a.example"], "--mount: /students is a path of Halcyon's own"),
        (["serve", "--mount-policy", "/a=public"], "--mount-policy: there is no --mount of /a"),
        (["serve", "--mount", "/a=http://a.example", "--mount-policy", "/a=fast"], "is no rule"),
        (["serve", "--config", "/nonexistent.json"], "--config: cannot read the file /nonexistent.json"),
        ([], ""),
    ])
    func wrongUsageEndsWithTwoAndSaysWhatIsMeant(arguments: [String], message: String) async {
        let buffer = BufferConsole()
        let code = await CommandLineTool.run(arguments: arguments, environment: [:], console: buffer.console)
        #expect(code == (arguments.isEmpty ? .done : .usage))
        #expect(buffer.err.contains(message) || arguments.isEmpty)
    }

    @Test(arguments: ShellChoice.allCases)
    func completionsKnowEveryCommandAndOption(shell: ShellChoice) {
        let script = Completions.script(for: shell, commands: CommandTable.all)
        for command in CommandTable.all {
            #expect(command.path.allSatisfy { script.contains($0) })
            for flag in Completions.flags(of: command) {
                #expect(script.contains(shell == .fish ? "-l \(flag.dropFirst(2)) " : flag))
            }
        }
    }

    @Test func theBashScriptIsBash() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-n", "-c", Completions.script(for: .bash, commands: CommandTable.all)]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
