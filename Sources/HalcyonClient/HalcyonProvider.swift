internal import HalcyonHTTP
internal import Synchronization

/// Runs endpoints against one Halcyon service, or answers with their samples.
///
///     let halcyon = try HalcyonProvider(baseURL: "https://photos.school.example", token: token)
///     let guidances = await halcyon.guidances()
///
/// One provider serves any number of tasks. Cancelling a task ends its request. Redirects are not followed: a token goes to
/// no address but the one that was given.
public final class HalcyonProvider: Sendable {
    /// Scheme, host and port, and a path that all of the service's paths stand below; without a slash at the end.
    public let baseURL: String
    public let configuration: HalcyonClientConfiguration
    private let base: CanonicalURL
    private let fetcher: Fetcher?
    private let token: Mutex<Secret?>

    /// - Parameters:
    ///   - baseURL: `nil` for the endpoints' own, which is where `halcyon serve` listens unless told otherwise.
    ///   - token: as from ``signIn(email:password:)`` or `halcyon users token`.
    public init(
        baseURL: String = HalcyonEndpoint.defaultBaseURL, token: Secret? = nil,
        configuration: HalcyonClientConfiguration = HalcyonClientConfiguration()
    ) throws(HalcyonClientProblem) {
        var text = baseURL
        while text.last == "/" { text.removeLast() }
        do { base = try CanonicalURL(text) } catch { throw .invalidBaseURL }
        guard !text.utf8.contains(where: { "?#".utf8.contains($0) }) else { throw .invalidBaseURL }
        let isLoopback = base.host == "localhost" || IPAddress(base.host)?.blockedClass == "loopback"
        guard base.scheme == "https" || isLoopback || configuration.allowsInsecureHTTP else {
            throw .insecure(host: base.host)
        }
        try Self.check(token)
        self.baseURL = text
        self.configuration = configuration
        self.token = Mutex(token)
        guard configuration.stub == .never else {
            fetcher = nil
            return
        }
        let fetching = try Self.fetching(base, token, configuration)
        do { fetcher = try Fetcher(configuration: fetching) } catch { throw .setup }
    }

    /// Scheme, host and port, for messages: without path and token.
    public var address: String { String(base.origin) }

    /// Signs requests with this token from here on; with `nil`, with none.
    public func use(token: Secret?) throws(HalcyonClientProblem) {
        try Self.check(token)
        try self.token.withLock { (current) throws(HalcyonClientProblem) in
            current = token
            if fetcher?.reconfigure(try Self.fetching(base, token, configuration)) != nil { throw .setup }
        }
    }

    /// Ends what is under way, and the thread. A provider that is dropped does the same.
    public func shutDown() async { await fetcher?.shutDown() }

    // MARK: Requests

    /// The value that the answer's envelope holds. For an answer whose value does not matter: ``NoContent``.
    public func request<Value: Decodable & Sendable>(
        _ target: some TargetType, as type: Value.Type = Value.self
    ) async -> NetworkResult<Value> {
        await sorted(target, as: type).map(\.value)
    }

    /// A part of a list, with the place where the next one begins.
    public func page<Item: Decodable & Sendable>(
        _ target: some TargetType, of type: Item.Type = Item.self
    ) async -> NetworkResult<Page<Item>> {
        await sorted(target, as: [Item].self).map { Page(items: $0.value, next: $0.next) }
    }

    /// A photo, or another answer that is no JSON.
    public func bytes(_ target: some TargetType) async -> NetworkResult<ReceivedBytes> {
        do throws(NetworkFailure) {
            return AnswerSorter(envelope: .bytes).sortBytes(try await answer(target))
        } catch { return .networkFailure(error) }
    }

    private func sorted<Value: Decodable & Sendable>(
        _ target: some TargetType, as type: Value.Type
    ) async -> NetworkResult<(value: Value, next: String?)> {
        do throws(NetworkFailure) {
            return AnswerSorter(envelope: target.envelope).sort(try await answer(target), as: type)
        } catch { return .networkFailure(error) }
    }

    private func answer(_ target: some TargetType) async throws(NetworkFailure) -> RawAnswer {
        guard let fetcher else { return try await sample(target) }
        let request = try RequestBuilder(base: base, configuration: configuration).request(target)
        do throws(FetchError) {
            return RawAnswer(try await fetcher.fetch(request))
        } catch { throw NetworkFailure(error) }
    }

    private func sample(_ target: some TargetType) async throws(NetworkFailure) -> RawAnswer {
        if case .delayed(let time) = configuration.stub {
            do { try await Task.sleep(for: time) } catch { throw NetworkFailure(.cancelled, "cancelled") }
        }
        return RawAnswer(
            status: 200, contentType: nil, entityTag: nil, placeholder: nil, body: target.sampleData)
    }

    // MARK: Setting up

    private static func check(_ token: Secret?) throws(HalcyonClientProblem) {
        guard let token else { return }
        let isToken = token.revealed.utf8.allSatisfy { 0x21...0x7E ~= $0 } && !token.revealed.isEmpty
        guard isToken else { throw .invalidToken }
    }

    private static func fetching(
        _ base: CanonicalURL, _ token: Secret?, _ configuration: HalcyonClientConfiguration
    ) throws(HalcyonClientProblem) -> FetchConfiguration {
        var rule: OriginRule
        do throws(OriginRuleProblem) {
            let host = base.host.contains(":") ? "[\(base.host)]" : base.host
            rule = try OriginRule(
                host: HostPattern(host), port: base.port,
                // The user named the service: it may be anywhere, on this machine too.
                ranges: [AddressRange("0.0.0.0/0"), AddressRange("::/0")])
        } catch { throw .invalidBaseURL }
        rule.credential = token.map { "Bearer \($0.revealed)" }
        var fetching = FetchConfiguration(policy: OriginPolicy(rules: [rule]))
        fetching.connectTimeout = configuration.connectTimeout
        fetching.totalTimeout = configuration.timeout
        fetching.retries = configuration.retries
        fetching.caFile = configuration.caFile
        fetching.maximumBodyBytes = configuration.maximumAnswerBytes
        fetching.maximumRedirects = 0
        // The timeout alone decides how slow a service may be, and each request is tried, whatever became of the others.
        fetching.lowSpeedBytesPerSecond = 0
        fetching.breakerThreshold = .max
        fetching.userAgent = "Halcyon-Client"
        return fetching
    }
}

extension HalcyonProvider: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "HalcyonProvider(\(base.redacted))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [("baseURL", base.redacted)]) }
}
