#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Whether a shared cache may keep a response (RFC 9111 §3).
package enum Storability: Sendable, Hashable {
    /// These fields of it.
    case store(HTTPFields)
    case refuse(Reason)

    package enum Reason: String, Sendable, Hashable {
        case method
        case status
        case noStore = "no-store"
        case `private`
        case authorization
        case varyAnything = "vary"
        case cookies
        /// Nothing says that it may be used, and it has nothing to be validated by.
        case unusable
        case range
    }

    /// - Parameters:
    ///   - fields: of the response, those of the connection taken out already (``Intermediary``).
    ///   - status: a final one.
    ///   - url: of the request, which a POST's answer must name to be of use to a GET.
    package static func decide(
        method: String, request: HTTPFields, status: Int, fields: HTTPFields, policy: SharedCachePolicy,
        responseTime: Date, url: CanonicalURL? = nil
    ) -> Storability {
        guard method == "GET" || method == "POST" && status == 200 && isContent(fields, of: url) else {
            return .refuse(.method)
        }
        let (control, isTargeted) = policy.directives(fields)
        // §5.2.2.3: of a status that is understood, `must-understand` takes the place of `no-store`.
        let ignoresNoStore = control.mustUnderstand && isUnderstood(status)
        if control.isNoStore && !ignoresNoStore || RequestDirectives(request).isNoStore { return .refuse(.noStore) }
        guard status >= 200, status != 304, !control.mustUnderstand || isUnderstood(status) else {
            return .refuse(.status)
        }
        if isAboutRequest(status, request) { return .refuse(.status) }
        if control.isAllPrivate { return .refuse(.private) }
        if Vary(fields) == .anything { return .refuse(.varyAnything) }
        if policy.refusesCookies, fields.contains("Set-Cookie") { return .refuse(.cookies) }
        if request.contains("Authorization"),
            !(control.isPublic || control.mustRevalidate || control.sharedMaxAge != nil)
        {
            return .refuse(.authorization)
        }
        if status == 206 {
            guard let text = fields["Content-Range"], ContentRange(text) != nil else { return .refuse(.range) }
        }
        let isDated =
            policy.expiry != nil && Freshness.isHeuristicallyCacheable(status) || control.maxAge != nil
            || control.sharedMaxAge != nil
            || (!isTargeted && fields.contains("Expires"))
        // RFC 9110 §9.3.3: of a POST only what says itself how long it holds.
        guard method == "GET" || isDated else { return .refuse(.unusable) }
        let isUsable =
            isDated || control.isPublic || control.isNoCache && fields.contains("ETag")
            || Freshness.isHeuristicallyCacheable(status) && hasValidator(fields)
        guard isUsable else { return .refuse(.unusable) }
        return .store(kept(fields, control, responseTime))
    }

    /// Whether the status answers a condition or a range of this very request, and so means nothing to one without (RFC 9110
    /// §13.2.1, §15.5.13, §15.5.17).
    private static func isAboutRequest(_ status: Int, _ request: HTTPFields) -> Bool {
        switch status {
        case 412:
            ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"].contains { request.contains($0) }
        case 416: request.contains("Range")
        default: false
        }
    }

    /// Without the fields that `private` or `no-cache` names (§5.2.2.4, §5.2.2.7), and with a `Date` (RFC 9110 §6.6.1).
    private static func kept(_ fields: HTTPFields, _ control: CacheControl, _ responseTime: Date) -> HTTPFields {
        var kept = fields
        let named = (control.privateFields ?? []).union(control.noCacheFields ?? [])
        if !named.isEmpty { kept.lines.removeAll { named.contains($0.name.lowercased()) } }
        if !kept.contains("Date") { kept.append("Date", HTTPDate.format(responseTime)) }
        return kept
    }

    /// Whether the response is what the URL stands for, as its `Content-Location` says (RFC 9110 §8.7).
    private static func isContent(_ fields: HTTPFields, of url: CanonicalURL?) -> Bool {
        guard let url, let reference = fields["Content-Location"] else { return false }
        do throws(URLProblem) { return try url.resolving(reference) == url } catch { return false }
    }

    private static func hasValidator(_ fields: HTTPFields) -> Bool {
        fields.contains("ETag") || fields.contains("Last-Modified")
    }

    /// The statuses whose meaning for a cache is known here: those of RFC 9110 §15 and of the registry.
    static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200...208, 226, 300...308, 400...418, 421...426, 428, 429, 431, 451, 500...508, 510, 511: true
        default: false
        }
    }
}
