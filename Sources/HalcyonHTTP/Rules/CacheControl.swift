/// The directives of a response's `Cache-Control` (RFC 9111 §5.2.2, RFC 5861, RFC 8246), all field lines together.
///
/// Names match in either case, arguments may be tokens or quoted strings. Of a directive given twice the first counts
/// (RFC 9111 §4.2.1). A directive that forbids beats one that allows, in whatever order they come.
package struct CacheControl: Sendable, Hashable {
    /// What a number of seconds is cut to (RFC 9111 §1.2.2): 2^31.
    package static let greatestSeconds = 1 << 31

    package private(set) var isNoStore = false
    /// Set whether or not the directive names fields, see ``noCacheFields``.
    package private(set) var isNoCache = false
    /// Set whether or not the directive names fields, see ``privateFields``.
    package private(set) var isPrivate = false
    /// The fields that a `no-cache` names (RFC 9111 §5.2.2.4), in lower case; `nil` if one names none, and so means all.
    package private(set) var noCacheFields: Set<String>? = []
    /// The same of `private` (§5.2.2.7).
    package private(set) var privateFields: Set<String>? = []
    package private(set) var mustUnderstand = false
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

    /// The directives of a targeted field (RFC 9213 §2.1), whose values have types: what is of another type than the
    /// directive's does not count.
    init(targeted dictionary: StructuredDictionary) {
        for (name, value) in dictionary.members {
            switch (name, value) {
            case ("max-age", .integer(let seconds)): maxAge = Self.bounded(seconds)
            case ("s-maxage", .integer(let seconds)): sharedMaxAge = Self.bounded(seconds)
            case ("stale-while-revalidate", .integer(let seconds)): staleWhileRevalidate = Self.bounded(seconds)
            case ("stale-if-error", .integer(let seconds)): staleIfError = Self.bounded(seconds)
            case ("no-store", .boolean(true)): isNoStore = true
            case ("no-cache", .boolean(true)): (isNoCache, noCacheFields) = (true, nil)
            case ("private", .boolean(true)): (isPrivate, privateFields) = (true, nil)
            case ("no-cache", .string(let names)): note(names, isNoCache: true)
            case ("private", .string(let names)): note(names, isNoCache: false)
            case ("public", .boolean(true)): isPublic = true
            case ("must-revalidate", .boolean(true)): mustRevalidate = true
            case ("proxy-revalidate", .boolean(true)): proxyRevalidate = true
            case ("must-understand", .boolean(true)): mustUnderstand = true
            case ("immutable", .boolean(true)): isImmutable = true
            default: break
            }
        }
    }

    private static func bounded(_ seconds: Int) -> Int { min(max(0, seconds), greatestSeconds) }

    /// Whether nothing of the response may be used without asking; `no-cache` that names fields forbids those alone.
    package var forbidsReuseUnasked: Bool { isNoCache && noCacheFields == nil }

    /// Whether a shared cache may not store any of it.
    package var isAllPrivate: Bool { isPrivate && privateFields == nil }

    private mutating func note(_ names: String, isNoCache: Bool) {
        let fields = Set(FieldList.elements(of: names).map { $0.lowercased() })
        if isNoCache {
            self.isNoCache = true
            noCacheFields = fields.isEmpty ? nil : noCacheFields?.union(fields)
        } else {
            isPrivate = true
            privateFields = fields.isEmpty ? nil : privateFields?.union(fields)
        }
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
        } else if isNamed("no-cache") || isNamed("private") {
            let names = parts.count == 2 ? String(FieldList.unquoted(ASCII.trimmed(parts[1]))) : ""
            note(names, isNoCache: isNamed("no-cache"))
        } else if isNamed("must-understand") {
            mustUnderstand = true
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
