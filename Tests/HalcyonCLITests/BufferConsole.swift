import Synchronization

@testable import HalcyonCLI

/// A console that remembers what was written to it.
final class BufferConsole: Sendable {
    private let outText = Mutex("")
    private let errText = Mutex("")
    let width: Int?

    init(width: Int? = nil) { self.width = width }

    var out: String { outText.withLock { $0 } }
    var err: String { errText.withLock { $0 } }

    var console: Console {
        Console(
            out: { text in self.outText.withLock { $0 += text } },
            err: { text in self.errText.withLock { $0 += text } },
            outBytes: { bytes in
                self.outText.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
                return true
            },
            terminalWidth: { self.width }
        )
    }

    /// Runs a command line in this process.
    func run(_ arguments: String..., environment: [String: String] = [:]) async -> ExitCode {
        await CommandLineTool.run(arguments: arguments, environment: environment, console: console)
    }
}
