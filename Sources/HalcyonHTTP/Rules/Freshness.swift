#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// How long a response may be used and how old it came (RFC 9111 §4.2). All results are seconds in 0…2^31.
package enum Freshness {
    /// The part of the time since `Last-Modified` for which a response without a lifetime is taken for fresh
    /// (RFC 9111 §4.2.2).
    package static let heuristicFraction = 0.1
    /// A day, in seconds: what the heuristic never exceeds.
    package static let greatestHeuristicLifetime: TimeInterval = 86_400

    /// Seconds of freshness counted from when the origin made the response, so the age it came with is to be taken
    /// off. `nil` if the origin says nothing usable, 0 if it says that the response is not to be used unasked.
    ///
    /// The first of: `no-store` or `no-cache` (0), `s-maxage` (shared caches only), `max-age`, `Expires`, and for
    /// statuses that allow it, or with `public`, the heuristic. An `Expires` that cannot be read has passed
    /// (RFC 9111 §5.3).
    package static func lifetime(
        status: Int, fields: HTTPFields, isShared: Bool, responseTime: Date
    ) -> TimeInterval? {
        let control = CacheControl(fields)
        if control.isNoStore || control.isNoCache { return 0 }
        return lifetime(
            status: status, fields: fields, control: control, isShared: isShared, responseTime: responseTime)
    }

    /// The same of what has passed ``CacheControl``'s bans.
    ///
    /// - Parameter ignoresExpires: a targeted field stands in for `Expires` too (RFC 9213 §2.2).
    package static func lifetime(
        status: Int, fields: HTTPFields, control: CacheControl, isShared: Bool, ignoresExpires: Bool = false,
        responseTime: Date
    ) -> TimeInterval? {
        if isShared, let seconds = control.sharedMaxAge { return TimeInterval(seconds) }
        if let seconds = control.maxAge { return TimeInterval(seconds) }

        // A response without a usable Date was made when it came (RFC 9110 §6.6.1).
        let date = date("Date", in: fields, now: responseTime) ?? responseTime
        if !ignoresExpires, fields.contains("Expires") {
            guard let expires = self.date("Expires", in: fields, now: responseTime) else { return 0 }
            return bounded(expires.timeIntervalSince(date))
        }
        guard isHeuristicallyCacheable(status) || control.isPublic,
            let modified = self.date("Last-Modified", in: fields, now: responseTime), modified <= date
        else { return nil }
        return min(date.timeIntervalSince(modified) * heuristicFraction, greatestHeuristicLifetime)
    }

    /// `corrected_initial_age` of RFC 9111 §4.2.3. Of several `Age` values the first counts, one that is no
    /// non-negative integer is ignored (§5.1). A clock that was set back between the two times counts as standing.
    package static func initialAge(fields: HTTPFields, requestTime: Date, responseTime: Date) -> TimeInterval {
        let date = date("Date", in: fields, now: responseTime)
        let apparentAge = date.map { responseTime.timeIntervalSince($0) } ?? 0
        let delay = max(0, responseTime.timeIntervalSince(requestTime))
        return bounded(max(apparentAge, ageValue(fields) + delay))
    }

    /// Statuses that may be kept without being told so (RFC 9110 §15.1).
    package static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }

    private static func ageValue(_ fields: HTTPFields) -> TimeInterval {
        guard let line = fields.first("Age") else { return 0 }
        let first = ASCII.trimmed(line.prefix { $0 != "," })
        return ASCII.number(first.utf8, cappedAt: CacheControl.greatestSeconds).map(TimeInterval.init) ?? 0
    }

    /// Of several field lines the first counts (RFC 9111 §4.2.1).
    private static func date(_ name: String, in fields: HTTPFields, now: Date) -> Date? {
        fields.first(name).flatMap { HTTPDate.parse($0, now: now) }
    }

    private static func bounded(_ seconds: TimeInterval) -> TimeInterval {
        min(max(0, seconds), TimeInterval(CacheControl.greatestSeconds))
    }
}
