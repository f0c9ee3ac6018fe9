public import Foundation

extension ImagePipeline {
    /// Everything about a pipeline that can be chosen. Every default is finite and is named in ``Defaults``.
    public struct Configuration: Sendable {
        /// The hosts from which images may be fetched. Empty by default: nothing is fetched from a host that is not named.
        public var origins: [Origin]
        /// Hosts to which a redirect may also lead: `cdn.example` or `*.cdn.example`.
        public var redirectHosts: [String]
        /// The folder of the disk cache; `nil` keeps images in memory alone. Default `cache`.
        public var cacheFolder: String?
        public var memory: Memory
        public var disk: Disk
        public var fetch: Fetch
        public var limits: Limits
        public var rendering: Rendering
        /// How long past its expiry an image is still answered when a newer one cannot be had (RFC 5861 §4).
        public var staleIfError: Duration
        /// How long past its expiry an image is answered at once while a newer one is fetched (RFC 5861 §3). Zero, the
        /// default, makes the caller wait for the newer one.
        public var staleWhileRevalidate: Duration
        /// How long a failure is remembered, at most. A first 404 is kept for half of it, an origin that cannot be
        /// reached for a sixth. Zero asks the origin each time.
        public var negativeExpiration: Duration
        /// Share by which lifetimes are shortened at random, so that a class that was fetched together does not expire
        /// together: 0 (none) to 1. Lifetimes are never lengthened.
        public var lifetimeJitter: Double
        /// What happened, for logs. Called from many threads: return at once.
        public var onEvent: @Sendable (Event) -> Void
        /// Wall time, for freshness; `nil` for the system's.
        public var now: (@Sendable () -> Date)?

        public init(
            origins: [Origin] = [],
            redirectHosts: [String] = [],
            cacheFolder: String? = Defaults.cacheFolder,
            memory: Memory = Memory(),
            disk: Disk = Disk(),
            fetch: Fetch = Fetch(),
            limits: Limits = Limits(),
            rendering: Rendering = Rendering(),
            staleIfError: Duration = Defaults.staleIfError,
            staleWhileRevalidate: Duration = Defaults.staleWhileRevalidate,
            negativeExpiration: Duration = Defaults.negativeExpiration,
            lifetimeJitter: Double = Defaults.lifetimeJitter,
            onEvent: @escaping @Sendable (Event) -> Void = { _ in },
            now: (@Sendable () -> Date)? = nil
        ) {
            self.origins = origins
            self.redirectHosts = redirectHosts
            self.cacheFolder = cacheFolder
            self.memory = memory
            self.disk = disk
            self.fetch = fetch
            self.limits = limits
            self.rendering = rendering
            self.staleIfError = staleIfError
            self.staleWhileRevalidate = staleWhileRevalidate
            self.negativeExpiration = negativeExpiration
            self.lifetimeJitter = lifetimeJitter
            self.onEvent = onEvent
            self.now = now
        }
    }

    /// The values that hold where nothing else is said.
    public enum Defaults {
        public static let cacheFolder = "cache"
        public static let memoryLimitBytes = 256 << 20
        public static let memoryExpiration = CacheExpiration.seconds(300)
        public static let memoryExtension = CacheExtension.cacheTime
        public static let diskLimitBytes = 2 << 30
        public static let diskExpiration = CacheExpiration.days(7)
        public static let diskExtension = CacheExtension.none
        public static let sweepInterval = Duration.seconds(120)
        public static let staleIfError = Duration.seconds(7 * 86_400)
        public static let staleWhileRevalidate = Duration.zero
        public static let negativeExpiration = Duration.seconds(60)
        public static let lifetimeJitter = 0.1
        public static let connectTimeout = Duration.seconds(3)
        public static let timeout = Duration.seconds(15)
        public static let retries = 3
        public static let maximumPerHost = 8
        public static let maximumConcurrent = 64
        public static let maximumQueued = 4_096
        public static let maximumRedirects = 5
        public static let maximumImageBytes = 10 << 20
        public static let maximumPixels = 50_000_000
        /// One for each processor.
        public static let renderingLanes = ProcessInfo.processInfo.activeProcessorCount
        public static let maximumRendersWaiting = 256
    }
}

extension ImagePipeline.Configuration {
    /// The memory cache.
    public struct Memory: Sendable {
        /// Bytes of images and a fixed overhead for each. Default 256 MiB. No image above a tenth of it is kept.
        public var limitBytes: Int
        /// Default 300 s.
        public var expiration: CacheExpiration
        /// Default ``CacheExtension/cacheTime``, never past the disk copy's expiry.
        public var accessExtension: CacheExtension

        public init(
            limitBytes: Int = ImagePipeline.Defaults.memoryLimitBytes,
            expiration: CacheExpiration = ImagePipeline.Defaults.memoryExpiration,
            accessExtension: CacheExtension = ImagePipeline.Defaults.memoryExtension
        ) {
            self.limitBytes = limitBytes
            self.expiration = expiration
            self.accessExtension = accessExtension
        }
    }

