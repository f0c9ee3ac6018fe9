/// What an operator may change of a shared cache's rules. The defaults keep to the standard.
package struct SharedCachePolicy: Sendable, Hashable {
    /// The fields that are meant for caches like this one (RFC 9213 §2.2), the most specific first.
    package var targets = ["CDN-Cache-Control"]
    /// Seconds of freshness for whatever may be stored, in place of what the origin says.
    package var expiry: Int?
    /// Answers with `Set-Cookie` are not stored.
    package var refusesCookies = false

    package init() {}

    /// What holds for a response: the first targeted field that is there and valid, else `Cache-Control` and `Expires`.
    package func directives(_ fields: HTTPFields) -> (control: CacheControl, isTargeted: Bool) {
        for target in targets {
            guard let text = fields[target], let dictionary = StructuredDictionary(text), !dictionary.members.isEmpty
            else { continue }
            return (CacheControl(targeted: dictionary), true)
        }
        return (CacheControl(fields), false)
    }
}
