internal import Glibc
internal import Halcyon
internal import HalcyonCrypto
internal import HalcyonRecords
internal import HalcyonServer
internal import Synchronization

/// The caches, the records and the server over them, from start to stop: what `serve` and `demo` run.
struct Service: Sendable {
    let invocation: Invocation
    /// Where to listen if the wanted port is taken; `nil`: nowhere.
    var alternativeAddress: String?

    /// Runs until SIGTERM, which is how a service is stopped, or SIGINT, then lets answers in flight finish.
    ///
    /// - Parameter listening: called with the bound address once connections are taken.
    func run(
        listening: @escaping @Sendable (_ address: String, ImagePipeline, RecordStore) async throws -> Void = {
            _, _, _ in
        }
    ) async throws -> ExitCode {
        let logger = invocation.logger()
        // Wrong files are found before anything is opened.
        let configuration = try invocation.settings.serverConfiguration()
        for warning in configuration.signingKeys?.warnings ?? [] {
            logger.log(.warning, "sign keys", ["what": .text(warning)])
        }
        let schedule = try invocation.settings.purgeSchedule()
        let relay = ChangeRelay()
        let records = try RecordStore(path: invocation.settings[Options.database], onChange: relay.send)
        let reloads = Reloads()
        let stop = try await interruptible(onHangup: reloads.signal) {
            try await invocation.withPipeline(logger: logger) { pipeline in
                let (server, address) = try start(
                    configuration, pipeline: pipeline, records: records, changes: relay, logger: logger)
                let purges = PurgeTimer(pipeline: pipeline, records: records, logger: logger)
                purges.follow(schedule)
                let result: Result<Void, any Error>
                do {
                    try await listening(address, pipeline, records)
                    for await _ in reloads.stream {
                        reload(server: server, pipeline: pipeline, purges: purges, logger: logger)
                    }
                    result = .success(())
                } catch {
                    result = .failure(error)
                }
                purges.follow(nil)
                // This task is cancelled by the signal; the stop is not, or nothing would be left to finish.
                await Task.detached { await server.stop() }.value
                try result.get()
            }
        }
        return stop.signal == SIGINT ? .interrupted : .done
    }

    private func start(
        _ configuration: ServerConfiguration, pipeline: ImagePipeline, records: RecordStore, changes: ChangeRelay,
        logger: Logger
    ) throws -> (Server, address: String) {
        func started(_ configuration: ServerConfiguration) -> Result<(Server, address: String), ListenerError> {
            let server = Server(
                configuration: configuration, pipeline: pipeline, records: records, changes: changes, logger: logger)
            return Result { () throws(ListenerError) in (server, try server.start()) }
        }
        switch started(configuration) {
        case .success(let result): return result
        case .failure(.openToOthers(let address)): throw UsageError("\(ListenerError.openToOthers(address))")
        case .failure(let error):
            guard case .cannotListen = error, let alternativeAddress else { throw error }
            var other = configuration
            other.listener.address = try ListenAddress(alternativeAddress)
            return try started(other).get()
        }
    }

    /// SIGHUP: a configuration that is wrong changes nothing.
    private func reload(server: Server, pipeline: ImagePipeline, purges: PurgeTimer, logger: Logger) {
        do {
            let settings = try invocation.settingsReread([:])
            let configuration = try settings.serverConfiguration()
            let schedule = try settings.purgeSchedule()
            var pipelineConfiguration = try settings.pipelineConfiguration()
            pipelineConfiguration.onEvent = logger.log(_:)
            try pipeline.reconfigure(pipelineConfiguration)
            server.reload(configuration)
            purges.follow(schedule)
            logger.level = settings[Options.logLevel]
        } catch {
            logger.log(.error, "not reloaded", ["problem": .text("\(error)")])
        }
    }
}

/// SIGHUPs as they come; several that come during a reload are one.
private struct Reloads: Sendable {
    let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    @Sendable func signal() { continuation.yield() }
}

/// The server's own purges of what has expired, by the schedule that holds now.
private final class PurgeTimer: Sendable {
    private struct State {
        var schedule: Schedule?
        var task: Task<Void, Never>?
    }

    private let state = Mutex(State())
    private let round: PurgeRound
    private let logger: Logger

    init(pipeline: ImagePipeline, records: RecordStore, logger: Logger) {
        round = PurgeRound(
            selection: .entries(.expired), pipeline: pipeline, records: { records }, isDryRun: false)
        self.logger = logger
    }

    /// A schedule that has not changed goes on as it was.
    func follow(_ schedule: Schedule?) {
        state.withLock { state in
            guard state.schedule != schedule else { return }
            state.task?.cancel()
            state.schedule = schedule
            state.task = schedule.map { schedule in
                Task { [round, logger] in
                    await MaintenanceLoop(schedule: schedule).run { await round.run(logging: logger) }
                }
            }
        }
    }
}

extension Settings {
    func purgeSchedule() throws(UsageError) -> Schedule? {
        try schedule(every: Options.purgeEvery, cron: Options.purgeSchedule)
    }
}
