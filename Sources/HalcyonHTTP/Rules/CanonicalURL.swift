/// An absolute http or https URL in the one form that equal URLs share (RFC 3986 §6.2.2, §6.2.3).
///
/// Scheme and host are lower-case, the default port, a dot at the end of the host and the fragment are dropped, dot
/// segments are removed, an empty path is `/`. Percent-encoded unreserved characters are decoded, other escapes are in
/// upper case, and what a path or query may not hold as it is (spaces, `"<>[]^{|}` and the backtick, non-ASCII as
/// UTF-8) is encoded. The order of a query stays. Spaces round the text are ignored.
///
/// What two parsers could read differently is refused: user information, backslashes, control characters, host
/// forms that only `inet_aton` takes for an address, percent-encoded and non-ASCII hosts.
package struct CanonicalURL: Sendable, Hashable, CustomStringConvertible {
    /// 8192 bytes.
    package static let greatestLength = 8192

    package let text: String
    /// Lower-case; an IPv6 address in the form of RFC 5952, without brackets.
    package let host: String
    /// The one in effect: 80 or 443 if the text names none.
    package let port: Int
    private let isSecure: Bool
    /// Bytes of `text` before the path.
    private let targetOffset: Int

    package init(_ text: String) throws(URLProblem) {
        try self.init(bytes: Array(text.utf8)[...])
    }

    private init(bytes given: ArraySlice<UInt8>) throws(URLProblem) {
        var rest = Self.trimmed(given)
        guard rest.count <= Self.greatestLength else { throw .tooLong }
        for byte in rest {
            if ASCII.isControl(byte) { throw .controlCharacter }
            if byte == UInt8(ascii: "\\") { throw .backslash }
        }
        guard let scheme = Self.scheme(of: rest) else { throw .notAbsolute }
        isSecure = ASCII.matches(scheme, "https".utf8)
        guard isSecure || ASCII.matches(scheme, "http".utf8) else { throw .unsupportedScheme }
        rest = rest.dropFirst(scheme.count + 1)
        guard rest.starts(with: "//".utf8) else { throw .notAbsolute }
        rest = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "#") }

        let authority = try URLAuthority(rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") })
        rest = rest.dropFirst(authority.length)
        host = authority.host
        let defaultPort = isSecure ? 443 : 80
        port = authority.port ?? defaultPort

        let path = rest.prefix { $0 != UInt8(ascii: "?") }
        let query = rest.dropFirst(path.count)
        var output: [UInt8] = []
        output.reserveCapacity(given.count + 8)
        output.append(contentsOf: isSecure ? "https://".utf8 : "http://".utf8)
        output.append(contentsOf: authority.hostInBrackets.utf8)
        if port != defaultPort { output.append(contentsOf: ":\(port)".utf8) }
        targetOffset = output.count
        try URLEncoding.appendPath(path, to: &output)
        try URLEncoding.append(query, allowing: URLEncoding.query, to: &output)
        guard output.count <= Self.greatestLength else { throw .tooLong }
        self.text = String(decoding: output, as: UTF8.self)
    }

    /// `http` or `https`.
    package var scheme: String { isSecure ? "https" : "http" }

    /// Path and query, as in a request line; begins with `/`.
    package var target: String { String(decoding: text.utf8.dropFirst(targetOffset), as: UTF8.self) }

    /// `https://host:port`, the port always written: two URLs with the same one may share credentials.
    package var origin: String { "\(scheme)://\(hostInBrackets):\(port)" }

    /// Scheme, host and, unless it is the default, port: for errors and logs, which hold neither path nor query.
    package var redacted: String {
        String(decoding: text.utf8.prefix(targetOffset), as: UTF8.self) + "/…"
    }

    package var description: String { redacted }

    private var hostInBrackets: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host }

    package static func == (left: CanonicalURL, right: CanonicalURL) -> Bool { left.text == right.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension CanonicalURL {
    /// The target of a reference found in this resource, such as a `Location` (RFC 3986 §5.2).
    package func resolving(_ reference: String) throws(URLProblem) -> CanonicalURL {
        let reference = Self.trimmed(Array(reference.utf8)[...])
        if Self.scheme(of: reference) != nil { return try CanonicalURL(bytes: reference) }
        let base = Array(text.utf8)
        let path = base[targetOffset...].prefix { $0 != UInt8(ascii: "?") }
        let kept: ArraySlice<UInt8>
        switch reference.first {
        case nil, UInt8(ascii: "#"): kept = base[...]
        case UInt8(ascii: "?"): kept = base[..<path.endIndex]
        case UInt8(ascii: "/"):
            let hasAuthority = reference.dropFirst().first == UInt8(ascii: "/")
            kept = base.prefix(hasAuthority ? scheme.utf8.count + 1 : targetOffset)
        default:
            let directory = path.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
            kept = base[...directory]
        }
        return try CanonicalURL(bytes: kept + reference)
    }

    /// Without the query items (`name=value` or `name`, between `&`) of these names; names are compared as they stand
    /// in the canonical text. A query of which nothing is left goes with its `?`.
    package func droppingQueryItems(named names: Set<String>) -> CanonicalURL {
        guard !names.isEmpty, let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else { return self }
        let query = text[text.utf8.index(after: mark)...]
        let items = query.split(separator: "&", omittingEmptySubsequences: false)
        let kept = items.filter { item in
            !names.contains(String(item.prefix { $0 != "=" }))
        }
        guard kept.count < items.count else { return self }
        let suffix = kept.isEmpty ? "" : "?" + kept.joined(separator: "&")
        return CanonicalURL(self, text: String(text[..<mark]) + suffix)
    }

    /// The same scheme, host and port with another target, canonical already.
    private init(_ other: CanonicalURL, text: String) {
        self.text = text
        host = other.host
        port = other.port
        isSecure = other.isSecure
        targetOffset = other.targetOffset
    }

    /// What stands before the first colon, if that is a scheme (RFC 3986 §3.1).
    private static func scheme(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let name = bytes.prefix { byte in
            ASCII.isLetter(byte) || ASCII.isDigit(byte) || "+-.".utf8.contains(byte)
        }
        guard let first = name.first, ASCII.isLetter(first) else { return nil }
        return bytes.dropFirst(name.count).first == UInt8(ascii: ":") ? name : nil
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes.drop { $0 == 0x20 }
        while rest.last == 0x20 { rest.removeLast() }
        return rest
    }
}
