/// The directives of a response's `Cache-Control` (RFC 9111 §5.2.2, RFC 5861, RFC 8246), all field lines together.
///
/// Names match in either case, arguments may be tokens or quoted strings. Of a directive given twice the first counts
/// (RFC 9111 §4.2.1). `no-cache` and `private` that name fields count as if they named none, which is stricter.
package struct CacheControl: Sendable, Hashable {
    /// What a number of seconds is cut to (RFC 9111 §1.2.2): 2^31.
    package static let greatestSeconds = 1 << 31

    package private(set) var isNoStore = false
    package private(set) var isNoCache = false
    package private(set) var isPrivate = false
    package private(set) var isPublic = false
    package private(set) var mustRevalidate = false
    package private(set) var proxyRevalidate = false
    package private(set) var isImmutable = false
    /// Seconds. 0 if the directive is there and its argument is no number: then the response is taken for stale
    /// (RFC 9111 §4.2.1).
    package private(set) var maxAge: Int?
    /// Seconds, for shared caches alone; 0 if malformed, as `maxAge`.
    package private(set) var sharedMaxAge: Int?
    /// Seconds after the freshness in which a stale answer may be given while asking again (RFC 5861 §3). `nil` if
    /// malformed.
    package private(set) var staleWhileRevalidate: Int?
    /// Seconds after the freshness in which a stale answer may stand for an error (RFC 5861 §4). `nil` if malformed.
    package private(set) var staleIfError: Int?

    package init(_ fields: HTTPFields) {
        for line in fields.lines where line.isNamed("Cache-Control") {
            for element in FieldList.elements(of: line.value) { add(element) }
        }
    }

    /// Whether a stale copy may not be used without asking the origin (RFC 9111 §4.2.4).
    ///
    /// - Parameter isShared: shared caches also obey `proxy-revalidate`, and `s-maxage`, which implies it
    ///   (RFC 9111 §5.2.2.10).
    package func forbidsStale(isShared: Bool) -> Bool {
        isNoStore || isNoCache || mustRevalidate || (isShared && (proxyRevalidate || sharedMaxAge != nil))
    }

    private mutating func add(_ element: Substring) {
        let parts = element.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = ASCII.trimmed(parts[0]).utf8
        var seconds: Int? {
            guard parts.count == 2 else { return nil }
            let digits = FieldList.unquoted(ASCII.trimmed(parts[1])).utf8
            return ASCII.number(digits, cappedAt: Self.greatestSeconds)
        }
        func isNamed(_ directive: String) -> Bool { ASCII.matches(name, directive.utf8) }

        if isNamed("max-age") {
            maxAge = maxAge ?? seconds ?? 0
        } else if isNamed("no-store") {
            isNoStore = true
        } else if isNamed("no-cache") {
            isNoCache = true
        } else if isNamed("private") {
            isPrivate = true
        } else if isNamed("public") {
            isPublic = true
        } else if isNamed("s-maxage") {
            sharedMaxAge = sharedMaxAge ?? seconds ?? 0
        } else if isNamed("must-revalidate") {
            mustRevalidate = true
        } else if isNamed("proxy-revalidate") {
            proxyRevalidate = true
        } else if isNamed("immutable") {
            isImmutable = true
        } else if isNamed("stale-while-revalidate") {
            staleWhileRevalidate = staleWhileRevalidate ?? seconds
        } else if isNamed("stale-if-error") {
            staleIfError = staleIfError ?? seconds
        }
    }
}
