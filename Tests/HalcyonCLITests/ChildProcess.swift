import Foundation
import HalcyonTestSupport

/// The built `halcyon` as a process of its own: what only a process has, such as signals and an exit code.
final class ChildProcess: Sendable {
    private let process: Process
    private let status: Watched<Int32?>
    let out = Watched("")
    let err = Watched("")

    /// Beside the executable that holds the tests.
    static let executable: URL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "halcyon")

    convenience init(
        _ arguments: String..., folder: TemporaryFolder, environment: [String: String] = [:]
    ) throws {
        try self.init(arguments: arguments, folder: folder, environment: environment)
    }

    init(
        arguments: [String], folder: TemporaryFolder, environment: [String: String] = [:],
        executable: URL = ChildProcess.executable
    ) throws {
        let status = Watched<Int32?>(nil)
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        process.environment = ["PATH": "/usr/bin:/bin", "TZ": "UTC"].merging(environment) { $1 }
        let pipes = (Pipe(), Pipe())
        process.standardOutput = pipes.0
        process.standardError = pipes.1
        process.standardInput = FileHandle.nullDevice
        // The process has ended when it says so and both of its pipes are empty.
        let open = Watched(3)
        @Sendable func close() {
            if open.update({
                $0 -= 1
                return $0
            }) == 0 {
                status.update { $0 = process.terminationStatus }
            }
        }
        for (pipe, text) in [(pipes.0, out), (pipes.1, err)] {
            Thread.detachNewThread {
                while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
                    text.update { $0 += String(decoding: data, as: UTF8.self) }
                }
                close()
            }
        }
        process.terminationHandler = { _ in close() }
        self.process = process
        self.status = status
        try process.run()
    }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// The exit code, once the process has ended.
    func ended() async -> Int32? {
        await status.wait { $0 != nil }
        return status.value
    }

    deinit { if process.isRunning { process.terminate() } }
}
