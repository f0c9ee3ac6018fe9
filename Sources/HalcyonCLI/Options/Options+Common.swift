internal import Halcyon
internal import HalcyonServer

extension Options {
    static let cacheDirectory = Option(
        "cache-dir", .folder, default: Defaults.cacheDirectory, "Folder of the disk cache")
    static let database = Option("database", .file, default: Defaults.database, "SQLite file of the records")
    static let mediaDirectory = Option<String?>(
        "media-dir", optional: .folder,
        "Folder of the images that belong to records; without it, the folder media beside the database")
    static let memoryLimit = Option(
        "memory-limit", .size(), default: Defaults.memoryLimit, "Most bytes kept in memory; 0 keeps none")
    static let memoryExpiry = Option(
        "memory-expiry", .expiry(allowsOrigin: false), default: Defaults.memoryExpiry,
        "How long a copy in memory is fresh; 0: expired at once")
    static let diskLimit = Option(
        "disk-limit", .size(), default: Defaults.diskLimit, "Most bytes kept on disk; 0 keeps none")
    static let diskExpiry = Option(
        "disk-expiry", .expiry(allowsOrigin: true), default: Defaults.diskExpiry,
        "How long a copy on disk is fresh; 0: expired at once, origin: what its headers say")
    static let memoryExtension = Option(
        "memory-extension", .expiryExtension, default: Defaults.memoryExtension,
        "What a look at a copy in memory does to its expiry: nothing, start it anew, or set this long; never past the "
            + "disk copy's")
    static let diskExtension = Option(
        "disk-extension", .expiryExtension, default: Defaults.diskExtension,
        "The same for copies on disk; none: a photo that is looked at every day is still refreshed")
    static let sweepEvery = Option(
        "sweep-every", .positiveDuration, default: Defaults.sweepEvery,
        "How often what has expired is removed from the caches in the background")
    static let staleIfError = Option(
        "stale-if-error", .duration, default: Defaults.staleIfError,
        "How long past its expiry a photo is served while its origin fails")
    static let staleWhileRevalidate = Option(
        "stale-while-revalidate", .duration, default: Defaults.staleWhileRevalidate,
        "How long past its expiry a photo is served at once while a newer one is fetched")
    static let negativeExpiry = Option(
        "negative-expiry", .duration, default: Defaults.negativeExpiry,
        "How long a missing or unavailable photo is remembered as such")

    static let cache: [OptionSpec] = [
        cacheDirectory.spec, database.spec, mediaDirectory.spec, memoryLimit.spec, memoryExpiry.spec, diskLimit.spec,
        diskExpiry.spec,
        memoryExtension.spec, diskExtension.spec, sweepEvery.spec, staleIfError.spec, staleWhileRevalidate.spec,
        negativeExpiry.spec,
    ]

    static let allowOrigin = Option<[String]>(
        "allow-origin", repeated: .originRule,
        "Host that photos may come from: photos.school.example, *.cdn.example; with ranges, also non-public addresses: "
            + "photos.school.example=10.2.0.0/24")
    static let allowRedirectTo = Option<[String]>(
        "allow-redirect-to", repeated: .redirectHost, "Host that an allowed origin may redirect to")
    static let connectTimeout = Option(
        "connect-timeout", .positiveDuration, default: Defaults.connectTimeout,
        "Time to connect to an origin, name lookup included")
    static let timeout = Option(
        "timeout", .positiveDuration, default: Defaults.timeout,
        "Time for a whole fetch, queueing, redirects and retries included")
    static let retries = Option(
        "retries", .integer(in: 0...20), default: Defaults.retries,
        "Further tries after a failure that may pass (connection errors, 408, 429, 5xx)")
    static let perHost = Option(
        "per-host", .integer(in: 1...1024), default: Defaults.perHost, "Most transfers from one host at a time")
    static let maxTransfers = Option(
        "max-transfers", .integer(in: 1...4096), default: Defaults.maxTransfers, "Most transfers at a time")
    static let maxRedirects = Option(
        "max-redirects", .integer(in: 0...20), default: Defaults.maxRedirects, "Most redirects followed for one photo")
    static let caFile = Option<String?>(
        "ca-file", optional: .readableFile, "PEM file of certificate authorities trusted besides the system's")
    static let environmentProxies = Option<Bool>(
        switch: "environment-proxies",
        "Use http_proxy and its kin; the address check then judges the proxy's address, not the origin's")

    static let fetch: [OptionSpec] = [
        allowOrigin.spec, allowRedirectTo.spec, connectTimeout.spec, timeout.spec, retries.spec, perHost.spec,
        maxTransfers.spec, maxRedirects.spec, caFile.spec,
        environmentProxies.spec,
    ]

    static let maxImageBytes = Option(
        "max-image-bytes", .size(minimum: 1), default: Defaults.maxImageBytes,
        "A larger body is cut off at this size")
    static let maxPixels = Option(
        "max-pixels", .integer(in: 1...1_000_000_000), default: Defaults.maxPixels,
        "An image with more pixels is refused before it is decoded")
    static let allowSVG = Option<Bool>(
        switch: "allow-svg", "Keep and serve SVG, which is active content, under a policy that blocks scripts")
    static let placeholder = Option<String?>(
        "placeholder", optional: .placeholderFile,
        "Image shown where there is no photo, or the pupil's initials, instead of the drawn silhouette")
    static let renderingLanes = Option(
        "rendering-lanes", .integer(in: 1...64), default: Defaults.renderingLanes,
        "Pictures scaled at a time, each in a process of its own")

    static let images: [OptionSpec] = [
        maxImageBytes.spec, maxPixels.spec, allowSVG.spec, renderingLanes.spec, placeholder.spec,
    ]

    static let logLevel = Option("log-level", .logLevel, default: .info, "Least important event logged")
    static let logFormat = Option("log-format", .choice, default: Logger.Format.text, "Form of the log, on stderr")
}
