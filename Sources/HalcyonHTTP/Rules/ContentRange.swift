/// The `Content-Range` of a 206 (RFC 9110 §14.4), in bytes.
package struct ContentRange: Sendable, Hashable, CustomStringConvertible {
    package let first: Int
    /// Inclusive.
    package let last: Int
    /// Bytes of the whole representation; `nil` if the sender does not know (`*`).
    package let complete: Int?

    /// Reads `bytes 0-499/1234` and `bytes 0-499/*`. `nil` for another unit, for bounds that contradict each other or
    /// do not fit in 64 bits, and for `bytes */1234`, which comes with a 416 and holds no range.
    package init?(_ text: String) {
        let parts = ASCII.trimmed(text[...]).split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ASCII.matches(parts[0].utf8, "bytes".utf8) else { return nil }
        let sides = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        let bounds = sides[0].split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Self.number(bounds[0]), let last = Self.number(bounds[1]), first <= last
        else { return nil }
        if sides[1] == "*" {
            complete = nil
        } else {
            guard let length = Self.number(sides[1]), last < length else { return nil }
            complete = length
        }
        self.first = first
        self.last = last
    }

    /// For an answer with these bytes; `range` is not empty and ends within `complete`.
    package init(_ range: Range<Int>, of complete: Int) {
        first = range.lowerBound
        last = range.upperBound - 1
        self.complete = complete
    }

    /// The `Content-Range` of a 416 (RFC 9110 §15.5.17).
    package static func unsatisfied(complete: Int) -> String { "bytes */\(complete)" }

    /// As on the wire.
    package var description: String { "bytes \(first)-\(last)/\(complete.map(String.init) ?? "*")" }

    private static func number(_ digits: Substring) -> Int? {
        guard let value = ASCII.number(digits.utf8, cappedAt: .max), value < .max else { return nil }
        return value
    }
}
