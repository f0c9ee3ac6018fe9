#if canImport(Glibc)
    import Glibc
#endif

/// The `halcyon` command. Everything else is reached through `CommandLineTool`, which tests call without a process.
@main
enum Main {
    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        let code = await CommandLineTool.run(
            arguments: Array(CommandLine.arguments.dropFirst()),
            environment: Environment.ofProcess(),
            console: .standard
        )
        exit(code.rawValue)
    }
}
