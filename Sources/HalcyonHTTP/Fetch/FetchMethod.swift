/// The method of a ``FetchRequest`` (RFC 9110 §9.3; PATCH: RFC 5789).
package enum FetchMethod: String, Sendable, Hashable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"

    /// To ask twice does what asking once does (RFC 9110 §9.2.2): such a request may be repeated when nobody knows whether
    /// it was acted on.
    package var isIdempotent: Bool {
        switch self {
        case .get, .head, .put, .delete: true
        case .post, .patch: false
        }
    }

    /// What the target of a redirect is asked with: 303 turns all but HEAD into GET, 301 and 302 turn POST into GET, 307
    /// and 308 change nothing (RFC 9110 §15.4.2–§15.4.9).
    func following(status: Int) -> FetchMethod {
        switch status {
        case 303 where self != .head: .get
        case 301 where self == .post, 302 where self == .post: .get
        default: self
        }
    }
}
