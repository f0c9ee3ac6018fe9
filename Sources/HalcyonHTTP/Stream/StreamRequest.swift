internal import Synchronization

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A request that is passed on as it came, its body while it comes in.
package struct StreamRequest: Sendable {
    package let id: UInt64
    /// Any token but CONNECT, sent as it is.
    package var method: String
    /// Scheme, host and port; its path is not used.
    package var origin: CanonicalURL
    /// Sent byte for byte.
    package var target: String
    /// Sent as they are, in this order. Length, transfer coding, connection and `Expect` are set by what follows.
    package var fields: HTTPFields
    package var body: BytePipe?
    /// In bytes; `nil` sends the body in chunks.
    package var bodyLength: Int?
    /// Asks before it sends the body (RFC 9110 §10.1.1); an origin that says nothing within a second gets it.
    package var expectsContinue = false
    /// Gets interim answers but 100, in their order, on the transfer thread.
    package var onInterim: (@Sendable (Int, HTTPFields) -> Void)?
    /// Called when the origin wants the body.
    package var onContinue: (@Sendable () -> Void)?

    private static let counter = Atomic<UInt64>(0)

    package init(method: String, origin: CanonicalURL, target: String, fields: HTTPFields) {
        id = Self.counter.add(1, ordering: .relaxed).newValue
        self.method = method
        self.origin = origin
        self.target = target
        self.fields = fields
    }

    /// What an origin may have acted on is not sent again by itself.
    var needsFreshConnection: Bool {
        body != nil || !["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(method)
    }
}

/// The header of an answer whose body still comes in.
package struct StreamResponse: Sendable {
    package var status: Int
    /// Every line as it came.
    package var fields: HTTPFields
    /// Of the body in bytes; `nil` if it is not known.
    package var contentLength: Int?
    package var requestTime: Date
    package var responseTime: Date
    /// Undecoded. Whoever reads it no more must abandon it: that ends the transfer.
    package var body: BytePipe

    package init(
        status: Int, fields: HTTPFields, contentLength: Int?, requestTime: Date, responseTime: Date, body: BytePipe
    ) {
        self.status = status
        self.fields = fields
        self.contentLength = contentLength
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.body = body
    }
}
