internal import Foundation
internal import Halcyon
internal import HalcyonHTTP
internal import HalcyonStore

/// What a load asks its origin, and what becomes of the answer. Every way out ends the flight, if the load leads one.
extension MountLoad {
    private static let conditionNames = [
        "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range",
    ]

    /// The background half of a stale answer: one at a time.
    func revalidate(_ item: ResponseShelf.Item, _ shelf: ResponseShelf) {
        guard service.flights.begin(key) else { return }
        let decision = Reuse.validate(0, conditions: item.response.conditions, .stale)
        Task.detached(priority: .utility) {
            await ask(decision, [item], shelf, flight: key).discard()
        }
    }

    func ask(
        _ decision: Reuse, _ items: [ResponseShelf.Item], _ shelf: ResponseShelf, flight: CacheKey?
    ) async -> HTTPAnswer {
        var flight = flight
        if flight == nil, exchange.method == "GET", !request.contains("Range"), service.flights.begin(key) {
            // Whoever comes next waits for what this one brings.
            flight = key
        }
        var origin = OriginLoad(
            service: service, exchange: exchange, shelf: shelf, flight: flight, fields: exchange.fields,
            reason: .uriMiss, ticket: service.cache.ticket(), begun: service.flights.invalidations)
        var validated: Int?
        switch decision {
        case .validate(let index, let conditions, let reason):
            origin.reason = reason
            if !exchange.isHead, !hasDemands {
                for name in Self.conditionNames + ["Range"] { origin.fields.remove(name) }
                for line in conditions.lines { origin.fields.append(line.name, line.value) }
                validated = index
            }
        case .forward(let reason):
            origin.reason = reason
            // The answer may be of use to others, who have other copies.
            if !service.flights.isUnshareable(key, now: now), !request.contains("Range") {
                for name in ["If-None-Match", "If-Modified-Since"] { origin.fields.remove(name) }
            }
        case .use, .useWhileRevalidating, .gatewayTimeout: break
        }
        if validated == nil, exchange.method == "GET", !request.contains("Range"), let answer = await complete(origin) {
            return answer
        }
        switch await service.open(exchange, exchange.streamRequest(origin.fields)) {
        case .failure(let error):
            origin.land(.failed(error))
            return failed(error, decision, items)
        case .success(let response):
            if response.status == 304, let validated {
                return await validatedAnswer(response, validated, items, origin)
            }
            if [500, 502, 503, 504].contains(response.status),
                let stale = standIn(decision, items, limit: -1)
            {
                response.body.abandon()
                origin.land(.failed(.connect(0)))
                return answer(standingIn: stale, detail: "origin-error", status: response.status)
            }
            if exchange.isHead { await compare(response, items, origin) }
            return received(response, origin)
        }
    }

    /// A POST, whose answer may be what a GET would have brought (RFC 9110 §9.3.3).
    func post() async -> HTTPAnswer {
        var origin = OriginLoad(
            service: service, exchange: exchange, shelf: service.shelf(key, exchange.mount), flight: nil,
            fields: exchange.fields, reason: .method, ticket: service.cache.ticket(),
            begun: service.flights.invalidations)
        switch await service.open(exchange, exchange.streamRequest()) {
        case .failure(let error):
            exchange.request.body?.abandon()
            return MountAnswer.failed(error)
        case .success(let response):
            let own = await service.invalidate(after: response, exchange)
            let known = service.flights.invalidations
            // What it made invalid itself is older than what it brings; of what others did that is not known.
            if known == origin.begun + own { origin.begun = known }
            return received(response, origin)
        }
    }

    /// What the origin has vouched for (RFC 9111 §4.3.4).
    private func validatedAnswer(
        _ response: StreamResponse, _ asked: Int, _ items: [ResponseShelf.Item], _ origin: OriginLoad
    ) async -> HTTPAnswer {
        response.body.abandon()
        let fields = Intermediary.endToEnd(response.fields)
        guard let index = StoredResponse.selected(by: fields, of: items.map(\.response), asked: asked) else {
            // It vouches for something that is not here: so the whole is asked for.
            var plain = origin
            plain.fields = exchange.fields
            for name in Self.conditionNames { plain.fields.remove(name) }
            switch await service.open(exchange, exchange.streamRequest(plain.fields)) {
            case .failure(let error):
                plain.land(.failed(error))
                return MountAnswer.failed(error)
            case .success(let response): return received(response, plain)
            }
        }
        let fresh = items[index].response.freshened(
            by: fields, requestTime: response.requestTime, responseTime: response.responseTime)
        let item: ResponseShelf.Item
        if origin.isOutdated {
            item = ResponseShelf.Item(entry: items[index].entry, response: fresh, isFromMemory: true)
        } else {
            item = await origin.shelf.refresh(items[index], to: fresh, ticket: origin.ticket)
        }
        origin.land(.stored)
        let left = Int(fresh.lifetime(policy) - fresh.age(at: now))
        return MountAnswer.stored(
            item, method: exchange.method, request: request,
            status: CacheStatus(.forwarded(origin.reason), forwardedStatus: 304, timeToLive: left, isStored: true),
            source: .revalidated, now: now)
    }

