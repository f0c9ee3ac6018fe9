internal import Halcyon
internal import HalcyonRecords

/// From arguments to exit code. The steps: split the words, find the command, read the settings, run.
enum CommandLineTool {
    static func run(arguments: [String], environment: [String: String], console: Console) async -> ExitCode {
        do {
            switch try prepare(arguments: arguments, environment: environment, console: console) {
            case .answer(let text):
                console.out(text)
                return checked(.done, console: console)
            case .run(let invocation):
                let actor = Actor.commandLine(name: MachineAccount.name)
                let code = try await Actor.$current.withValue(actor) {
                    try await invocation.command.run(invocation)
                }
                return checked(code, console: console)
            }
        } catch {
            let code = code(for: error)
            console.say("halcyon: \(code == .interrupted ? "interrupted" : Shown.lines("\(error)"))")
            return code
        }
    }

    /// A result that could not be written was not given.
    private static func checked(_ code: ExitCode, console: Console) -> ExitCode {
        guard let problem = console.outProblem() else { return code }
        console.say("halcyon: cannot write to standard output: \(problem)")
        return code == .done ? .failed : code
    }

    enum Prepared {
        /// Help or the configuration: nothing else is to be done.
        case answer(String)
        case run(Invocation)
    }

    /// Everything that can be found wrong before anything is opened.
    static func prepare(
        arguments: [String], environment: [String: String], console: Console
    ) throws(UsageError) -> Prepared {
        let arguments = arguments.map { ["-h": "--help", "--version": "version"][$0] ?? $0 }
        let parsed = try CommandLineParser.parse(arguments, known: Options.all)
        let asked = try Settings(specs: [Options.help.spec], given: parsed.texts, environment: [:], file: nil)
        if asked[Options.help] || arguments.isEmpty {
            return .answer(try Command.help(about: parsed.operands))
        }
        let (command, operands) = try CommandTable.find(parsed.operands)
        let specs = command.allOptions
        for flag in parsed.flags where !specs.contains(where: { $0.flag == flag }) {
            throw notOf(command, flag: flag)
        }
        try check(operands, of: command)
        let reread: @Sendable ([String: [String]]) throws(UsageError) -> Settings = { added throws(UsageError) in
            try readSettings(
                of: command, given: parsed.texts.merging(added) { $1 }, environment: environment)
        }
        let settings = try reread([:])
        if settings[Options.printConfig] {
            return .answer(settings.effectiveConfiguration(of: specs).text(isPretty: true) + "\n")
        }
        return .run(
            Invocation(
                command: command, settings: settings, operands: operands, console: console, settingsReread: reread))
    }

    private static func readSettings(
        of command: Command, given: [String: [String]], environment: [String: String]
    ) throws(UsageError) -> Settings {
        let path = try Settings(
            specs: [Options.config.spec], given: given, environment: environment, file: nil)[Options.config]
        var file: ConfigurationFile?
        if let path, command.hasCommonOptions {
            let read = try ConfigurationFile(path: path, known: Options.all)
            // Values of other commands' options are read too: the file is right as a whole or refused.
            _ = try Settings(specs: Options.all, given: [:], environment: [:], file: read)
            file = read
        }
        return try Settings(specs: command.allOptions, given: given, environment: environment, file: file)
    }

    private static func check(_ operands: [String], of command: Command) throws(UsageError) {
        if operands.count > command.operandCount.upperBound {
            throw UsageError(
                "\(command.name): \"\(Shown.value(operands[command.operandCount.upperBound]))\" is one word too many: "
                    + "expected halcyon \(command.usage)")
        }
        if operands.count < command.operandCount.lowerBound {
            throw UsageError("\(command.name): expected halcyon \(command.usage)")
        }
    }

    private static func notOf(_ command: Command, flag: String) -> UsageError {
        let owners = CommandTable.all.filter { $0.options.contains { $0.flag == flag } }.map(\.name)
        let flags = command.allOptions.map(\.flag)
        let hint =
            Suggestion.nearest(to: flag, in: flags).map { ": did you mean --\($0)?" }
            ?? (owners.isEmpty ? "" : "; it belongs to \(owners.joined(separator: ", "))")
        return UsageError("\(command.name) has no option --\(flag)\(hint)")
    }

    static func code(for error: any Error) -> ExitCode {
        switch error {
        case is UsageError, RecordError.invalid: .usage
        case is CancellationError: .interrupted
        case let error as ImagePipeline.Error where error.kind == .cancelled: .interrupted
        default: .failed
        }
    }
}
