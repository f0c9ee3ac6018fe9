internal import CMicroHTTPD
internal import Foundation
internal import Glibc
internal import Halcyon
internal import HalcyonStore
internal import Synchronization

/// What the server serves: the hit path on the I/O thread, the routes for all else, counters and the access log.
final class Site: ExchangeHandler {
    private let counters: ServerCounters
    private let photos: PhotoService
    private let router: Router
    private let settings: SettingsBox
    private let logger: Logger

    private let mounts: MountService

    init(
        photos: PhotoService, mounts: MountService, router: Router, settings: SettingsBox, counters: ServerCounters,
        logger: Logger
    ) {
        self.counters = counters
        self.photos = photos
        self.mounts = mounts
        self.router = router
        self.settings = settings
        self.logger = logger
    }

    // MARK: The hit path

    func knownTarget(_ raw: UnsafeRawBufferPointer) -> (any KnownTarget)? { photos.targets.target(raw) }

    func immediateAnswer(_ exchange: Exchange, handle: OpaquePointer) -> PreparedResponse? {
        guard exchange.method != .other, let target = exchange.known as? PhotoTarget,
            router.access.grantsWithoutToken(target.access)
                || router.access.grantsKnownToken(target.access, handle)
        else { return nil }
        let second = time(nil)
        if target.mount != nil { return mountHit(target, exchange, second: second) }
        guard let entry = photos.memoryEntry(for: target, exchange.header, handle, second: second) else { return nil }
        exchange.route = target.route
        exchange.source = .memory
        // A signed URL that soon ends gets an answer of its own: the prepared one may be used for longer.
        let isEndingSoon =
            target.validUntil != .max && target.validUntil - second < settings.current.clientSeconds
        if !isEndingSoon, exchange.header.isDisjoint(with: [.conditions, .range]) {
            exchange.status = 200
            exchange.byteCount = entry.bytes.count
            return PreparedPhoto.of(
                entry, isNegotiated: target.acceptedKeys != nil, second: second,
                clientSeconds: settings.current.clientSeconds)
        }
        let answer = PhotoAnswer(
            hit: entry, isNegotiated: target.acceptedKeys != nil,
            now: Date(timeIntervalSince1970: TimeInterval(second)),
            // What is left of a second that has begun does not count.
            clientSeconds: min(settings.current.clientSeconds, target.validUntil - second - 1)
        ).answer(method: exchange.method == .head ? "HEAD" : "GET", fields: Exchange.fields(of: handle))
        exchange.status = answer.status
        exchange.byteCount = answer.byteCount
        return answer.prepared
    }

    private func mountHit(_ target: PhotoTarget, _ exchange: Exchange, second: Int) -> PreparedResponse? {
        guard
            exchange.header.isDisjoint(with: [.conditions, .range, .cacheDirectives, .transferEncoding, .contentLength]
            ),
            let entry = mounts.cache.memoryEntry(for: target.key),
            let hit = MountHit.of(entry, second: second)
        else { return nil }
        exchange.status = hit.status
        exchange.byteCount = entry.bytes.count
        exchange.route = .mount
        exchange.source = .memory
        return hit.response
    }

    // MARK: Everything else

    func mount(for exchange: Exchange) -> Mount? {
        if let known = exchange.known as? PhotoTarget { return known.mount }
        return mounts.mount(for: exchange.rawTarget)
    }

    func answer(to request: MountRequest) async -> HTTPAnswer { await mounts.answer(to: request) }

    func admission(_ exchange: Exchange, handle: OpaquePointer, method: String) -> BodyAdmission {
        guard let target = RequestTarget(exchange.rawTarget) else { return .refuse(answer(to: .badTarget)) }
        return router.admission(method: method, target: target, fields: Exchange.fields(of: handle))
    }

    func answer(to request: HTTPRequest) async -> HTTPAnswer {
        await router.answer(to: request)
    }

    func answer(to refusal: RequestRefusal, in envelope: AnswerEnvelope) -> HTTPAnswer {
        let problem =
            switch refusal {
            case .badTarget:
                Problem(
                    400, .wrongType,
                    "the request target cannot be read: accepted is a path in percent-encoded UTF-8")
            case .ambiguous: Problem(400, .wrongType, "the header can be read in more than one way")
            case .hostMissing: Problem(400, .missing, "Host is missing")
            case .headerTooLarge: Problem(431, .tooLarge, "the header is too large")
            case .bodyTooLarge: Problem(BodyFault.tooLarge)
            case .tooManyUploads:
                Problem(
                    503, .tooManyRequests, "too many uploads at once; try again later",
                    fields: [("Retry-After", "2")])
            case .shuttingDown:
                Problem(503, .tooManyRequests, "the server is stopping", fields: [("Retry-After", "5")])
            case .outOfMemory: Problem(500, .internal, "the answer could not be made")
            }
        return problem.answer(in: envelope)
    }

    // MARK: Counting

    /// Answers are timed only while the access log is on.
    var startOfMeasurement: UInt64 { logger.permits(.info) ? Self.nanoseconds() : 0 }

    func finished(_ exchange: Exchange, isComplete: Bool) {
        counters.requests.count(exchange.route, exchange.source, status: exchange.status, bytes: exchange.byteCount)
        guard exchange.startedAt > 0 else { return }
        // No path: it can name a pupil or hold a URL with its secrets.
        var fields: LogFields = [
            "method": .text(exchange.method.name), "route": .text(exchange.route.label),
            "status": .number(exchange.status), "source": .text(exchange.source.label),
            "bytes": .number(exchange.byteCount),
            "microseconds": .number(Int((Self.nanoseconds() - exchange.startedAt) / 1000)),
            "complete": .flag(isComplete),
        ]
        if let mount = exchange.mount { fields.pairs.append(("mount", .text(mount.path))) }
        logger.log(.info, "request", fields)
    }

    private static func nanoseconds() -> UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
    }
}
