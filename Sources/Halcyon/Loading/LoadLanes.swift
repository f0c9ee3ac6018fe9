internal import Foundation
internal import Synchronization

/// The threads that loads run on: few, and their own, so that reading and writing files and the index may block them
/// without holding up the cooperative pool, and without a change of thread for each step.
///
/// Jobs run in the order in which they became ready. Hits in memory never come here.
final class LoadLanes: TaskExecutor {
    /// Two lanes keep both the disk and a processor busy on a small machine; more only take turns.
    static let width = max(2, min(4, ProcessInfo.processInfo.activeProcessorCount))

    private struct State {
        var jobs: [UnownedJob] = []
        /// Index of the first job that nobody has taken.
        var next = 0
        var idle = 0
        var isStopped = false

        mutating func pop() -> UnownedJob? {
            guard next < jobs.count else { return nil }
            defer {
                next += 1
                if next == jobs.count {
                    jobs.removeAll(keepingCapacity: true)
                    next = 0
                }
            }
            return jobs[next]
        }
    }

    /// What the threads share with the executor: they hold this and not the executor, which ends them when it goes.
    private final class Shared: Sendable {
        let state = Mutex(State())
        let wakeUp = DispatchSemaphore(value: 0)
    }

    private let shared = Shared()

    init() {
        for lane in 0..<Self.width {
            let thread = Thread { [shared, weak self] in
                while true {
                    let (job, isStopped) = shared.state.withLock { state -> (UnownedJob?, Bool) in
                        if let job = state.pop() { return (job, false) }
                        if !state.isStopped { state.idle += 1 }
                        return (nil, state.isStopped)
                    }
                    if let job {
                        // A job keeps its executor alive, so there is one as long as there are jobs.
                        guard let self else { preconditionFailure("a job without its executor") }
                        job.runSynchronously(on: self.asUnownedTaskExecutor())
                    } else if isStopped {
                        return
                    } else {
                        shared.wakeUp.wait()
                    }
                }
            }
            thread.name = "halcyon-load-\(lane)"
            thread.start()
        }
    }

    deinit {
        let idle = shared.state.withLock { state in
            state.isStopped = true
            defer { state.idle = 0 }
            return state.idle
        }
        for _ in 0..<idle { shared.wakeUp.signal() }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let hasSleeper = shared.state.withLock { state in
            state.jobs.append(job)
            guard state.idle > 0 else { return false }
            state.idle -= 1
            return true
        }
        if hasSleeper { shared.wakeUp.signal() }
    }
}
