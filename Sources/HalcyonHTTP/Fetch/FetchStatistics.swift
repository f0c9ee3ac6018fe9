/// What a ``Fetcher`` has done since it was made, and what it is doing.
package struct FetchStatistics: Sendable, Hashable {
    /// Answers given to callers, by class of status.
    package var informational = 0
    package var successes = 0
    package var redirections = 0
    package var clientErrors = 0
    package var serverErrors = 0
    /// Errors given to callers, by ``FetchError/token``.
    package var failures: [String: Int] = [:]
    /// Transfers started, retries and redirect hops included.
    package var transfers = 0
    package var reusedConnections = 0
    package var retries = 0
    package var resumes = 0
    package var redirects = 0
    package var bodyBytes = 0

    package var running = 0
    package var queued = 0
    package var waitingForRetry = 0
    package var openBreakers = 0
    /// How long the oldest running transfer has been running; `nil` if none is.
    package var oldestRunning: Duration?
    package var maximumConcurrent = 0

    /// Whether every place has been taken for longer than any transfer may take.
    package func isStuck(deadline: Duration) -> Bool {
        running > 0 && running >= maximumConcurrent && (oldestRunning ?? .zero) > deadline
    }

    mutating func count(status: Int) {
        switch status {
        case ..<200: informational += 1
        case ..<300: successes += 1
        case ..<400: redirections += 1
        case ..<500: clientErrors += 1
        default: serverErrors += 1
        }
    }
}
