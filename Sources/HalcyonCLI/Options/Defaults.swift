internal import Halcyon
internal import HalcyonServer

/// Names for the defaults of the modules below, and the few that belong to the command line alone.
enum Defaults {
    static let cacheDirectory = ImagePipeline.Defaults.cacheFolder
    static let memoryLimit = ImagePipeline.Defaults.memoryLimitBytes
    static let memoryExpiry = ImagePipeline.Defaults.memoryExpiration
    static let memoryExtension = ImagePipeline.Defaults.memoryExtension
    static let diskLimit = ImagePipeline.Defaults.diskLimitBytes
    static let diskExpiry = ImagePipeline.Defaults.diskExpiration
    static let diskExtension = ImagePipeline.Defaults.diskExtension
    static let sweepEvery = ImagePipeline.Defaults.sweepInterval
    static let staleIfError = ImagePipeline.Defaults.staleIfError
    static let staleWhileRevalidate = ImagePipeline.Defaults.staleWhileRevalidate
    static let negativeExpiry = ImagePipeline.Defaults.negativeExpiration

    static let connectTimeout = ImagePipeline.Defaults.connectTimeout
    static let timeout = ImagePipeline.Defaults.timeout
    static let retries = ImagePipeline.Defaults.retries
    static let perHost = ImagePipeline.Defaults.maximumPerHost
    static let maxTransfers = ImagePipeline.Defaults.maximumConcurrent
    static let maxRedirects = ImagePipeline.Defaults.maximumRedirects
    static let maxImageBytes = ImagePipeline.Defaults.maximumImageBytes
    static let renderingLanes = min(64, ImagePipeline.Defaults.renderingLanes)
    static let maxPixels = ImagePipeline.Defaults.maximumPixels
    static let concurrency = ImagePrefetcher.defaultConcurrency

    static let database = "records.sqlite"
    static let listen = "127.0.0.1:8080"
    static let shutdownGrace = Duration.seconds(ServerConfiguration.Defaults.stopSeconds)
    static let readyDelay = Duration.zero
    static let photoMaxAge = Duration.seconds(ServerConfiguration.Defaults.clientSeconds)
    static let maxConnections = ListenerConfiguration.Defaults.maximumConnections
    static let idleTimeout = Duration.seconds(ListenerConfiguration.Defaults.idleSeconds)
    static let demoStudents = 300
}
