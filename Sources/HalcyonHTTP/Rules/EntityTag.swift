/// An entity tag (RFC 9110 §8.8.3).
package struct EntityTag: Sendable, Hashable, CustomStringConvertible {
    /// What stands between the quotes. There is no escaping in it: a backslash is a character like others.
    package let opaque: String
    package let isWeak: Bool

    /// Reads `"…"` or `W/"…"`; `nil` for anything else, unquoted tags and a small `w` included.
    package init?(_ text: String) {
        var rest = ASCII.trimmed(text[...]).utf8
        guard let tag = Self.take(from: &rest), rest.isEmpty else { return nil }
        self = tag
    }

    private init(opaque: String, isWeak: Bool) {
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// The tags of an `If-Match` or `If-None-Match`. What is no tag is left out, `*` too: that is the caller's to see.
    package static func list(_ fieldValue: String) -> [EntityTag] {
        var tags: [EntityTag] = []
        var rest = fieldValue[...].utf8
        while true {
            rest = rest.drop { ASCII.isWhitespace($0) || $0 == UInt8(ascii: ",") }
            if rest.isEmpty { return tags }
            let tag = take(from: &rest)
            let remainder = rest.prefix { $0 != UInt8(ascii: ",") }
            if let tag, remainder.allSatisfy(ASCII.isWhitespace) { tags.append(tag) }
            rest = rest.dropFirst(remainder.count)
        }
    }

    /// Same tag, and both strong (RFC 9110 §8.8.3.2).
    package func strongEquals(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// Same tag, weak or not (RFC 9110 §8.8.3.2).
    package func weakEquals(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// As on the wire.
    package var description: String { isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\"" }

    /// Takes a tag off the front, or leaves `rest` alone.
    private static func take(from rest: inout Substring.UTF8View) -> EntityTag? {
        let isWeak = rest.starts(with: "W/".utf8)
        let quoted = rest.dropFirst(isWeak ? 2 : 0)
        guard quoted.first == UInt8(ascii: "\"") else { return nil }
        let content = quoted.dropFirst()
        guard let close = content.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        let opaque = content[..<close]
        guard opaque.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        rest = content[close...].dropFirst()
        return EntityTag(opaque: String(Substring(opaque)), isWeak: isWeak)
    }
}
