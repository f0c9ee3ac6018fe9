internal import Halcyon

/// Why there is no photo to send: the status, the cause and a token from a closed list.
struct PhotoFailure {
    let cause: PlaceholderPolicy.Cause
    let token: String
    /// Whether the origin was asked for this very answer.
    let wasForwarded: Bool
    /// Whole seconds until asking again may help; `nil` if that is not known.
    let secondsLeft: Int?

    static let noPhoto = PhotoFailure(cause: .noPhoto, token: "no-photo", wasForwarded: false, secondsLeft: nil)

    private init(cause: PlaceholderPolicy.Cause, token: String, wasForwarded: Bool, secondsLeft: Int?) {
        self.cause = cause
        self.token = token
        self.wasForwarded = wasForwarded
        self.secondsLeft = secondsLeft
    }

    /// `nil` for failures of this service or of the request, which no placeholder covers up.
    init?(_ error: ImagePipeline.Error) {
        let cause: PlaceholderPolicy.Cause
        switch error.kind {
        case .missing: cause = .missing
        case .unavailable: cause = .unavailable
        case .timeout: cause = .timeout
        case .refused: cause = .refused
        case .invalid: cause = .refused
        case .notCached, .overloaded, .cancelled: return nil
        }
        self.init(
            cause: cause, token: error.reason.rawValue, wasForwarded: error.wasForwarded,
            secondsLeft: error.retryAfter.map { Int($0.components.seconds) })
    }

    /// Whether a failure of this kind comes about without a request to the origin.
    static func asksNobody(_ reason: ImagePipeline.Error.Reason) -> Bool {
        switch reason {
        case .invalidURL, .invalidOption, .blockedHost, .breakerOpen, .provider, .overload, .shutDown, .revalidating:
            true
        default: false
        }
    }

    /// Without a placeholder: missing 404, bad or refused 502, slow 504.
    var status: Int {
        switch cause {
        case .noPhoto, .missing: 404
        case .unavailable, .refused: 502
        case .timeout: 504
        }
    }

    var code: AnswerCode {
        switch cause {
        case .noPhoto, .missing: .notFound
        case .unavailable, .refused: .originFailed
        case .timeout: .originTooSlow
        }
    }

    /// The value of `X-Halcyon-Placeholder`: whether there is no photo, or it cannot be had now.
    var placeholderKind: String {
        switch cause {
        case .noPhoto, .missing: "no-photo"
        case .unavailable, .refused, .timeout: "unavailable"
        }
    }

    var message: String {
        switch cause {
        case .noPhoto: "the student has no photo"
        case .missing: "the origin has no such photo"
        case .unavailable: "the photo could not be had from its origin: \(token)"
        case .refused: "the configuration does not allow this photo to be fetched: \(token)"
        case .timeout: "the origin took too long"
        }
    }
}
