/// What became of one photo of a prefetch. Each input has exactly one, so that the numbers add up to the input.
enum PrefetchOutcome: String, CaseIterable, Sendable {
    case fetched
    case revalidated
    case fresh
    /// The record has no photo URL.
    case noPhoto
    /// 404 or 410.
    case missing
    case timedOut
    case refused
    case notAnImage
    case failed
    /// The prefetch was interrupted before it came to this one.
    case notReached

    var label: String {
        switch self {
        case .fetched: "fetched"
        case .revalidated: "revalidated"
        case .fresh: "already fresh"
        case .noPhoto: "no photo"
        case .missing: "missing (404, 410)"
        case .timedOut: "timed out"
        case .refused: "refused by policy"
        case .notAnImage: "not an image"
        case .failed: "failed otherwise"
        case .notReached: "not reached"
        }
    }

    /// Whether a photo that should be there was not had. A pupil without a photo lacks nothing.
    var isFailure: Bool {
        switch self {
        case .fetched, .revalidated, .fresh, .noPhoto: false
        case .missing, .timedOut, .refused, .notAnImage, .failed, .notReached: true
        }
    }
}
