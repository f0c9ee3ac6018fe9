/// Why there is no answer from an origin. An HTTP status, whichever, is an answer.
package enum FetchError: Error, Sendable, Hashable {
    package enum RefusalReason: Sendable, Hashable {
        case hostNotAllowed
        /// The class, never the address.
        case addressBlocked(class: String)
        case redirectNotAllowed
        case schemeNotAllowed
    }

    package enum TimeoutPhase: String, Sendable, Hashable {
        case connect
        case total
        case lowSpeed
    }

    /// The policy forbids it. `hint` is the option that would allow it, with a host and never a path.
    case refused(RefusalReason, hint: String)
    /// A redirect to what cannot be read as a URL.
    case invalidRedirect(URLProblem)
    /// More hops than allowed (the number is the limit), or a loop.
    case tooManyRedirects(Int)
    case redirectWithoutLocation
    /// The name has no address (`CURLcode`).
    case resolve(Int)
    /// No connection, or it broke before an answer began (`CURLcode`).
    case connect(Int)
    /// The handshake or the certificate failed (`CURLcode`).
    case tls(Int)
    case timeout(phase: TimeoutPhase)
    /// The body, encoded or decoded, is larger than the limit in bytes; cut off there.
    case bodyTooLarge(limit: Int)
    /// The connection ended before the body did.
    case truncated
    /// A 206 that nobody asked for, or that does not continue what was received.
    case badPartial
    /// What came is not HTTP, or is coded in a way that cannot be decoded (`CURLcode`, 0 if it was our own judgement).
    case protocolError(Int)
    /// `FetchRequest.acceptsContent` said no.
    case unacceptable
    /// The host keeps failing and is left alone for a while.
    case breakerOpen(retryAfter: Duration)
    /// As many requests wait as may.
    case queueFull
    case cancelled
    case shutDown
    /// libcurl or the CA file could not be set up (`CURLcode` or `errno`).
    case setup(Int)

    /// Closed list, for the `Halcyon-Reason` field and for metrics.
    package var token: String {
        switch self {
        case .refused(.hostNotAllowed, _), .refused(.schemeNotAllowed, _): "blocked-host"
        case .refused(.addressBlocked, _): "blocked-address"
        case .refused(.redirectNotAllowed, _): "blocked-redirect"
        case .tooManyRedirects, .redirectWithoutLocation, .invalidRedirect: "redirects"
        case .resolve: "resolve"
        case .connect: "connect"
        case .tls: "tls"
        case .timeout: "timeout"
        case .bodyTooLarge: "too-large"
        case .truncated: "truncated"
        case .badPartial, .protocolError, .setup: "protocol"
        case .unacceptable: "not-an-image"
        case .breakerOpen, .queueFull, .shutDown: "overload"
        case .cancelled: "cancelled"
        }
    }

    /// A fault of the connection or the moment, which another attempt may not meet.
    var isTransient: Bool {
        switch self {
        case .resolve, .connect, .timeout, .truncated: true
        // The handshake broke off; a certificate that does not hold will not hold next time either.
        case .tls(let code): code == 35
        default: false
        }
    }
}

extension FetchError: CustomStringConvertible {
    /// Without path and query of the URL.
    package var description: String {
        switch self {
        case .refused(.hostNotAllowed, let hint): "the host is not an allowed origin; \(hint) would allow it"
        case .refused(.addressBlocked(let name), let hint):
            "the host has a \(name) address, which is not allowed; \(hint) would allow it"
        case .refused(.redirectNotAllowed, let hint):
            "the origin redirects to a host that is not allowed; \(hint) would allow it"
        case .refused(.schemeNotAllowed, _): "only http and https are fetched"
        case .invalidRedirect(let problem): "a redirect that cannot be followed: \(problem)"
        case .tooManyRedirects(let limit): "more than \(limit) redirects, or a loop of them"
        case .redirectWithoutLocation: "a redirect that does not say where to"
        case .resolve(let code): "the host name could not be resolved (curl \(code))"
        case .connect(let code): "the connection failed (curl \(code))"
        case .tls(let code): "TLS failed (curl \(code))"
        case .timeout(.connect): "connecting took too long"
        case .timeout(.total): "the origin took too long"
        case .timeout(.lowSpeed): "the origin sent too slowly"
        case .bodyTooLarge(let limit): "the body is larger than \(limit) bytes"
        case .truncated: "the connection ended before the body did"
        case .badPartial: "the origin sent a part that does not fit"
        case .protocolError(let code): "the answer is not proper HTTP (curl \(code))"
        case .unacceptable: "the content is not wanted"
        case .breakerOpen: "the origin keeps failing and is left alone for a while"
        case .queueFull: "too many requests are waiting"
        case .cancelled: "cancelled"
        case .shutDown: "shutting down"
        case .setup(let code): "the fetcher could not be set up (\(code))"
        }
    }
}
