internal import Foundation
internal import Halcyon
internal import HalcyonHTTP
internal import HalcyonRecords
internal import HalcyonStore

/// One GET or HEAD of a mount: what is stored if the rules allow it, else what the origin says.
struct MountLoad: Sendable {
    let service: MountService
    let exchange: MountExchange
    let key: CacheKey
    /// The request carried a token of this service's, so its `Authorization` says nothing to the origin.
    let isOwnToken: Bool

    var policy: SharedCachePolicy { exchange.mount.policy.rules }
    var now: Date { service.settings.current.now() }
    /// What the client sent, as the rules see it.
    var request: HTTPFields {
        guard isOwnToken else { return exchange.request.fields }
        var fields = exchange.request.fields
        fields.remove("Authorization")
        return fields
    }

    func answer() async -> HTTPAnswer {
        let shelf = service.shelf(key, exchange.mount)
        // What another's request brought may turn out not to be for this one: then it goes out itself.
        for round in 0..<3 {
            let (items, varyNames) = await shelf.items(for: request)
            let decision = Reuse.decide(stored: items.map(\.response), request: request, policy: policy, now: now)
            switch decision {
            case .use(let index, let left):
                return hit(items[index], left, isShared: round > 0)
            case .useWhileRevalidating(let index, let left):
                revalidate(items[index], shelf)
                return hit(items[index], left, isShared: false)
            case .gatewayTimeout:
                let problem = Problem(504, .notAllowed, "only-if-cached: nothing that may be used is stored")
                return problem.answer(in: .bare).with([("Cache-Status", "\(CacheStatus(.local))")]).of(.mount)
            case .validate, .forward:
                if let answer = await part(shelf, decision) { return answer }
                guard round < 2, isShareable else { return await ask(decision, items, shelf, flight: nil) }
                let flight = flightKey(varyNames)
                switch await service.flights.join(flight) {
                case .leader: return await ask(decision, items, shelf, flight: flight)
                case .follower(.stored): continue
                case .follower(.failed(let error)): return failed(error, decision, items)
                case .follower(.unshareable): return await ask(decision, items, shelf, flight: nil)
                }
            }
        }
        return await ask(.forward(.miss), [], shelf, flight: nil)
    }

    // MARK: Sharing

    /// Whether others may wait for the answer to this very request, or it for the answer to another's.
    private var isShareable: Bool { isPlain && !service.flights.isUnshareable(key, now: now) }

    /// Whether the answer, if it cannot be shared, could not be for others either.
    var isPlain: Bool {
        guard !exchange.isHead, !request.contains("Range"), !request.contains("Authorization"), !hasDemands else {
            return false
        }
        let directives = RequestDirectives(request)
        return !directives.isNoCache && !directives.isNoStore && directives.maxAge == nil && directives.minFresh == nil
    }

    /// Conditions that fail with 412: the origin's to judge, once it is asked.
    var hasDemands: Bool { request.contains("If-Match") || request.contains("If-Unmodified-Since") }

    /// Requests that are known to choose different responses do not wait for each other.
    private func flightKey(_ names: [String]) -> CacheKey {
        guard !names.isEmpty else { return key }
        return key.variant(key.variant + "\u{3}" + Vary.selection(names, request).joined(separator: "\u{3}"))
    }

    // MARK: From the caches

    private func hit(_ item: ResponseShelf.Item, _ left: Int, isShared: Bool) -> HTTPAnswer {
        remember(item)
        let status =
            isShared
            ? CacheStatus(.forwarded(.uriMiss), timeToLive: left, isStored: true, isCollapsed: true)
            : CacheStatus(.hit, timeToLive: left, detail: item.isFromMemory ? nil : "disk")
        return MountAnswer.stored(
            item, method: exchange.method, request: request, status: status,
            source: isShared ? .coalesced : left < 0 ? .stale : item.isFromMemory ? .memory : .disk, now: now)
    }

    /// Lets the I/O thread answer the next plain request by itself.
    private func remember(_ item: ResponseShelf.Item) {
        guard item.response.varyNames.isEmpty, item.entry.key == key, item.entry.isFresh(at: now),
            item.response.status != 206
        else { return }
        service.targets.remember(
            PhotoTarget(
                rawTarget: exchange.request.rawTarget, route: .mount,
                access: exchange.mount.policy.isPublic ? .anyone : .role(.viewer), key: item.entry.key,
                mount: exchange.mount))
    }

    /// An answer to `Range` out of a part that is kept.
    private func part(_ shelf: ResponseShelf, _ decision: Reuse) async -> HTTPAnswer? {
        guard exchange.method == "GET", case .forward = decision, let text = request["Range"],
            request["If-Range"] == nil, let item = await shelf.part(for: request), let kept = item.response.range,
            let part = text == item.response.answeredRange
                ? kept.first..<kept.last + 1 : RangeReuse.part(text, of: kept)
        else { return nil }
        guard
            case .use(_, let left) = Reuse.decide(stored: [item.response], request: request, policy: policy, now: now)
        else { return nil }
        return MountAnswer.part(item, part, of: kept, status: CacheStatus(.hit, timeToLive: left), now: now)
    }

    func failed(_ error: FetchError, _ decision: Reuse, _ items: [ResponseShelf.Item]) -> HTTPAnswer {
        guard let stale = standIn(decision, items, limit: ResponseShelf.retention) else {
            return MountAnswer.failed(error)
        }
        return answer(standingIn: stale, detail: error.token, status: nil)
    }

    func standIn(
        _ decision: Reuse, _ items: [ResponseShelf.Item], limit: TimeInterval
    ) -> ResponseShelf.Item? {
        let item: ResponseShelf.Item?
        if case .validate(let index, _, _) = decision {
            item = items[index]
        } else {
            item = items.filter { $0.response.isSelected(by: request) }.max { $0.response.date < $1.response.date }
        }
        guard let item, Reuse.mayStandIn(item.response, request: request, policy: policy, now: now, limit: limit) else {
            return nil
        }
        return item
    }

    func answer(standingIn item: ResponseShelf.Item, detail: String, status: Int?) -> HTTPAnswer {
        let left = Int(item.response.lifetime(policy) - item.response.age(at: now))
        return MountAnswer.stored(
            item, method: exchange.method, request: request,
            status: CacheStatus(.forwarded(.stale), forwardedStatus: status, timeToLive: left, detail: detail),
            source: .stale, now: now)
    }
}
