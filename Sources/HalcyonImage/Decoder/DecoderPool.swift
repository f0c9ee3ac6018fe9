internal import Synchronization

/// As many decoding processes as are used at once, which is the width of the `PixelLane` that calls.
package final class DecoderPool: Sendable {
    /// Lent to one thread at a time.
    private struct Lent: @unchecked Sendable {
        // Guard: taken out of `idle` under its lock, and put back by whoever took it.
        let process: DecoderProcess
        var lastUsed = ContinuousClock.now
    }

    private let executable: String
    private let lostProcesses = Atomic(0)
    private let idle = Mutex<(processes: [Lent], isStopped: Bool)>(([], false))

    /// - Parameter executable: the running program by default, which stays the same one while a newer is installed.
    package init(executable: String = "/proc/self/exe") { self.executable = executable }

    /// As `VariantRenderer.render`, in a process of its own: blocks; `crashed` if it died of this picture, and the next
    /// one finds a new process.
    package func render(
        _ bytes: [UInt8], as variant: ResolvedVariant, limits: ImageLimits = .init(),
        timeLimit: Duration = VariantRenderer.timeLimit
    ) throws(RenderError) -> RenderedImage {
        try perform(.variant(variant), on: bytes, limits: limits, timeLimit: timeLimit)
    }

    package func perform(
        _ job: RenderJob, on bytes: [UInt8], limits: ImageLimits, timeLimit: Duration
    ) throws(RenderError) -> RenderedImage {
        var lent = idle.withLock { $0.processes.popLast() } ?? Lent(process: DecoderProcess(executable: executable))
        defer {
            lent.lastUsed = .now
            let isStopped = idle.withLock { [lent] state in
                if !state.isStopped { state.processes.append(lent) }
                return state.isStopped
            }
            if isStopped { lent.process.stop() }
        }
        do throws(RenderError) {
            return try lent.process.perform(job, on: bytes, limits: limits, timeLimit: timeLimit)
        } catch {
            if !lent.process.isRunning { lostProcesses.add(1, ordering: .relaxed) }
            throw error
        }
    }

    /// Processes that died of a picture, or were ended because it took too long.
    package var lost: Int { lostProcesses.load(ordering: .relaxed) }

    /// Ends the processes that nobody has needed for so long: each holds the libraries, some 40 MiB.
    package func endIdle(for duration: Duration) {
        let oldest = ContinuousClock.now - duration
        let ended = idle.withLock { state in
            let ended = state.processes.filter { $0.lastUsed < oldest }
            state.processes.removeAll { $0.lastUsed < oldest }
            return ended
        }
        for lent in ended { lent.process.stop() }
    }

    /// Ends the idle processes; those at work end with their picture.
    package func stop() {
        let processes = idle.withLock { state in
            state.isStopped = true
            defer { state.processes = [] }
            return state.processes
        }
        for lent in processes { lent.process.stop() }
    }
}
