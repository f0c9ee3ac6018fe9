internal import HalcyonHTTP
internal import HalcyonStore

extension ImagePipeline {
    /// Something that happened, for logs. Holds host names, never paths or query strings.
    public enum Event: Sendable {
        case fetched(Transfer)
        case failed(host: String, Error.Reason)
        /// A copy past its expiry was answered because no newer one could be had.
        case servedStale(host: String, Error.Reason)
        /// Something about the disk cache, in words.
        case storage(StorageEvent)
    }

    /// What happened to the disk cache.
    public struct StorageEvent: Sendable, Hashable {
        /// Whether somebody should look at it.
        public let isFault: Bool
        public let description: String

        init(isFault: Bool, description: String) {
            self.isFault = isFault
            self.description = description
        }

        init(_ event: StoreEvent) {
            switch event {
            case .unavailable(let failure):
                self.init(isFault: true, description: "disk cache off, images are kept in memory alone: \(failure)")
            case .recovered: self.init(isFault: false, description: "disk cache on again")
            case .writeFailed(let failure): self.init(isFault: true, description: "an image was not kept: \(failure)")
            case .entryDamaged(let kind):
                self.init(isFault: true, description: "a kept image was \(kind.rawValue) and was removed")
            case .indexReplaced:
                self.init(isFault: true, description: "the cache index could not be read and is being rebuilt")
            case .indexRebuilt(let entries, let dropped):
                self.init(isFault: false, description: "cache index rebuilt: \(entries) images, \(dropped) dropped")
            case .orphansRemoved(let count, let bytes):
                self.init(isFault: false, description: "\(count) files without a row removed, \(bytes) bytes")
            case .evicted(let count, let bytes):
                self.init(isFault: false, description: "\(count) images removed for room, \(bytes) bytes")
            }
        }
    }

    /// What one answer of an origin cost.
    public struct Transfer: Sendable, Hashable {
        public let host: String
        public let status: Int
        public let bodyBytes: Int
        public let nameLookup: Duration
        public let connect: Duration
        public let tls: Duration
        public let firstByte: Duration
        public let total: Duration
        public let isReusedConnection: Bool
        public let redirects: Int
        public let attempts: Int

        init(host: String, response: FetchResponse) {
            let metrics = response.metrics
            self.host = host
            self.status = response.status
            self.bodyBytes = metrics.bodyBytes
            self.nameLookup = metrics.nameLookup
            self.connect = metrics.connect
            self.tls = metrics.tls
            self.firstByte = metrics.firstByte
            self.total = metrics.total
            self.isReusedConnection = metrics.isReusedConnection
            self.redirects = metrics.redirects
            self.attempts = metrics.attempts
        }
    }
}
