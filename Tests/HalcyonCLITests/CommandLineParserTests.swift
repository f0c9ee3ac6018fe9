import Testing

@testable import HalcyonCLI

@Suite(.timeLimit(.minutes(1)))
struct CommandLineParserTests {
    @Test(
        arguments: [
            (["serve", "--disk-limit", "1GiB"], ["disk-limit": ["1GiB"]], ["serve"]),
            (["--disk-limit=1GiB", "serve"], ["disk-limit": ["1GiB"]], ["serve"]),
            (
                ["--allow-origin", "a=10.0.0.0/8,10.1.0.0/16", "--allow-origin=b=::1/128"],
                ["allow-origin": ["a=10.0.0.0/8,10.1.0.0/16", "b=::1/128"]], []
            ),
            (["--json", "--no-json"], ["json": ["true", "false"]], []),
            (["--json=false"], ["json": ["false"]], []),
            (["get", "-o", "-", "x"], ["output": ["-"]], ["get", "x"]),
            (["get", "-ofile"], ["output": ["file"]], ["get"]),
            (["get", "--", "--json", "-o"], [:], ["get", "--json", "-o"]),
            (["prefetch", "--urls-from", "-"], ["urls-from": ["-"]], ["prefetch"]),
            (["--disk-expiry", "-1s"], ["disk-expiry": ["-1s"]], []),
            (
                ["notices", "remove", "band", "-P7iP6LG6Rz_YAPQcTDt"], [:],
                ["notices", "remove", "band", "-P7iP6LG6Rz_YAPQcTDt"]
            ),
            (["--placeholder="], ["placeholder": [""]], []),
        ] as [([String], [String: [String]], [String])])
    func argumentsAreSplitByTheTable(arguments: [String], texts: [String: [String]], operands: [String]) throws {
        let parsed = try CommandLineParser.parse(arguments, known: Options.all)
        #expect(parsed.texts == texts)
        #expect(parsed.operands == operands)
    }

    @Test(arguments: [
        (["--disk-limt", "1"], "there is no option --disk-limt: did you mean --disk-limit?"),
        (["--qqq"], "there is no option --qqq"),
        (["-z"], "there is no option -z"),
        (["--disk-limit"], "--disk-limit: needs a value: expected \(ByteSize.accepted)"),
        (["--disk-limit", "--json"], "--disk-limit: needs a value: expected \(ByteSize.accepted)"),
        (["--no-json=true"], "--no-json: takes no value"),
        (["--no-disk-limit"], "there is no option --no-disk-limit: did you mean --disk-limit?"),
    ])
    func whatCannotBeSplitIsExplained(arguments: [String], message: String) {
        #expect(throws: UsageError(message)) { try CommandLineParser.parse(arguments, known: Options.all) }
    }

    @Test func aFlagNamesOneOptionInAllCommands() {
        for command in CommandTable.all {
            let flags = command.allOptions.map(\.flag)
            #expect(Set(flags).count == flags.count, "\(command.name)")
        }
        #expect(Set(Options.all.map(\.jsonKey)).count == Options.all.count)
        #expect(Set(Options.all.map(\.environmentName)).count == Options.all.count)
        #expect(!Options.all.contains { $0.jsonKey == ConfigurationFile.originsKey })
    }

    @Test func namesFollowTheContract() {
        #expect(Options.maxImageBytes.spec.environmentName == "HALCYON_MAX_IMAGE_BYTES")
        #expect(Options.maxImageBytes.spec.jsonKey == "maxImageBytes")
    }
}
