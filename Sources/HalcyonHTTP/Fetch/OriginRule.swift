/// One origin that photos may come from: an entry of `--allow-origin`, or of `origins` in the configuration file.
package struct OriginRule: Sendable, Hashable {
    package var host: HostPattern
    /// `nil`: any port.
    package var port: Int?
    /// Special-purpose ranges that this origin may be in besides public addresses. Empty: public addresses only.
    package var ranges: [AddressRange]
    /// Sent with each request to this origin, and to no other.
    package var requestFields = HTTPFields()
    /// The value of `Authorization`, sent to this origin alone.
    package var credential: String?
    /// Query items that do not count when two URLs are compared, such as signatures.
    package var droppedQueryItems: Set<String> = []
    /// Names the credentials in cache keys; `nil`: host and port of the rule do.
    package var scopeName: String?

    package init(host: HostPattern, port: Int? = nil, ranges: [AddressRange] = []) {
        self.host = host
        self.port = port
        self.ranges = ranges
    }

    /// Reads `HOST[:PORT][=CIDR,…]`, HOST being a name, `*.suffix`, an IPv4 address or `[IPv6]`.
    package init(_ text: String) throws(OriginRuleProblem) {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        var place = sides[0]
        var port: Int?
        let bracket = place.lastIndex(of: "]") ?? place.startIndex
        if let colon = place[bracket...].lastIndex(of: ":") {
            let digits = place[place.index(after: colon)...]
            guard let number = ASCII.number(digits.utf8, cappedAt: 65_536), 1...65_535 ~= number else {
                throw .invalidPort
            }
            port = number
            place = place[..<colon]
        }
        var ranges: [AddressRange] = []
        if sides.count == 2 {
            for range in sides[1].split(separator: ",", omittingEmptySubsequences: false) {
                ranges.append(try AddressRange(String(range)))
            }
        }
        self.init(host: try HostPattern(String(place)), port: port, ranges: ranges)
    }

    /// Part of the cache key: empty if everybody gets the same from this origin, else a name for the credentials that
    /// does not change when they are renewed and gives nothing of them away.
    package var credentialScope: String {
        guard credential != nil || !requestFields.lines.isEmpty else { return "" }
        return scopeName ?? (port.map { "\(host):\($0)" } ?? "\(host)")
    }

    package func matches(_ url: CanonicalURL) -> Bool {
        (port == nil || port == url.port) && host.matches(url.host)
    }
}
