/// An image and how it is to be had.
///
/// ```swift
/// let response = try await pipeline.image(for: ImageRequest(url: "https://photos.school.example/202110107.jpg"))
/// ```
public struct ImageRequest: Sendable {
    /// An absolute `http` or `https` URL without user name or password. Compared by RFC 3986 §6.2.2: the case of scheme
    /// and host, default ports, dot segments and the fragment make no difference; the order of query items does.
    /// Empty for an image that ``provider`` gives.
    public var url: String
    /// Asked in place of an origin.
    public var provider: ImageDataProvider?
    /// In which size and format. Default: the original bytes.
    public var variant: ImageVariant
    public var options: Options

    public init(url: String, variant: ImageVariant = .original, options: Options = Options()) {
        self.url = url
        self.variant = variant
        self.options = options
    }

    /// An image that is not fetched. The steps of a load are the same, but for what concerns an origin: its policy,
    /// credentials, time limits and request modifiers.
    public init(provider: ImageDataProvider, variant: ImageVariant = .original, options: Options = Options()) {
        self.init(url: "", variant: variant, options: options)
        self.provider = provider
    }
}

extension ImageRequest {
    /// What one request may ask beyond the pipeline's configuration.
    public struct Options: Sendable {
        /// Which layers are asked. Default ``CachePolicy/useCache``.
        public var cachePolicy: CachePolicy
        /// Where the image is kept once it was fetched. Default ``Destination/memoryAndDisk``.
        public var destination: Destination
        /// Who goes first when the fetcher's slots are taken. Default ``Priority/interactive``.
        public var priority: Priority
        /// Lifetime of the memory copy; `nil` takes the configuration's. Never longer than the disk copy is fresh.
        public var memoryExpiration: CacheExpiration?
        /// Lifetime of the disk copy; `nil` takes the origin's entry in the configuration, then the configuration's.
        public var diskExpiration: CacheExpiration?
        /// What a read does to the memory copy's lifetime; `nil` takes the configuration's.
        public var memoryExtension: CacheExtension?
        /// What a read does to the disk copy's lifetime; `nil` takes the configuration's.
        public var diskExtension: CacheExtension?
        /// Kept under this name instead of the URL: for URLs that change with every call. Whoever gives the key answers
        /// for its meaning one image.
        public var cacheKey: String?
        /// Labels by which the image can be purged, such as `student:202110107` and `class:1-1`.
        public var tags: [String]
        /// Time for the whole load, queueing and retries included; `nil` takes the configuration's 15 s.
        public var timeout: Duration?
        /// Changes the request that goes to the origin, for example to sign it.
        public var requestModifier: RequestModifier?
        /// Called as the body arrives, on the fetcher's thread: return at once.
        public var onProgress: (@Sendable (Progress) -> Void)?
        /// Returned, marked as such, where the load would have thrown. Never kept under the image's key.
        public var placeholder: ImagePlaceholder?
        /// What a variant of the format `auto` may be, as an `Accept` field says it (RFC 9110 §12.5.1), such as
        /// `image/avif,image/webp,*/*`. `nil`: JPEG or PNG, as suits the original.
        public var acceptedTypes: String?

        public init(
            cachePolicy: CachePolicy = .useCache,
            destination: Destination = .memoryAndDisk,
            priority: Priority = .interactive,
            memoryExpiration: CacheExpiration? = nil,
            diskExpiration: CacheExpiration? = nil,
            memoryExtension: CacheExtension? = nil,
            diskExtension: CacheExtension? = nil,
            cacheKey: String? = nil,
            tags: [String] = [],
            timeout: Duration? = nil,
            requestModifier: RequestModifier? = nil,
            onProgress: (@Sendable (Progress) -> Void)? = nil,
            placeholder: ImagePlaceholder? = nil,
            acceptedTypes: String? = nil
        ) {
            self.cachePolicy = cachePolicy
            self.destination = destination
            self.priority = priority
            self.memoryExpiration = memoryExpiration
            self.diskExpiration = diskExpiration
            self.memoryExtension = memoryExtension
            self.diskExtension = diskExtension
            self.cacheKey = cacheKey
            self.tags = tags
            self.timeout = timeout
            self.requestModifier = requestModifier
            self.onProgress = onProgress
            self.placeholder = placeholder
            self.acceptedTypes = acceptedTypes
        }
    }

    /// Which layers a load asks, and in which order.
    public enum CachePolicy: Sendable, Hashable {
        /// Memory, disk, origin.
        case useCache
        /// The origin, with the validators of the copy that is kept: unchanged costs no body, changed replaces both
        /// layers, failure leaves both as they were.
        case refresh
        /// Memory and disk; `.notCached` is thrown instead of a fetch. A copy past its expiry does not count.
        case onlyFromCache
    }

    /// Where a fetched image is kept.
    public enum Destination: Sendable, Hashable {
        case memoryAndDisk
        /// Leaves the memory cache as it is: for prefetching more than memory should hold.
        case disk
        /// Never written to disk.
        case memory
        /// Fetched, answered and forgotten.
        case none
    }

    public enum Priority: Int, Sendable, Hashable, Comparable {
        /// Waits for interactive loads.
        case prefetch
        /// Somebody is looking at the screen.
        case interactive

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// How far a body has arrived.
    public struct Progress: Sendable, Hashable {
        public let completedBytes: Int
        /// `nil` where the origin did not say.
        public let totalBytes: Int?
    }

    /// A change to the request that goes to the origin. Requests are shared by callers who ask for the same image, so
    /// modifiers that could lead to different images need different identifiers; the identifier is part of the cache key.
    public struct RequestModifier: Sendable {
        public let identifier: String
        /// Cancelling the load while this runs sends nothing.
        public let modify: @Sendable (inout OriginRequest) async -> Void

        public init(identifier: String, modify: @escaping @Sendable (inout OriginRequest) async -> Void) {
            self.identifier = identifier
            self.modify = modify
        }
    }

    /// What a ``RequestModifier`` may change. The URL is held to the same policy as any other.
    public struct OriginRequest: Sendable {
        public var url: String
        /// Header fields beyond those that Halcyon sends; a later field of the same name replaces an earlier one.
        public var fields: [String: String]
    }
}

/// An image that stands in for one that cannot be had.
public struct ImagePlaceholder: Sendable, Hashable {
    public let bytes: [UInt8]
    /// Such as `image/png`.
    public let contentType: String

    public init(bytes: [UInt8], contentType: String) {
        self.bytes = bytes
        self.contentType = contentType
    }
}
