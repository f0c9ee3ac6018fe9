internal import HalcyonHTTP

/// A host from which images may be fetched, and what holds for it alone.
public struct Origin: Sendable, Hashable {
    /// `HOST[:PORT]`: a name, `*.suffix` (labels compared one by one), an IPv4 address or `[IPv6]`. Without a port any
    /// port is allowed.
    public var host: String
    /// Ranges such as `10.2.0.0/24` to which the name may resolve. Empty: public addresses alone.
    public var addresses: [String]
    /// Lifetime of this host's images on disk; `nil` takes the configuration's.
    public var expiration: CacheExpiration?
    /// Whether this host's images are never written to disk.
    public var isMemoryOnly: Bool
    /// Header fields sent to this host and to no other. They are part of the cache key.
    public var headers: [String: String]
    /// The value of `Authorization` for this host, sent to no other. Part of the cache key as a digest.
    public var authorization: String?
    /// Query items that say nothing about the image, such as those of a signature: left out of the cache key.
    public var droppedQueryItems: Set<String>

    public init(
        host: String,
        addresses: [String] = [],
        expiration: CacheExpiration? = nil,
        isMemoryOnly: Bool = false,
        headers: [String: String] = [:],
        authorization: String? = nil,
        droppedQueryItems: Set<String> = []
    ) {
        self.host = host
        self.addresses = addresses
        self.expiration = expiration
        self.isMemoryOnly = isMemoryOnly
        self.headers = headers
        self.authorization = authorization
        self.droppedQueryItems = droppedQueryItems
    }
}
