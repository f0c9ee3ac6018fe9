internal import Dispatch
internal import Glibc
internal import Synchronization

/// Threads for pixel work, apart from those of I/O and the cooperative pool: decoding neither delays a hit nor is there
/// more of it at once than memory allows, `width` × what one picture takes.
package final class PixelLane: Sendable {
    private struct Job {
        let number: UInt64
        /// Says whether it brought a picture.
        let perform: @Sendable () -> Bool
        let drop: @Sendable (RenderError) -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var running = 0
        var nextNumber: UInt64 = 0
        var threads: [pthread_t] = []
        var isStopped = false
        /// Of one job, smoothed.
        var usualSeconds = 0.05
        var done = 0
        var failed = 0
        var refused = 0
        var seconds = 0.0
    }

    /// What the lane is at, and has done since it was made.
    package struct Statistics: Sendable, Equatable {
        package var running: Int
        package var waiting: Int
        package var done: Int
        package var failed: Int
        /// Because too much waited.
        package var refused: Int
        /// On its threads.
        package var seconds: Double
    }

    /// What the threads share; the lane itself may go while they end.
    private final class Core: Sendable {
        let state = Mutex(State())
        /// Counts jobs that were added, dropped ones among them, and one for each thread at the end.
        let added = DispatchSemaphore(value: 0)
    }

    /// Pictures at work at once.
    package let width: Int
    /// Pictures that wait beyond those at work.
    package let maximumWaiting: Int
    private let core = Core()

    /// The threads start with the first job.
    /// - Parameters:
    ///   - width: the number of processors by default.
    ///   - maximumWaiting: one class on a page is 30 to 40.
    package init(width: Int = sysconf(Int32(_SC_NPROCESSORS_ONLN)), maximumWaiting: Int = 256) {
        self.width = max(width, 1)
        self.maximumWaiting = max(maximumWaiting, 0)
    }

    deinit { stop() }

    /// In the order of arrival. Cancelling takes effect while the work waits; what has begun is finished.
    /// - Throws: what `work` throws; `busy` if too much waits already; `cancelled`, also for what waits when the lane stops.
    package func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(RenderError) -> Value
    ) async throws(RenderError) -> Value {
        let number = core.state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        let result: Result<Value, RenderError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let job = Job(
                    number: number,
                    perform: {
                        let result = Result(catching: work)
                        continuation.resume(returning: result)
                        return if case .success = result { true } else { false }
                    },
                    drop: { continuation.resume(returning: .failure($0)) })
                add(job)
                // The handler may have run before there was anything to drop.
                if Task.isCancelled { drop(number) }
            }
        } onCancel: {
            drop(number)
        }
        return try result.get()
    }

    package var statistics: Statistics {
        core.state.withLock { state in
            Statistics(
                running: state.running, waiting: state.waiting.count, done: state.done, failed: state.failed,
                refused: state.refused, seconds: state.seconds)
        }
    }

    /// What waits ends as `cancelled`; returns when what has begun is done.
    package func stop() {
        let (dropped, threads) = core.state.withLock { state in
            state.isStopped = true
            defer { (state.waiting, state.threads) = ([], []) }
            return (state.waiting, state.threads)
        }
        for job in dropped { job.drop(.cancelled) }
        for _ in threads { core.added.signal() }
        for thread in threads {
            if pthread_equal(thread, pthread_self()) != 0 { pthread_detach(thread) } else { pthread_join(thread, nil) }
        }
    }

    private func add(_ job: Job) {
        let refusal: RenderError? = core.state.withLock { state in
            guard !state.isStopped else { return .cancelled }
            while state.threads.count < width {
                guard let thread = Self.thread(core) else { break }
                state.threads.append(thread)
            }
            guard !state.threads.isEmpty else { return .library("no thread can be started") }
            guard state.waiting.count + state.running < maximumWaiting + width else {
                state.refused += 1
                let seconds = state.usualSeconds * Double(state.waiting.count) / Double(width)
                return .busy(retryAfterSeconds: min(max(Int(seconds.rounded(.up)), 1), 30))
            }
            state.waiting.append(job)
            return nil
        }
        if let refusal { job.drop(refusal) } else { core.added.signal() }
    }

    private func drop(_ number: UInt64) {
        let job = core.state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
        }
        job?.drop(.cancelled)
    }

    private static func thread(_ core: Core) -> pthread_t? {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(core)
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                PixelLane.work(Unmanaged<Core>.fromOpaque(context).takeRetainedValue())
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return nil
        }
        return thread
    }

    private static func work(_ core: Core) {
        while true {
            core.added.wait()
            let (job, isStopped) = core.state.withLock { state in
                let job = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
                if job != nil { state.running += 1 }
                return (job, state.isStopped)
            }
            if isStopped { break }
            guard let job else { continue }
            let start = ContinuousClock.now
            let isDone = job.perform()
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            core.state.withLock { state in
                state.seconds += seconds
                if isDone { state.done += 1 } else { state.failed += 1 }
                state.usualSeconds += (seconds - state.usualSeconds) / 16
                state.running -= 1
            }
        }
        Vips.leaveThread()
    }
}
