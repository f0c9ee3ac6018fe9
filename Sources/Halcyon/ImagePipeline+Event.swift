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
        case storage(isFault: Bool, description: String)
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
