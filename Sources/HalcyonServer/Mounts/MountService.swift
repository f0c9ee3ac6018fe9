internal import Foundation
internal import Halcyon
internal import HalcyonHTTP
internal import HalcyonRecords
internal import HalcyonStore
internal import Synchronization

/// The reverse proxy: whatever lies below a mount goes to its origin, and what may be stored is (RFC 9111, as a shared cache).
///
/// The steps of a GET: what is stored (``ResponseShelf``), what the rules say of it (`Reuse`), one request to the origin
/// however many wait (``MountFlights``), what may be kept of its answer (`Storability`), and the answer.
final class MountService: Sendable {
    let mounts: [Mount]
    let access: AccessControl
    let cache: ResponseCache
    private let client: StreamClient?
    let settings: SettingsBox
    let logger: Logger
    let targets: TargetTable
    let flights = MountFlights()
    /// Bytes of bodies that are held until they are stored.
    private let retained = Atomic<Int>(0)
    private static let maximumRetained = 128 << 20
    /// More than that of servers like this one in a row are a circle.
    private static let maximumPasses = 10

    init(
        mounts: [Mount], access: AccessControl, pipeline: ImagePipeline, client: StreamClient?,
        targets: TargetTable, settings: SettingsBox, logger: Logger
    ) {
        self.mounts = mounts.sorted { $0.prefix.utf8.count > $1.prefix.utf8.count }
        self.access = access
        self.cache = pipeline.responses
        self.client = client
        self.targets = targets
        self.settings = settings
        self.logger = logger
    }

    /// Called on the I/O thread.
    func mount(for rawTarget: [UInt8]) -> Mount? {
        guard !mounts.isEmpty else { return nil }
        let path = Mount.path(rawTarget)
        guard path.first == "/" else { return nil }
        return mounts.first { mount in
            guard mount.target(of: path) != nil else { return false }
            guard mount.prefix.isEmpty else { return true }
            let first = path.dropFirst().prefix { $0 != "/" && $0 != "?" }
            return !Server.ownSegments.contains(String(first))
        }
    }

    func answer(to request: MountRequest) async -> HTTPAnswer {
        var user: User?
        if !request.mount.policy.isPublic {
            do throws(Problem) {
                user = try access.check(.role(.viewer), request.fields)
            } catch {
                return error.answer(in: .bare).of(.mount)
            }
        }
        guard request.method != "CONNECT" else {
            return Problem(501, .notAllowed, "CONNECT is not known here").answer(in: .bare).of(.mount)
        }
        var fields = Intermediary.request(
            request.fields, client: request.client, isTLS: request.isTLS, version: request.isHTTP10 ? "1.0" : "1.1")
        // A token of Halcyon's is not the origin's to see.
        if user != nil {
            fields.remove("Authorization")
            fields.remove("token")
        }
        guard request.fields.lines.allSatisfy(\.isWellFormed) else {
            return Problem(400, .wrongType, "a field's name is no token (RFC 9110 §5.6.2)").answer(in: .bare).of(.mount)
        }
        if Intermediary.passes(request.fields) >= Self.maximumPasses {
            return Problem(508, .originFailed, "the mount leads back to this server").answer(in: .bare).of(.mount)
        }
        if let answer = Self.countDown(request, &fields) { return answer }
        guard let exchange = MountExchange(request, fields: fields) else {
            return Problem.notFound("there is nothing at this path").answer(in: .bare).of(.mount)
        }
        guard let key = exchange.key, exchange.isReadOnly && request.body == nil || exchange.method == "POST" else {
            return await pass(exchange, exchange.streamRequest(), reason: exchange.isReadOnly ? .bypass : .method)
        }
        let load = MountLoad(service: self, exchange: exchange, key: key, isOwnToken: user != nil)
        return exchange.isReadOnly ? await load.answer() : await load.post()
    }

