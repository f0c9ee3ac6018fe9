#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// What a shared cache does with a request for which it has stored responses (RFC 9111 §4).
package enum Reuse: Sendable, Hashable {
    /// Answer with the response of this index.
    case use(Int, timeToLive: Int)
    /// The same, while it is validated (RFC 5861 §3).
    case useWhileRevalidating(Int, timeToLive: Int)
    /// Ask whether the response of this index still holds. The conditions name every stored response of the resource.
    case validate(Int, conditions: HTTPFields, CacheStatus.Reason)
    case forward(CacheStatus.Reason)
    /// 504: nothing may be asked, and nothing may be used (§5.2.1.7).
    case gatewayTimeout

    /// - Parameter stored: complete responses to GET for the same target, whatever chose them.
    package static func decide(
        stored: [StoredResponse], request: HTTPFields, policy: SharedCachePolicy, now: Date
    ) -> Reuse {
        let directives = RequestDirectives(request)
        let selected = stored.indices.filter { stored[$0].isSelected(by: request) }
        // §4.1: of several, the most recent.
        guard let index = selected.max(by: { stored[$0].date < stored[$1].date }) else {
            if directives.isOnlyIfCached { return .gatewayTimeout }
            return stored.isEmpty ? .forward(.uriMiss) : .forward(.varyMiss)
        }
        let response = stored[index]
        let (control, _) = policy.directives(response.fields)
        let age = response.age(at: now)
        let lifetime = response.lifetime(policy)
        let left = Int((lifetime - age).rounded(.down))
        // A lifetime that is used up at this moment is over (§4.2: fresh while it exceeds the age).
        let isFresh = lifetime > age
        func ask(_ reason: CacheStatus.Reason) -> Reuse {
            if directives.isOnlyIfCached { return .gatewayTimeout }
            guard response.hasValidator else { return .forward(reason) }
            return .validate(index, conditions: conditions(of: stored, selected: index), reason)
        }

        if directives.isNoCache { return ask(.request) }
        if control.forbidsReuseUnasked { return ask(.stale) }
        if let limit = directives.maxAge, age > TimeInterval(limit), directives.maxStale == nil { return ask(.request) }
        if let least = directives.minFresh, lifetime - age < TimeInterval(least) { return ask(.request) }
        if isFresh {
            guard let limit = directives.maxAge, age > TimeInterval(limit) else { return .use(index, timeToLive: left) }
            // Older than asked for, by no more than is accepted.
            return TimeInterval(limit + (directives.maxStale ?? 0)) >= age
                ? .use(index, timeToLive: left) : ask(.request)
        }
        if !control.forbidsStale(isShared: true) {
            if let limit = directives.maxStale, age - lifetime <= TimeInterval(limit),
                directives.maxAge.map({ TimeInterval($0 + limit) >= age }) ?? true
            {
                return .use(index, timeToLive: left)
            }
            if let window = control.staleWhileRevalidate, age - lifetime <= TimeInterval(window),
                directives.maxAge == nil,
                directives.minFresh == nil, !directives.isOnlyIfCached
            {
                return .useWhileRevalidating(index, timeToLive: left)
            }
        }
        return ask(.stale)
    }

    /// Whether a stale response may stand in for an origin that failed or cannot be reached (§4.2.4, RFC 5861 §4).
    ///
    /// - Parameter limit: seconds past the freshness, where the response itself does not say how long.
    package static func mayStandIn(
        _ response: StoredResponse, request: HTTPFields, policy: SharedCachePolicy, now: Date, limit: TimeInterval
    ) -> Bool {
        let (control, _) = policy.directives(response.fields)
        let directives = RequestDirectives(request)
        guard !control.forbidsStale(isShared: true), !directives.isNoCache, directives.minFresh == nil,
            directives.maxAge == nil || directives.maxStale != nil
        else { return false }
        let staleness = response.age(at: now) - response.lifetime(policy)
        return staleness <= (control.staleIfError.map(TimeInterval.init) ?? limit)
    }

    /// All entity tags of the stored responses, the selected one's first (§4.3.1), and the selected one's date.
    private static func conditions(of stored: [StoredResponse], selected index: Int) -> HTTPFields {
        var conditions = stored[index].conditions
        let others = stored.indices.filter { $0 != index && stored[$0].range == nil }
            .compactMap { stored[$0].entityTag?.description }
        if let own = conditions["If-None-Match"], !others.isEmpty {
            var tags = [own]
            for tag in others where !tags.contains(tag) { tags.append(tag) }
            conditions["If-None-Match"] = tags.joined(separator: ", ")
        }
        return conditions
    }
}
