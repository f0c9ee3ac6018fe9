/// How a ``HalcyonProvider`` behaves.
public struct HalcyonClientConfiguration: Sendable {
    /// What answers instead of the service.
    public enum Stub: Sendable, Hashable {
        /// Nothing: requests go out.
        case never
        /// ``TargetType/sampleData``, under status 200.
        case immediate
        /// The same after a while.
        case delayed(Duration)
    }

    public var stub = Stub.never
    /// Of a whole request, retries included.
    public var timeout: Duration = .seconds(30)
    public var connectTimeout: Duration = .seconds(5)
    /// Attempts after the first, for what may be asked twice (RFC 9110 §9.2.2): never a POST or PATCH that went out.
    public var retries = 2
    /// PEM certificates trusted besides those of the system.
    public var caFile: String?
    /// Sends tokens, passwords and records in clear to a host that is not this machine. Without it such an address is
    /// refused.
    public var allowsInsecureHTTP = false
    /// A longer answer is cut off and is a failure.
    public var maximumAnswerBytes = 256 << 20

    public init() {}
}

/// Why there is no provider for an address.
public enum HalcyonClientProblem: Error, Sendable, Hashable, CustomStringConvertible {
    case invalidBaseURL
    /// Plain http to another machine.
    case insecure(host: String)
    /// A line break or another control character in it.
    case invalidToken
    /// The certificates cannot be read, or libcurl does not work.
    case setup

    public var description: String {
        switch self {
        case .invalidBaseURL: "no http or https address: https://photos.school.example"
        case .insecure(let host): "http:// would send token and records in clear to \(host): use https"
        case .invalidToken: "the token has characters that no token has"
        case .setup: "the certificates cannot be read"
        }
    }
}
