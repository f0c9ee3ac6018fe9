internal import Halcyon

/// How far a prefetch has come. The numbers add up to `done`, and in the end to `total`.
struct JobReport: Encodable, Sendable {
    struct Failure: Encodable, Sendable {
        /// Student or URL, as asked.
        let id: String
        let reason: String
    }

    /// Failures beyond these are counted, not listed.
    static let listedFailures = 100

    let id: String
    let total: Int
    var state = "running"
    var done = 0
    var fetched = 0
    var revalidated = 0
    var alreadyFresh = 0
    var noPhoto = 0
    var missing = 0
    var timedOut = 0
    var refused = 0
    var notAnImage = 0
    var failedOtherwise = 0
    var cancelled = 0
    var bytes = 0
    var failures: [Failure] = []

    init(id: String, total: Int) {
        self.id = id
        self.total = total
    }

    mutating func add(_ outcome: ImagePrefetcher.Outcome) {
        done += 1
        switch outcome {
        case .fetched(let size):
            fetched += 1
            bytes += size
        case .revalidated: revalidated += 1
        case .alreadyFresh: alreadyFresh += 1
        case .noPhoto: noPhoto += 1
        case .notKept(let size):
            failedOtherwise += 1
            bytes += size
        case .cancelled: cancelled += 1
        case .failed(let error): add(error)
        }
    }

    private mutating func add(_ error: ImagePipeline.Error) {
        switch error.reason {
        case .missing: missing += 1
        case .timeout: timedOut += 1
        case .blockedHost, .blockedAddress, .blockedRedirect: refused += 1
        case .empty, .notAnImage, .tooManyPixels, .tooManyFrames, .unsupportedImage, .malformedImage: notAnImage += 1
        default: failedOtherwise += 1
        }
    }

    mutating func finish(_ summary: ImagePrefetcher.Summary) {
        state = summary.cancelled > 0 ? "cancelled" : summary.isComplete ? "done" : "failed"
        failures = summary.failures.prefix(Self.listedFailures)
            .map { Failure(id: $0.id, reason: $0.error.reason.rawValue) }
    }
}
