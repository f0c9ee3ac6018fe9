#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A request on its way through queueing, redirects and retries. Belongs to the transfer thread.
final class FetchJob {
    let request: FetchRequest
    private let continuation: CheckedContinuation<Result<FetchResponse, FetchError>, Never>
    let submitted: Duration
    let deadline: Duration
    let limit: Int
    var retriesLeft: Int

    private(set) var url: CanonicalURL
    private(set) var method: FetchMethod
    private(set) var body: [UInt8]
    private(set) var rule: OriginRule?
    private(set) var ranges: [AddressRange] = []
    /// Of the rule's fields and credentials: `false` for a hop that they were not meant for.
    private var mayUseCredentials = true
    private var hasLeftOrigin = false
    private var visited: [CanonicalURL] = []
    /// How many of them were asked with another method: to come back to one of these is no loop.
    private var visitedOtherwise = 0

    var partial: PartialBody?
    /// The latest answer that was worth a retry, given if no better one comes in time.
    var lastAnswer: FetchResponse?
    var lastError: FetchError?
    var metrics = TransferMetrics()
    /// A kept connection had an address that is not allowed any more.
    var mayNotReuse = false
    /// When its first transfer began; `nil` while it has only waited for its turn.
    var firstStarted: Duration?
    /// The easy handle that carries it now.
    var transfer: EasyTransfer?

    init(_ submission: TransferInbox.Submission, configuration: FetchConfiguration, now: Duration) {
        request = submission.request
        continuation = submission.continuation
        submitted = now
        deadline = now + (request.timeout ?? configuration.totalTimeout)
        limit = request.maximumBodyBytes ?? configuration.maximumBodyBytes
        retriesLeft = request.retries ?? configuration.retries
        url = request.url
        method = request.method
        body = request.body ?? []
        metrics.attempts = 1
    }

    /// What limits and breakers count by.
    var host: String { "\(url.host):\(url.port)" }

    var requestsRange: Bool { request.fields.contains("Range") }

    /// libcurl sends a request again by itself, whatever its method, if a kept connection ends before an answer begins.
    /// The origin may have acted on it by then.
    var needsFreshConnection: Bool { mayNotReuse || !method.isIdempotent }

    /// Asks the policy about the present URL.
    func authorize(_ policy: OriginPolicy) throws(FetchError) {
        ranges = try policy.check(url, isRedirect: !visited.isEmpty)
        rule = policy.rule(for: url)
    }

    /// Goes on to the target of a redirect, which ``authorize(_:)`` has yet to allow.
    func follow(
        _ location: String, status: Int, maximum: Int, policy: OriginPolicy
    ) throws(FetchError) {
        guard visited.count < maximum else { throw .tooManyRedirects(maximum) }
        let target: CanonicalURL
        do {
            target = try url.resolving(location)
        } catch .unsupportedScheme {
            throw .refused(.schemeNotAllowed, hint: "")
        } catch {
            throw .invalidRedirect(error)
        }
        visited.append(url)
        let next = method.following(status: status)
        if next != method {
            method = next
            body = []
            visitedOtherwise = visited.count
        }
        guard !visited[visitedOtherwise...].contains(target) else { throw .tooManyRedirects(maximum) }
        if target.origin != url.origin {
            hasLeftOrigin = true
            partial = nil
            // Another origin has credentials only if a rule of its own gives it some, and never on the way down to http.
            // The same rule counts as its own if it names the port.
            let next = policy.rule(for: target)
            let isOwn = next != rule || next?.port != nil
            mayUseCredentials = isOwn && !(url.scheme == "https" && target.scheme == "http")
        }
        url = target
        metrics.redirects += 1
        metrics.hops = visited.map(\.redacted)
    }

    /// The fields of the next request, besides those that curl adds.
    var requestLines: [HTTPFields.Line] {
        var lines: [HTTPFields.Line] = []
        for line in request.fields.lines where RequestFieldFilter.passes(line, hasLeftOrigin: hasLeftOrigin) {
            if method == request.method || !RequestFieldFilter.describesBody(line) { lines.append(line) }
        }
        if mayUseCredentials, let rule {
            lines += rule.requestFields.lines.filter(\.isWellFormed)
            if let credential = rule.credential { lines.append(.init(name: "Authorization", value: credential)) }
        }
        if let partial { lines += partial.requestFields.map { .init(name: $0.0, value: $0.1) } }
        return lines
    }

    func finish(_ result: Result<FetchResponse, FetchError>) {
        continuation.resume(returning: result)
    }
}
