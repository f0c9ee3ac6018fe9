/// Which of a caller's fields may go to an origin. A client's cookies and credentials never do; those that an origin
/// needs are in its ``OriginRule``.
enum RequestFieldFilter {
    private static let never: Set<String> = [
        "authorization", "cookie", "cookie2", "proxy-authorization",
        // Of the connection or the message, so curl's business (RFC 9110 §7.6.1).
        "host", "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
        "content-length", "expect", "accept-encoding",
    ]

    /// Fields without secrets, which may follow a redirect to another origin.
    private static let everywhere: Set<String> = [
        "accept", "accept-language", "user-agent", "cache-control", "pragma", "if-none-match", "if-modified-since",
        "if-range", "range", "content-type", "content-encoding", "content-language",
    ]

    static func passes(_ line: HTTPFields.Line, hasLeftOrigin: Bool) -> Bool {
        let name = line.name.lowercased()
        return line.isWellFormed && !never.contains(name) && (!hasLeftOrigin || everywhere.contains(name))
    }

    /// To be left out when a redirect takes the body away (RFC 9110 §15.4).
    static func describesBody(_ line: HTTPFields.Line) -> Bool { line.name.lowercased().hasPrefix("content-") }
}
