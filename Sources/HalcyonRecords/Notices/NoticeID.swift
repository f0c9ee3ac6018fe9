internal import HalcyonCrypto

/// Ids of 20 characters whose order as bytes is the order of making: eight that count milliseconds and twelve drawn at
/// random, from an alphabet that is in ASCII order (as the older clients' database makes them).
enum NoticeID {
    private static let alphabet = Array("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".utf8)
    private static let timeLength = 8

    /// - Parameter last: the id made before. Within its millisecond, and when the clock has stepped back, the new one is
    ///   its successor.
    static func make(milliseconds: Int, after last: String? = nil) -> String {
        let time = (0..<timeLength).reversed().map { alphabet[(milliseconds >> ($0 * 6)) & 63] }
        if let last = last.map({ Array($0.utf8) }), !last.prefix(timeLength).lexicographicallyPrecedes(time) {
            return successor(of: last)
        }
        let random = SecureRandom.bytes(12).map { alphabet[Int($0 & 63)] }
        return String(decoding: time + random, as: UTF8.self)
    }

    /// The next number in base 64.
    private static func successor(of id: [UInt8]) -> String {
        var id = id
        for index in id.indices.reversed() {
            let digit = alphabet.firstIndex(of: id[index]) ?? 0
            id[index] = alphabet[(digit + 1) & 63]
            if digit < 63 { break }
        }
        return String(decoding: id, as: UTF8.self)
    }

    /// A key of the older clients' database: 1…128 characters without `.`, `#`, `$`, `[`, `]`, `/` and control characters.
    static func check(_ text: String, field: String) throws(RecordError) -> String {
        guard (1...128).contains(text.unicodeScalars.count),
            !text.unicodeScalars.contains(where: { ".#$[]/".unicodeScalars.contains($0) || StudentRules.isControl($0) })
        else {
            throw .invalid(field: field, accepted: "1 to 128 characters without . # $ [ ] / and control characters")
        }
        return text
    }
}
