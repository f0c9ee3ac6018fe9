internal import HalcyonCrypto

/// Ids of 20 characters whose order as bytes is the order of time: eight that count milliseconds and twelve drawn at random,
/// from an alphabet that is in ASCII order (as the older clients' database makes them).
enum NoticeID {
    private static let alphabet = Array("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".utf8)

    static func make(milliseconds: Int) -> String {
        let time = (0..<8).reversed().map { alphabet[(milliseconds >> ($0 * 6)) & 63] }
        let random = SecureRandom.bytes(12).map { alphabet[Int($0 & 63)] }
        return String(decoding: time + random, as: UTF8.self)
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
