/// Where photos may be fetched from. Every fetch, and every hop of a redirect, asks ``check(_:isRedirect:)``.
package struct OriginPolicy: Sendable {
    /// The most telling first: a host before a wildcard, a long suffix before a short one, with a port before without.
    private let rules: [OriginRule]
    private let redirectHosts: [HostPattern]

    /// - Parameter redirectHosts: hosts that a redirect may lead to, though no URL may begin there.
    package init(rules: [OriginRule], redirectHosts: [HostPattern] = []) {
        self.rules = rules.sorted { left, right in
            if left.host.isWildcard != right.host.isWildcard { return right.host.isWildcard }
            if left.host.host.utf8.count != right.host.host.utf8.count {
                return left.host.host.utf8.count > right.host.host.utf8.count
            }
            return left.port != nil && right.port == nil
        }
        self.redirectHosts = redirectHosts
    }

    package func rule(for url: CanonicalURL) -> OriginRule? {
        rules.first { $0.matches(url) }
    }

    /// The ranges that the URL's addresses may be in besides public ones, or ``FetchError/refused(_:hint:)``.
    package func check(_ url: CanonicalURL, isRedirect: Bool) throws(FetchError) -> [AddressRange] {
        if let rule = rule(for: url) { return rule.ranges }
        let place = Self.place(of: url)
        guard isRedirect else { throw .refused(.hostNotAllowed, hint: "--allow-origin \(place)") }
        guard redirectHosts.contains(where: { $0.matches(url.host) }) else {
            throw .refused(.redirectNotAllowed, hint: "--allow-redirect-to \(Self.host(of: url))")
        }
        return []
    }

    static func addressRefusal(_ blockedClass: String, for url: CanonicalURL) -> FetchError {
        .refused(.addressBlocked(class: blockedClass), hint: "--allow-origin \(place(of: url))=CIDR")
    }

    private static func host(of url: CanonicalURL) -> String { url.host.contains(":") ? "[\(url.host)]" : url.host }

    private static func place(of url: CanonicalURL) -> String {
        url.port == (url.scheme == "https" ? 443 : 80) ? host(of: url) : "\(host(of: url)):\(url.port)"
    }
}
