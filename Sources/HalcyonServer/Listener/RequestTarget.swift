/// A request target in origin-form, absolute-form or asterisk-form (RFC 9112 §3.2), split and decoded.
package struct RequestTarget: Sendable, Hashable {
    /// Decoded path segments: `/a%2Fb/c` is `["a/b", "c"]`. A trailing slash leaves an empty last segment.
    package let segments: [String]
    /// In order, decoded; `+` is a space (application/x-www-form-urlencoded).
    package let query: [(name: String, value: String)]
    /// The path as it was sent.
    package let rawPath: String

    /// `nil` for what is no target: not beginning with a slash, a broken percent escape, bytes that are not UTF-8,
    /// a NUL, or a dot segment (a client resolves those before it sends).
    package init?(_ raw: some Collection<UInt8>) {
        var rest = Array(raw)[...]
        if rest.elementsEqual("*".utf8) {
            (segments, query, rawPath) = ([], [], "*")
            return
        }
        if let slash = Self.endOfAuthority(rest) { rest = rest[slash...] }
        if rest.isEmpty || rest.first == UInt8(ascii: "?") { rest = [UInt8(ascii: "/")] + rest }
        guard rest.first == UInt8(ascii: "/"), rest.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        let mark = rest.firstIndex(of: UInt8(ascii: "?"))
        let path = rest[..<(mark ?? rest.endIndex)]
        rawPath = String(decoding: path, as: UTF8.self)
        var segments: [String] = []
        for part in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let segment = Self.decode(part, plusIsSpace: false), segment != ".", segment != ".." else {
                return nil
            }
            segments.append(segment)
        }
        self.segments = segments
        var query: [(String, String)] = []
        let text = mark.map { rest[rest.index(after: $0)...] } ?? []
        for item in text.split(separator: UInt8(ascii: "&")) {
            let equals = item.firstIndex(of: UInt8(ascii: "="))
            guard let name = Self.decode(item[..<(equals ?? item.endIndex)], plusIsSpace: true),
                let value = Self.decode(equals.map { item[($0 + 1)...] } ?? [], plusIsSpace: true)
            else { return nil }
            query.append((name, value))
        }
        self.query = query
    }

    /// The server as a whole, not something on it. Any path has a segment, if an empty one.
    package var isAsterisk: Bool { segments.isEmpty }

    package func values(of name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }

    package static func == (left: Self, right: Self) -> Bool {
        left.rawPath == right.rawPath && left.query.elementsEqual(right.query, by: ==)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(rawPath)
    }

    /// For `http://host/path`: where the path begins, or the end.
    private static func endOfAuthority(_ raw: ArraySlice<UInt8>) -> Int? {
        for scheme in ["http://", "https://"] {
            guard raw.count >= scheme.utf8.count,
                zip(raw, scheme.utf8).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
            else { continue }
            let authority = raw.dropFirst(scheme.utf8.count)
            return authority.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? raw.endIndex
        }
        return nil
    }

    /// `nil` for an escape that is none, for NUL, and for what is not UTF-8.
    static func decode(_ part: ArraySlice<UInt8>, plusIsSpace: Bool) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(part.count)
        var index = part.startIndex
        while index < part.endIndex {
            let byte = part[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < part.endIndex, let high = hexDigit(part[index + 1]),
                    let low = hexDigit(part[index + 2]),
                    high | low != 0
                else { return nil }
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(byte == UInt8(ascii: "+") && plusIsSpace ? UInt8(ascii: " ") : byte)
                index += 1
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
