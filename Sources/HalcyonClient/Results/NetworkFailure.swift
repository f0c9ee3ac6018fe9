internal import HalcyonHTTP

/// Why there is no answer to go by.
public struct NetworkFailure: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case cancelled
        case timedOut
        /// No such host, no connection, or one that broke.
        case unreachable
        /// The certificate does not hold, or the handshake failed.
        case tls
        /// The service redirects: give its final address.
        case redirected
        case tooLarge
        /// An answer came whose status is none of those that ``NetworkResult`` names, such as 502 or 503.
        case status
        /// The request cannot be sent as it stands: a path with `.` or `..` as a segment, a body that JSON has no form for.
        case unsendable
        /// What came is not HTTP, or the client has been shut down.
        case broken
    }

    public let kind: Kind
    /// `nil` if no answer came.
    public let status: Int?
    /// Without path, query and token.
    public let description: String

    init(_ kind: Kind, status: Int? = nil, _ description: String) {
        self.kind = kind
        self.status = status
        self.description = description
    }

    init(_ error: FetchError) {
        let kind: Kind =
            switch error {
            case .cancelled: .cancelled
            case .timeout, .queueFull: .timedOut
            case .resolve, .connect, .truncated: .unreachable
            case .tls: .tls
            case .tooManyRedirects, .redirectWithoutLocation, .invalidRedirect, .refused: .redirected
            case .bodyTooLarge: .tooLarge
            default: .broken
            }
        let text =
            switch kind {
            case .redirected: "the server redirects; its final address is needed"
            case .timedOut: "the server took too long"
            default: "\(error)"
            }
        self.init(kind, text)
    }
}
