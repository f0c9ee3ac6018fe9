/// What the grammars of RFC 9110 and RFC 3986 need to ask about a byte.
enum ASCII {
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// C0 controls and DEL.
    static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

    static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    static func digitValue(_ byte: UInt8) -> Int? { isDigit(byte) ? Int(byte & 15) : nil }

    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    /// Without regard to the case of ASCII letters; nothing else is folded.
    static func matches(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Bool {
        left.elementsEqual(right) { lowercased($0) == lowercased($1) }
    }

    /// Without the optional whitespace (RFC 9110 §5.6.3) at both ends.
    static func trimmed(_ text: Substring) -> Substring {
        var units = text.utf8[...]
        while let first = units.first, isWhitespace(first) { units.removeFirst() }
        while let last = units.last, isWhitespace(last) { units.removeLast() }
        return Substring(units)
    }

    /// `1*DIGIT` and nothing else, or `nil`. What exceeds `limit` is `limit`, however many digits there are.
    static func number(_ digits: some Sequence<UInt8>, cappedAt limit: Int) -> Int? {
        var value: Int?
        for byte in digits {
            guard let digit = digitValue(byte) else { return nil }
            let (product, overflow) = (value ?? 0).multipliedReportingOverflow(by: 10)
            let (sum, carried) = product.addingReportingOverflow(digit)
            value = overflow || carried ? limit : min(sum, limit)
        }
        return value
    }
}
