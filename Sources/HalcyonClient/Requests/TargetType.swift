public import Foundation

/// One request that a ``HalcyonProvider`` can run, in the manner of Moya. ``HalcyonEndpoint`` has those of Halcyon itself.
public protocol TargetType: Sendable {
    /// Where the service is, such as `https://photos.school.example`. A provider that was given a base URL uses its own.
    var baseURL: String { get }
    /// Begins with `/`, its segments percent-encoded: ``PathText/joined(_:)`` does that.
    var path: String { get }
    var method: RequestMethod { get }
    var task: RequestTask { get }
    /// Header fields. The token of the provider goes besides; `Authorization`, `Cookie` and fields of the connection are
    /// left out.
    var headers: [String: String] { get }
    /// How answers are wrapped.
    var envelope: AnswerEnvelope { get }
    /// A successful answer, whole, for tests and previews.
    var sampleData: Data { get }
}

extension TargetType {
    public var headers: [String: String] { [:] }
    public var envelope: AnswerEnvelope { .records }
}

/// What an answer is wrapped in.
public enum AnswerEnvelope: Sendable, Hashable {
    /// `{"isSuccess", "code", "message", "result"}`
    case records
    /// `{"status", "success", "message", "data"}`
    case users
    /// None; failures are `{"error"}`.
    case bare
    /// Bytes that are no JSON: photos, metrics. Failures come as for `records`.
    case bytes
}
