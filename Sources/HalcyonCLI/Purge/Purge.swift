internal import Glibc
internal import Halcyon
internal import HalcyonRecords
internal import HalcyonServer

/// Drops what was selected, once or by a schedule.
func purge(_ invocation: Invocation) async throws -> ExitCode {
    let settings = invocation.settings
    let selection = try PurgeSelection(settings)
    let schedule = try settings.schedule(every: Options.every, cron: Options.schedule)
    let logger = invocation.logger(isQuiet: schedule == nil)
    let isDryRun = settings[Options.dryRun]

    if let schedule {
        let (_, signal) = try await interruptible {
            try await invocation.withPipeline(logger: logger, isRequired: true) { pipeline in
                let round = PurgeRound(
                    selection: selection, pipeline: pipeline, records: invocation.records, isDryRun: isDryRun)
                // An interval begins with a round at once, a cron expression waits for its time.
                if case .every = schedule { await round.run(logging: logger) }
                await MaintenanceLoop(schedule: schedule).run { await round.run(logging: logger) }
            }
        }
        // Ended as asked by whoever supervises it, or by somebody at the keyboard.
        return signal == SIGINT ? .interrupted : .done
    }
    let report = try await invocation.withPipeline(logger: logger, isRequired: true) { pipeline in
        try await PurgeRound(
            selection: selection, pipeline: pipeline, records: invocation.records, isDryRun: isDryRun
        ).run()
    }
    if settings[Options.json] {
        let json: JSONValue = [
            "count": .integer(report.count), "bytes": .integer(report.bytes), "dryRun": .bool(isDryRun),
        ]
        invocation.console.print(json.text(isPretty: true))
    } else {
        let verb = isDryRun ? "would drop" : "dropped"
        invocation.console.print("\(verb) \(counted(report.count, "file")), \(ByteSize.rounded(report.bytes))")
    }
    return .done
}

extension PurgeRound {
    /// A round that fails is logged; the next one may succeed.
    func run(logging logger: Logger) async {
        do {
            let report = try await run()
            logger.log(
                .info, "purge",
                [
                    "what": .text(selection.description), "count": .number(report.count),
                    "bytes": .number(report.bytes),
                    "dryRun": .flag(isDryRun),
                ])
        } catch {
            logger.log(.error, "purge", ["what": .text(selection.description), "problem": .text("\(error)")])
        }
    }
}

extension Settings {
    /// - Throws: ``UsageError`` if both are given.
    func schedule(
        every interval: Option<Duration?>, cron: Option<CronExpression?>
    ) throws(UsageError) -> Schedule? {
        let given = given(among: [interval.spec, cron.spec])
        if given.count > 1 {
            throw UsageError("--\(interval.spec.flag) and --\(cron.spec.flag) exclude each other: give one of them")
        }
        if given.contains(interval.spec), let duration = self[interval] { return .every(duration) }
        if given.contains(cron.spec), let expression = self[cron] { return .cron(expression) }
        return nil
    }
}
