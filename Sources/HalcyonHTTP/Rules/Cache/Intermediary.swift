/// What a proxy changes of a message (RFC 9110 §7.6): the fields of the connection stay behind, and it says that it was there.
package enum Intermediary {
    private static let connectionFields: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade", "trailer",
        "content-length", "proxy-authenticate", "proxy-authorization", "proxy-authentication-info",
    ]

    /// Without the fields of the connection and those that `Connection` names (§7.6.1). `Content-Length` is the framing's.
    package static func endToEnd(_ fields: HTTPFields) -> HTTPFields {
        var named = connectionFields
        for line in fields.lines where line.isNamed("Connection") {
            for element in FieldList.elements(of: line.value) { named.insert(element.lowercased()) }
        }
        var kept = fields
        kept.lines.removeAll { named.contains($0.name.lowercased()) }
        return kept
    }

    /// A request as it goes on: `Via` (§7.6.3), `Forwarded` (RFC 7239) and its older forms added to what was there.
    ///
    /// - Parameters:
    ///   - client: numeric address; empty if it is not known.
    ///   - version: of the message that came, `1.1` or `1.0`.
    package static func request(
        _ fields: HTTPFields, client: String, isTLS: Bool, version: String
    ) -> HTTPFields {
        var forwarded = endToEnd(fields)
        let host = fields.first("Host") ?? ""
        for name in ["Host", "Expect"] { forwarded.remove(name) }
        append("Via", "\(version) \(CacheStatus.cacheName)", to: &forwarded)
        if !client.isEmpty {
            append("X-Forwarded-For", client, to: &forwarded)
            let node = client.contains(":") ? "\"[\(client)]\"" : client
            let isPlain =
                !host.isEmpty
                && host.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "-.:[]".utf8.contains($0) }
            let shown = isPlain ? ";host=\"\(host)\"" : ""
            append("Forwarded", "for=\(node)\(shown);proto=\(isTLS ? "https" : "http")", to: &forwarded)
        }
        if !forwarded.contains("X-Forwarded-Proto") { forwarded.append("X-Forwarded-Proto", isTLS ? "https" : "http") }
        if !host.isEmpty, !forwarded.contains("X-Forwarded-Host") { forwarded.append("X-Forwarded-Host", host) }
        return forwarded
    }

    /// How often the request has come through a server of this name (RFC 9110 §7.6.3).
    package static func passes(_ fields: HTTPFields) -> Int {
        fields.values(of: "Via").flatMap { FieldList.elements(of: $0) }.count { element in
            let words = element.split(separator: " ")
            return words.count > 1 && words[1] == CacheStatus.cacheName
        }
    }

    /// An answer as it goes on.
    package static func response(_ fields: HTTPFields, version: String = "1.1") -> HTTPFields {
        var forwarded = endToEnd(fields)
        append("Via", "\(version) \(CacheStatus.cacheName)", to: &forwarded)
        return forwarded
    }

    private static func append(_ name: String, _ value: String, to fields: inout HTTPFields) {
        fields[name] = fields[name].map { "\($0), \(value)" } ?? value
    }
}
