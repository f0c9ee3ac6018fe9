/// What a request that changes something makes invalid (RFC 9111 §4.4).
package enum Invalidation {
    private static let safe: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE"]

    /// The target itself, and what `Location` and `Content-Location` name of the same origin, if the method is not known to
    /// be safe and the answer is no error.
    package static func targets(
        method: String, url: CanonicalURL, status: Int, fields: HTTPFields
    ) -> [CanonicalURL] {
        guard !safe.contains(method), 200..<400 ~= status else { return [] }
        var targets = [url]
        for name in ["Location", "Content-Location"] {
            guard let reference = fields.first(name) else { continue }
            do throws(URLProblem) {
                let target = try url.resolving(reference)
                if target.origin == url.origin, !targets.contains(target) { targets.append(target) }
            } catch {
                continue  // No URL, so nothing is stored under it.
            }
        }
        return targets
    }
}
