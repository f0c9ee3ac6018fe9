internal import Foundation
internal import HalcyonCrypto
internal import HalcyonHTTP
internal import HalcyonStore

/// Where the public configuration becomes that of the modules below.
extension Settings {
    var fetchConfiguration: FetchConfiguration {
        let fetch = configuration.fetch
        var result = FetchConfiguration(policy: policy)
        result.connectTimeout = fetch.connectTimeout
        result.totalTimeout = fetch.timeout
        result.retries = fetch.retries
        result.maximumPerHost = fetch.maximumPerHost
        result.maximumConcurrent = fetch.maximumConcurrent
        result.maximumQueued = fetch.maximumQueued
        result.maximumRedirects = fetch.maximumRedirects
        result.maximumBodyBytes = configuration.limits.maximumImageBytes
        result.caFile = fetch.certificateAuthorities
        result.usesEnvironmentProxies = fetch.usesEnvironmentProxies
        result.resolve = fetch.resolve
        if let now = configuration.now { result.wallClock = now }
        return result
    }

    var memoryConfiguration: MemoryCacheConfiguration {
        var result = MemoryCacheConfiguration()
        result.limitBytes = configuration.memory.limitBytes
        if let now = configuration.now { result.wallClock = now }
        result.expiration = configuration.memory.expiration.stored
        result.expirationExtension = configuration.memory.accessExtension.stored
        return result
    }

    func diskConfiguration(folder: String) -> DiskCacheConfiguration {
        var result = DiskCacheConfiguration(folder: folder)
        result.limitBytes = configuration.disk.limitBytes
        result.sweepInterval = configuration.disk.sweepInterval
        if let now = configuration.now { result.wallClock = now }
        let onEvent = configuration.onEvent
        result.onEvent = { onEvent(.storage(.init($0))) }
        return result
    }
}

extension PipelineParts {
    convenience init(_ settings: Settings) throws(ImagePipeline.Error) {
        let fetcher: Fetcher
        do throws(FetchError) {
            fetcher = try Fetcher(configuration: settings.fetchConfiguration)
        } catch {
            throw ImagePipeline.Error(.invalidOption, "the fetcher could not be set up: \(error)")
        }
        self.init(
            memory: MemoryCache(configuration: settings.memoryConfiguration),
            disk: settings.configuration.cacheFolder.map {
                DiskCache(configuration: settings.diskConfiguration(folder: $0))
            },
            fetcher: fetcher,
            pixels: PixelWork(settings.configuration.rendering)
        )
    }
}

extension OriginRule {
    init(_ origin: Origin) throws(ImagePipeline.Error) {
        do throws(OriginRuleProblem) {
            var rule = try OriginRule(origin.host)
            for range in origin.addresses { rule.ranges.append(try AddressRange(range)) }
            rule.requestFields = HTTPFields(origin.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
            rule.credential = origin.authorization
            rule.droppedQueryItems = origin.droppedQueryItems
            rule.scopeName = Self.scope(of: origin)
            self = rule
        } catch {
            throw ImagePipeline.Error(.invalidOption, "origin: \(error)")
        }
    }

    /// What tells apart the answers that an origin gives to different senders. Empty where nothing particular is sent;
    /// otherwise a digest, so that no secret stands in a key.
    private static func scope(of origin: Origin) -> String {
        guard !origin.headers.isEmpty || origin.authorization != nil else { return "" }
        let fields = origin.headers.sorted { $0.key < $1.key }.flatMap { [$0.key.lowercased(), $0.value] }
        let parts = (fields + [origin.authorization ?? ""]).map { Array($0.utf8) }
        return Digest(of: LengthDelimited.encode(parts)).hex
    }
}