    /// The disk cache.
    public struct Disk: Sendable {
        /// Bytes of files. Default 2 GiB, held when writing; the least recently used go first.
        public var limitBytes: Int
        /// Default 7 days.
        public var expiration: CacheExpiration
        /// Default ``CacheExtension/none``.
        public var accessExtension: CacheExtension
        /// How often expired images are removed. Default 120 s.
        public var sweepInterval: Duration

        public init(
            limitBytes: Int = ImagePipeline.Defaults.diskLimitBytes,
            expiration: CacheExpiration = ImagePipeline.Defaults.diskExpiration,
            accessExtension: CacheExtension = ImagePipeline.Defaults.diskExtension,
            sweepInterval: Duration = ImagePipeline.Defaults.sweepInterval
        ) {
            self.limitBytes = limitBytes
            self.expiration = expiration
            self.accessExtension = accessExtension
            self.sweepInterval = sweepInterval
        }
    }

    /// The fetcher.
    public struct Fetch: Sendable {
        /// Default 3 s, name lookup included.
        public var connectTimeout: Duration
        /// For one load, queueing, redirects and retries included. Default 15 s.
        public var timeout: Duration
        /// Further tries after the first. Default 3.
        public var retries: Int
        /// Transfers at a time to one host. Default 8.
        public var maximumPerHost: Int
        /// Transfers at a time in all. Default 64.
        public var maximumConcurrent: Int
        /// Transfers that may wait for a place; further ones fail as `overload`. Default 4,096.
        public var maximumQueued: Int
        /// Default 5.
        public var maximumRedirects: Int
        /// A PEM file of authorities to trust beside the system's.
        public var certificateAuthorities: String?
        /// Whether `http_proxy` and its kin are followed. Off by default: an address cannot be judged through a proxy.
        public var usesEnvironmentProxies: Bool
        /// Answers for the resolver in libcurl's form `HOST:PORT:ADDRESS`, for tests and unusual networks. They are
        /// judged like any other answer.
        public var resolve: [String]

        public init(
            connectTimeout: Duration = ImagePipeline.Defaults.connectTimeout,
            timeout: Duration = ImagePipeline.Defaults.timeout,
            retries: Int = ImagePipeline.Defaults.retries,
            maximumPerHost: Int = ImagePipeline.Defaults.maximumPerHost,
            maximumConcurrent: Int = ImagePipeline.Defaults.maximumConcurrent,
            maximumQueued: Int = ImagePipeline.Defaults.maximumQueued,
            maximumRedirects: Int = ImagePipeline.Defaults.maximumRedirects,
            certificateAuthorities: String? = nil,
            usesEnvironmentProxies: Bool = false,
            resolve: [String] = []
        ) {
            self.connectTimeout = connectTimeout
            self.timeout = timeout
            self.retries = retries
            self.maximumPerHost = maximumPerHost
            self.maximumConcurrent = maximumConcurrent
            self.maximumQueued = maximumQueued
            self.maximumRedirects = maximumRedirects
            self.certificateAuthorities = certificateAuthorities
            self.usesEnvironmentProxies = usesEnvironmentProxies
            self.resolve = resolve
        }
    }

    /// The making of variants.
    public struct Rendering: Sendable, Hashable {
        /// Pictures at work at a time; memory for pixels is at most this times what one picture takes. Default: the number
        /// of processors.
        public var lanes: Int
        /// Pictures that may wait for a lane; further loads fail as `overload`. Default 256.
        public var maximumWaiting: Int
        /// Whether pictures are decoded in processes of their own, which a picture that harms its decoder takes with it, and
        /// which are ended when one takes too long. They are the running program, started again: its first statement has
        /// to be ``ImagePipeline/becomeDecoderIfAsked()``. Default `false`; the `halcyon` command does so.
        public var isIsolated: Bool

        public init(
            lanes: Int = ImagePipeline.Defaults.renderingLanes,
            maximumWaiting: Int = ImagePipeline.Defaults.maximumRendersWaiting,
            isIsolated: Bool = false
        ) {
            self.lanes = lanes
            self.maximumWaiting = maximumWaiting
            self.isIsolated = isIsolated
        }
    }

    /// What is taken for an image.
    public struct Limits: Sendable, Hashable {
        /// A body is cut off here. Default 10 MiB.
        public var maximumImageBytes: Int
        /// Width times height, read before anything is decoded. Default 50,000,000.
        public var maximumPixels: Int
        /// SVG can hold scripts and is refused by default.
        public var allowsSVG: Bool

        public init(
            maximumImageBytes: Int = ImagePipeline.Defaults.maximumImageBytes,
            maximumPixels: Int = ImagePipeline.Defaults.maximumPixels,
            allowsSVG: Bool = false
        ) {
            self.maximumImageBytes = maximumImageBytes
            self.maximumPixels = maximumPixels
            self.allowsSVG = allowsSVG
        }
    }
}
