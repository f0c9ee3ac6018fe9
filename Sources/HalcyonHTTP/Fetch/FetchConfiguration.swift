#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// How a ``Fetcher`` behaves.
package struct FetchConfiguration: Sendable {
    /// The values in effect if nothing else is said; `--help` prints these.
    package enum Defaults {
        package static let connectTimeout: Duration = .seconds(3)
        package static let totalTimeout: Duration = .seconds(15)
        package static let lowSpeedBytesPerSecond = 100
        package static let lowSpeedTime: Duration = .seconds(5)
        package static let maximumRedirects = 5
        package static let retries = 3
        package static let backoffBase: Duration = .milliseconds(200)
        package static let backoffCap: Duration = .seconds(5)
        package static let maximumConcurrent = 64
        package static let maximumPerHost = 8
        package static let maximumQueued = 4096
        package static let maximumBodyBytes = 10 << 20
        package static let usesEnvironmentProxies = false
        package static let userAgent = "Halcyon"
        package static let breakerThreshold = 20
        package static let breakerCooldown: Duration = .seconds(5)
    }

    package var policy: OriginPolicy
    package var connectTimeout = Defaults.connectTimeout
    /// Of a whole request: queueing, redirects and retries included.
    package var totalTimeout = Defaults.totalTimeout
    /// A transfer that stays below this for a whole `lowSpeedTime` is given up; 0: never.
    package var lowSpeedBytesPerSecond = Defaults.lowSpeedBytesPerSecond
    package var lowSpeedTime = Defaults.lowSpeedTime
    package var maximumRedirects = Defaults.maximumRedirects
    /// Attempts after the first.
    package var retries = Defaults.retries
    /// Retry n waits between zero and `backoffBase` × 2ⁿ⁻¹, at most `backoffCap` ("full jitter").
    package var backoffBase = Defaults.backoffBase
    package var backoffCap = Defaults.backoffCap
    package var maximumConcurrent = Defaults.maximumConcurrent
    package var maximumPerHost = Defaults.maximumPerHost
    package var maximumQueued = Defaults.maximumQueued
    package var maximumBodyBytes = Defaults.maximumBodyBytes
    /// PEM certificates trusted besides those of the system.
    package var caFile: String?
    /// Obeys `http_proxy` and the like. The proxy then opens the connections, so addresses are not judged any more; the
    /// allow-list of hosts still holds.
    package var usesEnvironmentProxies = Defaults.usesEnvironmentProxies
    package var userAgent = Defaults.userAgent
    /// So many failed transfers (no connection, timeout, 5xx) of one host and port one after another open its breaker.
    /// High enough that a class with some broken photos does not: one answer below 500 starts the count anew.
    package var breakerThreshold = Defaults.breakerThreshold
    /// How long an open breaker holds back, before one transfer may try again. In the first such pause prefetches wait,
    /// if their time allows; interactive requests fail at once, and after a failed trial all do.
    package var breakerCooldown = Defaults.breakerCooldown
    /// Times every wait but the connect timeout, which curl times.
    package var clock: any Clock<Duration> = ContinuousClock()
    package var wallClock: @Sendable () -> Date = { Date() }
    /// `host:port:address` entries that answer instead of DNS (`CURLOPT_RESOLVE`).
    package var resolve: [String] = []

    package init(policy: OriginPolicy) {
        self.policy = policy
    }

    var limits: TransferScheduler.Limits {
        TransferScheduler.Limits(
            maximumConcurrent: max(1, maximumConcurrent), maximumPerHost: max(1, maximumPerHost),
            maximumQueued: maximumQueued, breakerThreshold: max(1, breakerThreshold), breakerCooldown: breakerCooldown)
    }
}
