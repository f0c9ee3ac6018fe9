/// A host, or every host below a suffix.
///
/// `*.cdn.example` stands for one or more labels before `cdn.example`, not for `cdn.example` itself. Labels are compared
/// whole, so `evilcdn.example` is not below it.
package struct HostPattern: Sendable, Hashable, CustomStringConvertible {
    /// Lower-case; the suffix without `*.` if it is a wildcard; IPv6 without brackets.
    let host: String
    let isWildcard: Bool
    private let dottedSuffix: String

    /// `HOST` alone, without port.
    package init(_ text: String) throws(OriginRuleProblem) {
        let isWildcard = text.hasPrefix("*.")
        let name = isWildcard ? String(text.dropFirst(2)) : text
        guard !name.contains("*") else { throw .invalidWildcard }
        guard !name.utf8.contains(where: { "/?#@ ".utf8.contains($0) }) else { throw .invalidHost }
        let url: CanonicalURL
        do {
            // The one parser of hosts: what a rule names is compared with what a URL was read as.
            url = try CanonicalURL("http://\(name)/")
        } catch {
            throw .invalidHost
        }
        let isPlain = name.hasPrefix("[") ? name.hasSuffix("]") : !name.contains(":")
        guard isPlain else { throw .invalidHost }
        if isWildcard, IPAddress(url.host) != nil { throw .invalidWildcard }
        host = url.host
        self.isWildcard = isWildcard
        dottedSuffix = "." + url.host
    }

    /// `host` as ``CanonicalURL`` has it.
    package func matches(_ host: String) -> Bool {
        guard isWildcard else { return host == self.host }
        return host.utf8.count > dottedSuffix.utf8.count && host.hasSuffix(dottedSuffix)
    }

    package var description: String {
        isWildcard ? "*" + dottedSuffix : host.contains(":") ? "[\(host)]" : host
    }
}
