internal import Synchronization

/// How much of a body has come.
package struct FetchProgress: Sendable, Hashable {
    /// Decoded bytes.
    package let receivedBytes: Int
    /// `nil` if the origin does not say.
    package let expectedBytes: Int?
}

/// A request of one URL: a GET unless ``method`` says otherwise.
package struct FetchRequest: Sendable {
    /// Tells requests apart, for ``Fetcher/raisePriority(of:)``. A copy has the same one: do not run it twice at a time.
    package let id: UInt64
    package var url: CanonicalURL
    /// Others than GET are never resumed by ranges. What is not idempotent is sent once, on a connection of its own: only
    /// if no byte of it went out is it tried again.
    package var method = FetchMethod.get
    /// Sent by every method but GET and HEAD; `nil` and empty are the same. Its `Content-Type` stands in ``fields``.
    package var body: [UInt8]?
    /// Sent besides those of the origin's rule. Connection fields, `Host`, `Cookie` and credentials are left out; on a
    /// redirect to another origin only conditions, ranges, `Accept…` and the type of a body go along.
    package var fields: HTTPFields
    package var priority: FetchPriority
    /// From submission to the last byte, queueing and retries included; `nil`: the configuration's.
    package var timeout: Duration?
    /// Attempts after the first; `nil`: the configuration's.
    package var retries: Int?
    /// Limit of the encoded and of the decoded body; `nil`: the configuration's.
    package var maximumBodyBytes: Int?
    /// Asks for gzip, brotli or zstd. Images are compressed already: off by default. What comes coded all the same is
    /// decoded, under the same limit.
    package var acceptsContentCodings = false
    /// Called on the transfer thread for each piece of a body: return at once.
    package var onProgress: (@Sendable (FetchProgress) -> Void)?
    /// Called on the transfer thread when the fields of a 2xx answer are in; `false` ends the transfer with
    /// ``FetchError/unacceptable`` before any of the body is read.
    package var acceptsContent: (@Sendable (HTTPFields, Int) -> Bool)?

    private static let counter = Atomic<UInt64>(0)

    package init(
        url: CanonicalURL, fields: HTTPFields = [], priority: FetchPriority = .interactive, timeout: Duration? = nil,
        retries: Int? = nil, maximumBodyBytes: Int? = nil, onProgress: (@Sendable (FetchProgress) -> Void)? = nil,
        acceptsContent: (@Sendable (HTTPFields, Int) -> Bool)? = nil
    ) {
        id = Self.counter.add(1, ordering: .relaxed).newValue
        self.url = url
        self.fields = fields
        self.priority = priority
        self.timeout = timeout
        self.retries = retries
        self.maximumBodyBytes = maximumBodyBytes
        self.onProgress = onProgress
        self.acceptsContent = acceptsContent
    }
}
