internal import Glibc
internal import Halcyon
internal import HalcyonServer

extension Invocation {
    enum Ignored: Sendable { case nothing, failures }

    /// - Parameter isQuiet: for commands that tell everything themselves: only what somebody should look at is logged.
    func logger(isQuiet: Bool = false) -> Logger {
        Logger(
            level: isQuiet ? max(settings[Options.logLevel], .warning) : settings[Options.logLevel],
            format: settings[Options.logFormat])
    }

    /// Whether the folder is that of a cache: the lock is there even where the index was lost.
    var hasCache: Bool {
        ["index.sqlite", "lock"].contains { access("\(settings[Options.cacheDirectory])/\($0)", F_OK) == 0 }
    }

    /// Opens the caches, runs `body`, and in any case writes what has yet to be written before it returns.
    ///
    /// - Parameter isRequired: for commands that look at what is kept: a folder that is no cache yet is an error, not a new
    ///   cache.
    /// - Parameter ignoring: what the command tells by itself and therefore does not log.
    func withPipeline<Value: Sendable>(
        logger: Logger, ignoring: Ignored = .nothing, isRequired: Bool = false,
        _ body: (ImagePipeline) async throws -> Value
    ) async throws -> Value {
        let folder = settings[Options.cacheDirectory]
        if isRequired, !hasCache {
            throw CommandFailure(
                access(folder, F_OK) == 0
                    ? "--cache-dir: \(folder) is not the folder of a cache"
                    : "--cache-dir: there is no folder \(folder)")
        }
        var configuration = try settings.pipelineConfiguration()
        configuration.onEvent = { event in
            if case .failed = event, ignoring == .failures { return }
            logger.log(event)
        }
        let pipeline: ImagePipeline
        do throws(ImagePipeline.Error) {
            pipeline = try ImagePipeline(configuration: configuration)
        } catch {
            throw UsageError(error.description)
        }
        await pipeline.open()
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(pipeline))
        } catch {
            result = .failure(error)
        }
        await pipeline.shutDown()
        logger.flush()
        return try result.get()
    }
}
