extension ImagePipeline {
    /// Why an image could not be had. Descriptions hold no paths, query strings or tokens.
    public struct Error: Swift.Error, Sendable, Hashable, CustomStringConvertible {
        public let reason: Reason
        /// What went wrong and, where there is one, the option that would change it.
        public let description: String
        /// The origin's status, where it answered.
        public let status: Int?
        /// When asking again may help.
        public let retryAfter: Duration?
        /// Whether the origin was asked for this answer, rather than memory or policy.
        package var wasForwarded = false

        /// A number that stays the same when names change: for logs and for programs.
        public var code: Int { reason.code }
        public var kind: Kind { reason.kind }

        package init(
            _ reason: Reason, _ description: String, status: Int? = nil, retryAfter: Duration? = nil
        ) {
            self.reason = reason
            self.description = description
            self.status = status
            self.retryAfter = retryAfter
        }
    }
}

extension ImagePipeline.Error {
    /// What a caller may do about it.
    public enum Kind: Sendable, Hashable {
        /// The request itself is wrong.
        case invalid
        /// The origin says that there is no such image.
        case missing
        /// The origin could not be reached, or answered with something other than an image.
        case unavailable
        case timeout
        /// Not allowed by the configuration.
        case refused
        case notCached
        /// Too much at once; see ``ImagePipeline/Error/retryAfter``.
        case overloaded
        case cancelled
    }

    /// The closed list of reasons. The text is what the server sends as `Halcyon-Reason`.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        case invalidURL = "invalid-url"
        case invalidOption = "invalid-option"
        case invalidVariant = "invalid-variant"
        case blockedHost = "blocked-host"
        case blockedAddress = "blocked-address"
        case blockedRedirect = "blocked-redirect"
        case missing = "missing"
        case originStatus = "origin-status"
        case timeout = "timeout"
        case connect = "connect"
        case resolve = "resolve"
        case tls = "tls"
        case tooLarge = "too-large"
        case truncated = "truncated"
        case redirects = "redirects"
        case protocolError = "protocol"
        case breakerOpen = "breaker-open"
        /// The request's ``ImageDataProvider`` threw.
        case provider = "provider"
        case empty = "empty"
        case notAnImage = "not-an-image"
        case tooManyPixels = "too-many-pixels"
        case tooManyFrames = "too-many-frames"
        case unsupportedImage = "unsupported-image"
        case malformedImage = "malformed-image"
        /// The image could not be decoded in time, or its decoder failed.
        case decoder = "decoder"
        case notCached = "not-cached"
        /// The index of the disk cache could not be changed.
        case storage = "storage"
        case overload = "overload"
        case cancelled = "cancelled"
        case shutDown = "shutting-down"
        /// A newer copy is being fetched (RFC 5861 §3): a stale answer's reason, never an error's.
        case revalidating = "revalidating"

        /// Numbers are never reused: thousands tell the phase, as in Kingfisher's table.
        public var code: Int {
            switch self {
            case .invalidURL: 1001
            case .invalidOption: 1002
            case .invalidVariant: 1003
            case .blockedHost: 2001
            case .blockedAddress: 2002
            case .blockedRedirect: 2003
            case .missing: 3001
            case .originStatus: 3002
            case .timeout: 3003
            case .connect: 3004
            case .resolve: 3005
            case .tls: 3006
            case .tooLarge: 3007
            case .truncated: 3008
            case .redirects: 3009
            case .protocolError: 3010
            case .breakerOpen: 3011
            case .provider: 3012
            case .empty: 4001
            case .notAnImage: 4002
            case .tooManyPixels: 4003
            case .tooManyFrames: 4004
            case .unsupportedImage: 4005
            case .malformedImage: 4006
            case .decoder: 4007
            case .notCached: 5001
            case .revalidating: 5002
            case .storage: 5003
            case .overload: 6001
            case .cancelled: 7001
            case .shutDown: 7002
            }
        }

        public var kind: Kind {
            switch self {
            case .invalidURL, .invalidOption, .invalidVariant: .invalid
            case .blockedHost, .blockedAddress, .blockedRedirect: .refused
            case .missing: .missing
            case .timeout: .timeout
            case .notCached: .notCached
            case .overload, .shutDown: .overloaded
            case .cancelled: .cancelled
            case .originStatus, .connect, .resolve, .tls, .tooLarge, .truncated, .redirects, .protocolError,
                .breakerOpen, .provider, .empty, .notAnImage, .tooManyPixels, .tooManyFrames, .unsupportedImage,
                .malformedImage, .decoder,
                .revalidating, .storage:
                .unavailable
            }
        }
    }
}
