/// The `Cache-Status` that this cache adds (RFC 9211). The cache key is never told, for it holds a URL.
package struct CacheStatus: Sendable, Hashable, CustomStringConvertible {
    package enum Handling: Sendable, Hashable {
        /// Answered from the cache.
        case hit
        /// Sent on to the origin.
        case forwarded(Reason)
        /// Neither, as for an answer made here.
        case local
    }

    /// Why a request went to the origin (RFC 9211 §2.2).
    package enum Reason: String, Sendable, Hashable {
        case bypass
        case method
        case uriMiss = "uri-miss"
        case varyMiss = "vary-miss"
        case miss
        case request
        case stale
        case partial
    }

    package static let cacheName = "halcyon"

    package var handling: Handling
    /// What the origin answered, if that is not the status of this answer (`fwd-status`). Only written if forwarded.
    package var forwardedStatus: Int?
    /// Seconds of freshness left, below 0 when stale; `nil` is not written.
    package var timeToLive: Int?
    /// Whether the forwarded answer was kept. Only written if forwarded.
    package var isStored: Bool
    /// Whether the answer came with another caller's request. Only written if forwarded.
    package var isCollapsed: Bool
    /// A word for the operator, best a token from a closed list; `nil` is not written.
    package var detail: String?

    package init(
        _ handling: Handling, forwardedStatus: Int? = nil, timeToLive: Int? = nil, isStored: Bool = false,
        isCollapsed: Bool = false, detail: String? = nil
    ) {
        self.handling = handling
        self.forwardedStatus = forwardedStatus
        self.timeToLive = timeToLive
        self.isStored = isStored
        self.isCollapsed = isCollapsed
        self.detail = detail
    }

    /// As on the wire, e.g. `halcyon; fwd=miss; stored`.
    package var description: String {
        var text = Self.cacheName
        switch handling {
        case .hit: text += "; hit"
        case .forwarded(let reason):
            text += "; fwd=\(reason.rawValue)"
            if let forwardedStatus { text += "; fwd-status=\(forwardedStatus)" }
        case .local: break
        }
        if let timeToLive { text += "; ttl=\(timeToLive)" }
        if case .forwarded = handling {
            if isStored { text += "; stored" }
            if isCollapsed { text += "; collapsed" }
        }
        if let detail { text += "; detail=\(Self.item(detail))" }
        return text
    }

    /// A token if it can be one, otherwise a string (RFC 8941 §4.1.6, §4.1.7); what neither can hold becomes `?`.
    private static func item(_ text: String) -> String {
        let units = text.utf8
        if let first = units.first, ASCII.isLetter(first) || first == UInt8(ascii: "*"), units.allSatisfy(isTokenByte) {
            return text
        }
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        for byte in units {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(0x20..<0x7F ~= byte ? byte : UInt8(ascii: "?"))
        }
        bytes.append(UInt8(ascii: "\""))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || "!#$%&'*+-.^_`|~:/".utf8.contains(byte)
    }
}
