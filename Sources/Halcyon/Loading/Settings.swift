internal import Foundation
internal import HalcyonHTTP
internal import HalcyonImage

/// A configuration that was read and found good, with what is derived from it.
struct Settings: Sendable {
    let configuration: ImagePipeline.Configuration
    let policy: OriginPolicy
    let imageLimits: ImageLimits
    let negativeExpiry: TimeInterval
    let staleIfError: TimeInterval
    let staleWhileRevalidate: TimeInterval
    private let origins: [OriginRule: Origin]

    init(_ configuration: ImagePipeline.Configuration) throws(ImagePipeline.Error) {
        try Self.validate(configuration)
        var origins: [OriginRule: Origin] = [:]
        var rules: [OriginRule] = []
        for origin in configuration.origins {
            let rule = try OriginRule(origin)
            rules.append(rule)
            origins[rule] = origin
        }
        var redirectHosts: [HostPattern] = []
        for text in configuration.redirectHosts {
            do throws(OriginRuleProblem) {
                redirectHosts.append(try HostPattern(text))
            } catch {
                throw .init(.invalidOption, "redirect host: \(error)")
            }
        }
        self.configuration = configuration
        self.origins = origins
        self.policy = OriginPolicy(rules: rules, redirectHosts: redirectHosts)
        self.imageLimits = ImageLimits(
            maximumPixels: configuration.limits.maximumPixels, allowsSVG: configuration.limits.allowsSVG)
        self.negativeExpiry = configuration.negativeExpiration.seconds
        self.staleIfError = configuration.staleIfError.seconds
        self.staleWhileRevalidate = configuration.staleWhileRevalidate.seconds
    }

    func origin(of rule: OriginRule) -> Origin? { origins[rule] }

    var now: Date { configuration.now?() ?? Date() }

    /// Between `1 - lifetimeJitter` and 1.
    func jitterFactor() -> Double {
        configuration.lifetimeJitter > 0 ? 1 - Double.random(in: 0...configuration.lifetimeJitter) : 1
    }

    private static func validate(_ configuration: ImagePipeline.Configuration) throws(ImagePipeline.Error) {
        func require(_ isGood: Bool, _ message: @autoclosure () -> String) throws(ImagePipeline.Error) {
            if !isGood { throw .init(.invalidOption, message()) }
        }
        let fetch = configuration.fetch
        try require(
            configuration.memory.limitBytes >= 0, "memory limit: \(configuration.memory.limitBytes) bytes; at least 0")
        try require(
            configuration.disk.limitBytes >= 0, "disk limit: \(configuration.disk.limitBytes) bytes; at least 0")
        try require((0...1).contains(configuration.lifetimeJitter), "lifetime jitter: accepted are 0 to 1")
        try require(fetch.retries >= 0, "retries: \(fetch.retries); at least 0")
        try require(fetch.maximumRedirects >= 0, "redirects: \(fetch.maximumRedirects); at least 0")
        try require(
            fetch.maximumPerHost > 0 && fetch.maximumConcurrent > 0 && fetch.maximumQueued > 0,
            "concurrency limits: at least 1")
        try require(
            fetch.timeout > .zero && fetch.connectTimeout > .zero, "timeouts: more than zero")
        try require(
            (1...1024).contains(configuration.rendering.lanes) && configuration.rendering.maximumWaiting >= 0,
            "rendering: 1 to 1024 lanes, at least 0 waiting")
        try require(
            configuration.limits.maximumImageBytes > 0 && configuration.limits.maximumPixels > 0,
            "image limits: at least 1")
        for duration in [
            configuration.negativeExpiration, configuration.staleIfError, configuration.staleWhileRevalidate,
        ] {
            try require(duration >= .zero, "a lifetime of \(duration): at least zero")
        }
        for expiration in [configuration.memory.expiration, configuration.disk.expiration]
            + configuration.origins.compactMap(\.expiration)
        {
            switch expiration {
            case .seconds(let seconds): try require(seconds >= 0, "a lifetime of \(seconds) s: at least 0")
            case .days(let days): try require(days >= 0, "a lifetime of \(days) days: at least 0")
            case .never, .date, .expired, .origin: break
            }
        }
    }
}
