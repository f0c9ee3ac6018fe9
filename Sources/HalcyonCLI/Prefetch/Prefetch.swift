internal import Halcyon
internal import HalcyonHTTP
internal import Synchronization

/// Fetches what was selected, shows how far it is, and says at the end what became of each photo.
func prefetch(_ invocation: Invocation) async throws -> ExitCode {
    let items = try await invocation.prefetchItems()
    let settings = invocation.settings
    let clock = ContinuousClock()
    let start = clock.now
    let policy = try settings.originPolicy()
    let (summary, signal) = try await interruptible {
        // What fails is in the summary; the log has what the summary cannot know.
        try await invocation.withPipeline(logger: invocation.logger(isQuiet: true), ignoring: .failures) {
            await prefetch(items, with: $0, policy: policy, invocation: invocation, elapsed: { clock.now - start })
        }
    }
    var final = summary
    final.isInterrupted = signal != nil
    let elapsed = clock.now - start
    if settings[Options.json] {
        invocation.console.print(final.json(elapsed: elapsed).text(isPretty: true))
    } else {
        invocation.console.print(final.text(elapsed: elapsed))
    }
    return final.exitCode
}

/// Runs until all is done or the task is cancelled; the numbers of the summary add up to the items in either case.
func prefetch(
    _ items: [ImagePrefetcher.Item], with pipeline: ImagePipeline, policy: OriginPolicy, invocation: Invocation,
    elapsed: @escaping @Sendable () -> Duration
) async -> PrefetchSummary {
    let settings = invocation.settings
    let style = ProgressReporter.style(of: settings[Options.progress], console: invocation.console)
    let reporter = ProgressReporter(total: items.count, style: style, console: invocation.console, elapsed: elapsed)
    let summary = Mutex(PrefetchSummary(total: items.count))
    _ = await ImagePrefetcher(pipeline: pipeline, concurrency: settings[Options.concurrency]).run(
        items,
        variants: settings[Options.variants],
        options: ImageRequest.Options(
            cachePolicy: settings[Options.refresh] ? .refresh : .useCache, destination: .disk)
    ) { item, outcome in
        let result = PrefetchResult(outcome, of: item, policy: policy)
        summary.withLock { $0.add(result, subject: item.id) }
        // What a signal cut off is neither done nor failed.
        guard result.outcome != .notReached else { return }
        reporter.advance(bytes: result.bytes, isFailure: result.outcome.isFailure)
    }
    reporter.finish()
    return summary.withLock { summary in
        summary.close()
        return summary
    }
}
