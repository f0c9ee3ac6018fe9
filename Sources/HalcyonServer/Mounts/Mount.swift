package import HalcyonHTTP

/// A path below which everything is forwarded to another server and cached by the rules of HTTP (RFC 9111).
package struct Mount: Sendable, Hashable {
    /// Begins with a slash and does not end in one; empty for a mount at `/`.
    package let prefix: String
    /// Scheme, host and port of the origin; its path stands in ``basePath``.
    package let origin: CanonicalURL
    /// What stands before the rest of the path at the origin; does not end in a slash.
    package let basePath: String
    package var policy = MountPolicy()

    /// Reads `/PATH=ORIGIN_URL`.
    package init(_ text: String) throws(MountProblem) {
        guard let equals = text.firstIndex(of: "=") else { throw .noOrigin }
        var prefix = String(text[..<equals])
        while prefix.hasSuffix("/") { prefix.removeLast() }
        try Self.check(prefix)
        let url: CanonicalURL
        do throws(URLProblem) { url = try CanonicalURL(String(text[text.index(after: equals)...])) } catch {
            throw .badOrigin(error.description)
        }
        guard !url.text.contains("?") else { throw .badOrigin("it has a query") }
        self.prefix = prefix
        origin = url
        var base = String(url.target.prefix { $0 != "?" })
        while base.hasSuffix("/") { base.removeLast() }
        basePath = base
    }

    /// The target at the origin, byte for byte what stood behind the prefix; `nil` if the path is not below this mount.
    func target(of origin: Substring) -> String? {
        guard origin.hasPrefix(prefix) else { return nil }
        let rest = origin.dropFirst(prefix.count)
        if rest.isEmpty { return basePath + "/" }
        guard rest.first == "/" || rest.first == "?" else { return nil }
        return rest.first == "?" ? basePath + "/" + rest : basePath + rest
    }

    /// What is allowed of these origins' addresses: what a rule of the operator's says, or else public ones; and the very
    /// address that a mount names, or this machine's if it names that.
    package static func fetchConfiguration(_ mounts: [Mount], _ base: FetchConfiguration) -> FetchConfiguration {
        var configuration = base
        var rules: [OriginRule] = []
        for mount in mounts {
            let host = mount.origin.host
            do throws(OriginRuleProblem) {
                let pattern = try HostPattern(host.contains(":") ? "[\(host)]" : host)
                var rule = OriginRule(host: pattern, port: mount.origin.port)
                rule.ranges = base.policy.rule(for: mount.origin)?.ranges ?? []
                if host == "localhost" {
                    rule.ranges += [try AddressRange("127.0.0.0/8"), try AddressRange("::1")]
                } else if IPAddress(host) != nil {
                    rule.ranges.append(try AddressRange(host))
                }
                rules.append(rule)
            } catch {
                continue  // No rule, so nothing is fetched from there.
            }
        }
        configuration.policy = OriginPolicy(rules: rules)
        return configuration
    }

    /// As in `--mount`, for messages and the log.
    package var path: String { prefix.isEmpty ? "/" : prefix }

    private static func check(_ prefix: String) throws(MountProblem) {
        guard !prefix.isEmpty else { return }
        guard prefix.first == "/" else { throw .badPath }
        for segment in prefix.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let isPlain =
                !segment.isEmpty && segment != "." && segment != ".."
                && segment.utf8.allSatisfy { byte in
                    ("a"..."z").contains(Character(UnicodeScalar(byte | 0x20)))
                        || ("0"..."9").contains(Character(UnicodeScalar(byte))) || "-._~".utf8.contains(byte)
                }
            guard isPlain else { throw .badPath }
        }
    }
}

/// Why a text names no mount.
package enum MountProblem: Error, Sendable, Hashable, CustomStringConvertible {
    case noOrigin
    case badPath
    case badOrigin(String)

    package var description: String {
        switch self {
        case .noOrigin: "expected /PATH=ORIGIN_URL, such as /photos=https://photos.school.example"
        case .badPath: "expected a path of letters, digits and -._~ between slashes, such as /photos"
        case .badOrigin(let reason): "expected an http or https URL of the origin without a query (\(reason))"
        }
    }
}
