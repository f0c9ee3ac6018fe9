/// The directives of a request's `Cache-Control` (RFC 9111 §5.2.1), all field lines together. Of one that is given twice
/// the stricter counts.
package struct RequestDirectives: Sendable, Hashable {
    /// Seconds; 0 if malformed.
    package private(set) var maxAge: Int?
    package private(set) var minFresh: Int?
    /// Seconds; ``CacheControl/greatestSeconds`` for any time, `nil` if malformed.
    package private(set) var maxStale: Int?
    package private(set) var isNoCache = false
    package private(set) var isNoStore = false
    package private(set) var isOnlyIfCached = false

    package init(_ fields: HTTPFields) {
        let lines = fields.values(of: "Cache-Control")
        for line in lines {
            for element in FieldList.elements(of: line) { add(element) }
        }
        // §5.4: Pragma counts where there is no Cache-Control.
        if lines.isEmpty, let pragma = fields["Pragma"] {
            isNoCache = FieldList.elements(of: pragma).contains { ASCII.matches($0.utf8, "no-cache".utf8) }
        }
    }

    private mutating func add(_ element: Substring) {
        let parts = element.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let seconds =
            parts.count == 2
            ? ASCII.number(FieldList.unquoted(ASCII.trimmed(parts[1])).utf8, cappedAt: CacheControl.greatestSeconds)
            : nil
        switch ASCII.trimmed(parts[0]).lowercased() {
        case "max-age": maxAge = min(maxAge ?? .max, seconds ?? 0)
        case "min-fresh": if let seconds { minFresh = max(minFresh ?? 0, seconds) }
        case "max-stale":
            if parts.count == 1 {
                maxStale = maxStale ?? CacheControl.greatestSeconds
            } else if let seconds {
                maxStale = min(maxStale ?? .max, seconds)
            }
        case "no-cache": isNoCache = true
        case "no-store": isNoStore = true
        case "only-if-cached": isOnlyIfCached = true
        default: break
        }
    }
}
