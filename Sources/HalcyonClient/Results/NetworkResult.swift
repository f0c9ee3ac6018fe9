/// What a request came to, sorted as the sign-in app sorts it. The first that fits:
///
/// 1. no answer at all: ``networkFailure(_:)``;
/// 2. an answer that cannot be decoded: ``pathError(status:)``;
/// 3. status 200–299: ``success(_:)``;
/// 4. status 400–499: ``requestError(_:)``;
/// 5. status 500: ``serverError(_:)``;
/// 6. any other status: ``networkFailure(_:)``.
public enum NetworkResult<Value: Sendable>: Sendable {
    case success(Value)
    /// The service refused the request and says why.
    case requestError(Refusal)
    /// What answered is not the service, or not the version this client knows.
    case pathError(status: Int)
    case serverError(Refusal)
    case networkFailure(NetworkFailure)

    /// For callers that only want the value.
    public func get() throws(RequestFailure) -> Value {
        switch self {
        case .success(let value): value
        case .requestError(let refusal): throw .refused(refusal)
        case .pathError(let status): throw .notUnderstood(status: status)
        case .serverError(let refusal): throw .server(refusal)
        case .networkFailure(let failure): throw .network(failure)
        }
    }

    public func map<Other: Sendable>(_ transform: (Value) -> Other) -> NetworkResult<Other> {
        switch self {
        case .success(let value): .success(transform(value))
        case .requestError(let refusal): .requestError(refusal)
        case .pathError(let status): .pathError(status: status)
        case .serverError(let refusal): .serverError(refusal)
        case .networkFailure(let failure): .networkFailure(failure)
        }
    }
}

/// Why the service did not do what was asked.
public struct Refusal: Sendable, Hashable {
    public let status: Int
    /// Of the records envelope: 2001 missing, 2003 out of range, 3001 not found…; `nil` in the others.
    public let code: Int?
    /// Names the field and what is accepted.
    public let message: String

    public init(status: Int, code: Int? = nil, message: String) {
        self.status = status
        self.code = code
        self.message = message
    }
}

/// The ways in which ``NetworkResult/get()`` fails.
public enum RequestFailure: Error, Sendable, Hashable, CustomStringConvertible {
    case refused(Refusal)
    case notUnderstood(status: Int)
    case server(Refusal)
    case network(NetworkFailure)

    public var description: String {
        switch self {
        case .refused(let refusal): refusal.message
        case .notUnderstood(let status): "what answered is not Halcyon, or another version of it (status \(status))"
        case .server(let refusal): "the server failed: \(refusal.message)"
        case .network(let failure): failure.description
        }
    }
}