    /// A HEAD shows whether what is stored is still the same (RFC 9111 §4.3.5).
    private func compare(_ response: StreamResponse, _ items: [ResponseShelf.Item], _ origin: OriginLoad) async {
        guard response.status == 200, !origin.isOutdated,
            let item = items.first(where: { $0.response.isSelected(by: request) }), item.response.status == 200
        else { return }
        guard item.response.isSame(asHead: response.fields) else {
            var stale = item.response
            // No longer what the origin has: to be asked for again.
            stale.fields["Cache-Control"] = "no-cache"
            _ = await origin.shelf.refresh(item, to: stale, ticket: origin.ticket)
            return
        }
        let fresh = item.response.freshened(
            by: Intermediary.endToEnd(response.fields), requestTime: response.requestTime,
            responseTime: response.responseTime)
        _ = await origin.shelf.refresh(item, to: fresh, ticket: origin.ticket)
    }

    /// An answer with what it brings: passed on as it comes, and kept if it may be.
    private func received(_ response: StreamResponse, _ origin: OriginLoad) -> HTTPAnswer {
        let fields = Intermediary.endToEnd(response.fields)
        let decision = Storability.decide(
            method: exchange.method, request: request, status: response.status, fields: fields, policy: policy,
            responseTime: response.responseTime, url: exchange.url)
        var status = CacheStatus(.forwarded(origin.reason), forwardedStatus: response.status)
        guard case .store(let kept) = decision,
            (response.contentLength ?? 0) <= exchange.mount.policy.maximumObjectBytes,
            !origin.isOutdated
        else {
            if isPlain { service.flights.markUnshareable(key, now: now) }
            origin.land(.unshareable)
            if case .refuse(let reason) = decision, exchange.method == "GET" { status.detail = reason.rawValue }
            return service.passed(response, exchange, status)
        }
        var stored = StoredResponse(
            status: response.status, fields: kept, requestTime: response.requestTime,
            responseTime: response.responseTime)
        if case .fields(let names) = Vary(kept) {
            stored.varyNames = names
            stored.selection = Vary.selection(names, request, response: kept)
        }
        if response.status == 206 {
            stored.range = response.fields.first("Content-Range").flatMap { ContentRange($0) }
            stored.answeredRange = request["Range"]
        }
        status.isStored = true
        status.timeToLive = Int(stored.lifetime(policy) - stored.initialAge)
        let body = RetainedBody()
        Task.detached { await origin.pull(response, into: body, keeping: stored) }
        // A client that has it already is told so, whoever else it is fetched for.
        if response.status == 200,
            MountAnswer.outcome(stored, method: exchange.method, request: request, now: now) == .notModified
        {
            body.abandon()
            return MountAnswer.head(
                304, MountAnswer.validators(response.fields), status, body: .bytes([]), source: .origin)
        }
        if [204, 205].contains(response.status) {
            return MountAnswer.head(response.status, response.fields, status, body: .bytes([]), source: .origin)
        }
        return MountAnswer.head(
            response.status, response.fields, status, body: .source(body, length: response.contentLength),
            source: .origin)
    }

    /// Asks for what is missing of a kept part, if that makes the whole (RFC 9111 §3.4).
    private func complete(_ origin: OriginLoad) async -> HTTPAnswer? {
        guard let part = await origin.shelf.part(for: request), let kept = part.response.range,
            let missing = RangeReuse.missing(part.response)
        else { return nil }
        var fields = origin.fields
        fields["Range"] = missing.range
        fields["If-Range"] = missing.condition
        guard case .success(let response) = await service.open(exchange, exchange.streamRequest(fields)) else {
            return nil  // The plain request says why.
        }
        guard response.status == 206 else {
            if response.status == 200 { return received(response, origin) }
            response.body.abandon()
            return nil
        }
        let newFields = Intermediary.endToEnd(response.fields)
        guard let text = newFields.first("Content-Range"), let new = ContentRange(text),
            let union = RangeReuse.union(kept, part.response.fields, new, newFields), let complete = union.complete,
            union.first == 0, union.last + 1 == complete, complete <= exchange.mount.policy.maximumObjectBytes,
            let bytes = await Self.collect(response.body, limit: complete), bytes.count == new.last - new.first + 1
        else {
            response.body.abandon()
            return nil
        }
        let whole = origin.shelf.joined(part.entry.bytes.array, kept, bytes, new)
        var stored = part.response.freshened(
            by: newFields, requestTime: response.requestTime, responseTime: response.responseTime)
        stored.status = 200
        stored.range = nil
        stored.fields.remove("Content-Range")
        let entry = await origin.shelf.keep(stored, whole, ticket: origin.ticket)
        origin.land(.stored)
        let item = ResponseShelf.Item(entry: entry, response: stored, isFromMemory: true)
        let status = CacheStatus(.forwarded(.partial), forwardedStatus: 206, isStored: true)
        return MountAnswer.stored(
            item, method: exchange.method, request: request, status: status, source: .origin, now: now)
    }

    static func collect(_ pipe: BytePipe, limit: Int) async -> [UInt8]? {
        var bytes: [UInt8] = []
        while true {
            switch await pipe.next() {
            case .bytes(let piece):
                bytes += piece
                guard bytes.count <= limit else { return nil }
            case .end: return bytes
            case .failed: return nil
            }
        }
    }
}
