/// The URL and file name safe alphabet of RFC 4648 §5, without padding (§3.2).
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        let length = (bytes.count * 4 + 2) / 3
        return String(unsafeUninitializedCapacity: length) { buffer in
            var pending: UInt32 = 0
            var bits: UInt32 = 0
            var index = 0
            for byte in bytes {
                pending = pending << 8 | UInt32(byte)
                bits += 8
                while bits >= 6 {
                    bits -= 6
                    buffer[index] = alphabet[Int(pending >> bits & 63)]
                    index += 1
                }
            }
            if bits > 0 {
                buffer[index] = alphabet[Int(pending << (6 - bits) & 63)]
                index += 1
            }
            return index
        }
    }

    /// `nil` for padding, characters outside the alphabet, a lone last character, and left-over bits that are not zero
    /// (RFC 4648 §3.5): every value has exactly one spelling, so a signature cannot be written in two ways.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3 / 4)
        var pending: UInt32 = 0
        var bits: UInt32 = 0
        for unit in text.utf8 {
            guard let value = value(of: unit) else { return nil }
            pending = pending << 6 | value
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> bits))
            }
        }
        guard bits < 6, pending & (1 << bits - 1) == 0 else { return nil }
        return bytes
    }

    private static func value(of unit: UInt8) -> UInt32? {
        switch unit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(unit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(unit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(unit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