    /// RFC 9110 §7.6.2.
    private static func countDown(_ request: MountRequest, _ fields: inout HTTPFields) -> HTTPAnswer? {
        guard ["TRACE", "OPTIONS"].contains(request.method), let text = fields.first("Max-Forwards"),
            let left = Int(text), left >= 0
        else { return nil }
        guard left == 0 else {
            fields["Max-Forwards"] = "\(left - 1)"
            return nil
        }
        return request.method == "OPTIONS"
            ? HTTPAnswer(status: 204).of(.mount)
            : Problem(501, .notAllowed, "TRACE is not answered here").answer(in: .bare).of(.mount)
    }

    // MARK: Requests to the origin

    func open(_ exchange: MountExchange, _ stream: StreamRequest) async -> Result<StreamResponse, FetchError> {
        var stream = stream
        stream.body = exchange.request.body
        stream.bodyLength = exchange.request.bodyLength
        stream.expectsContinue = exchange.request.expectsContinue
        stream.onContinue = exchange.request.proceed
        if let send = exchange.request.sendInterim {
            stream.onInterim = { status, fields in
                let lines = Intermediary.endToEnd(fields).lines.map { "\($0.name): \($0.value)\r\n" }.joined()
                send(Array("HTTP/1.1 \(status) \r\n\(lines)\r\n".utf8))
            }
        }
        guard let client else { return .failure(.setup(0)) }
        do throws(FetchError) { return .success(try await client.open(stream)) } catch { return .failure(error) }
    }

    /// Without the caches, but for what the answer makes invalid.
    func pass(
        _ exchange: MountExchange, _ stream: StreamRequest, reason: CacheStatus.Reason
    ) async -> HTTPAnswer {
        switch await open(exchange, stream) {
        case .failure(let error):
            exchange.request.body?.abandon()
            return MountAnswer.failed(error)
        case .success(let response):
            await invalidate(after: response, exchange)
            return passed(response, exchange, CacheStatus(.forwarded(reason), forwardedStatus: response.status))
        }
    }

    func passed(_ response: StreamResponse, _ exchange: MountExchange, _ status: CacheStatus) -> HTTPAnswer {
        let body: HTTPAnswer.Body
        if exchange.isHead {
            response.body.abandon()
            body = .omitted(length: response.contentLength)
        } else if [204, 205, 304].contains(response.status) {
            response.body.abandon()
            body = .bytes([])
        } else {
            body = .source(response.body, length: response.contentLength)
        }
        return MountAnswer.head(response.status, response.fields, status, body: body, source: .origin)
    }

    /// The number of URLs that it makes invalid.
    @discardableResult func invalidate(after response: StreamResponse, _ exchange: MountExchange) async -> Int {
        guard let url = exchange.url else { return 0 }
        let targets = Invalidation.targets(
            method: exchange.method, url: url, status: response.status, fields: response.fields)
        for target in targets {
            let dropped = target.droppingQueryItems(named: exchange.mount.policy.ignoredQueryItems)
            var key = CacheKey.response(url: dropped.text, mount: exchange.mount.path)
            if target == url, let own = exchange.key { key = own }
            flights.noteInvalidation(key)
            let shelf = shelf(key, exchange.mount)
            if await shelf.isEmpty { continue }
            do { try await shelf.invalidate() } catch {
                logger.log(.error, "invalidation", ["problem": .text("\(error)")])
            }
        }
        return targets.count
    }

    func shelf(_ key: CacheKey, _ mount: Mount) -> ResponseShelf {
        ResponseShelf(cache: cache, key: key, mount: mount, now: settings.current.now)
    }

    /// For the requests that go out from now on.
    func reconfigure(_ configuration: FetchConfiguration) {
        client?.reconfigure(Mount.fetchConfiguration(mounts, configuration))
    }

    /// Ends what is under way with the origins, for ever. Blocks until it has.
    func shutDown() { client?.shutDown() }

    // MARK: Memory

    func retain(_ bytes: Int) -> Bool {
        guard retained.add(bytes, ordering: .relaxed).newValue <= Self.maximumRetained else {
            retained.subtract(bytes, ordering: .relaxed)
            return false
        }
        return true
    }

    func release(_ bytes: Int) { retained.subtract(bytes, ordering: .relaxed) }
}
