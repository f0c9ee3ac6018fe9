internal import Glibc
internal import Halcyon
internal import HalcyonHTTP

/// The `halcyon` command. Everything else is reached through `CommandLineTool`, which tests call without a process.
@main
enum Main {
    /// The work runs as a task; the main thread waits for signals.
    static func main() {
        ImagePipeline.becomeDecoderIfAsked()
        Rendering.isolate()
        signal(SIGPIPE, SIG_IGN)
        FetchMemory.keepFreed()
        SignalWatch.shared.block()
        let environment = Environment.ofProcess()
        // Not on the main actor: its thread is taken.
        Task.detached {
            let code = await CommandLineTool.run(
                arguments: Array(CommandLine.arguments.dropFirst()), environment: environment, console: .standard)
            exit(code.rawValue)
        }
        SignalWatch.shared.wait()
    }
}
