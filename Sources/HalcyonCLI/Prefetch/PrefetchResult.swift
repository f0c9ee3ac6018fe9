internal import Halcyon
internal import HalcyonHTTP

/// One photo's outcome in the groups of the summary.
struct PrefetchResult: Sendable, Equatable {
    var outcome: PrefetchOutcome
    /// That came from the origin.
    var bytes = 0
    var reason = ""
    /// The option that would allow the photo's host, if that is what is missing.
    var missingOrigin: String?
    var isKept = true
}

extension PrefetchResult {
    init(_ outcome: ImagePrefetcher.Outcome, of item: ImagePrefetcher.Item, policy: OriginPolicy) {
        switch outcome {
        case .fetched(let bytes): self.init(outcome: .fetched, bytes: bytes)
        case .revalidated: self.init(outcome: .revalidated)
        case .alreadyFresh: self.init(outcome: .fresh)
        case .noPhoto: self.init(outcome: .noPhoto)
        case .notKept(let bytes): self.init(outcome: .fetched, bytes: bytes, isKept: false)
        case .cancelled: self.init(outcome: .notReached, reason: "interrupted")
        case .failed(let error):
            self.init(outcome: PrefetchOutcome(error.reason), reason: error.description)
            if error.reason == .blockedHost, let url = item.url { missingOrigin = policy.missingOption(for: url) }
        }
    }
}

extension PrefetchOutcome {
    init(_ reason: ImagePipeline.Error.Reason) {
        switch reason {
        case .missing: self = .missing
        case .timeout: self = .timedOut
        case .blockedHost, .blockedAddress, .blockedRedirect: self = .refused
        case .empty, .notAnImage, .unsupportedImage, .malformedImage, .decoder: self = .notAnImage
        case .cancelled: self = .notReached
        case .invalidURL, .invalidOption, .invalidVariant, .originStatus, .connect, .resolve, .tls, .tooLarge,
            .tooManyPixels,
            .tooManyFrames, .truncated, .redirects, .protocolError, .breakerOpen, .provider, .notCached, .revalidating,
            .storage,
            .overload, .shutDown:
            self = .failed
        }
    }
}
