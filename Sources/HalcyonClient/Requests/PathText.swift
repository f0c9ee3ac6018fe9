/// Text as part of a URL.
public enum PathText {
    /// `/noticeBoards/` and the club: each segment percent-encoded as UTF-8, slashes in it included.
    public static func joined(_ segments: String...) -> String {
        segments.map { "/" + encoded($0) }.joined()
    }

    /// All but `unreserved` of RFC 3986 §2.3 is escaped.
    static func encoded(_ text: String) -> String {
        let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if unreserved.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func query(_ items: [(name: String, value: String?)]) -> String {
        let pairs = items.compactMap { item in item.value.map { "\(encoded(item.name))=\(encoded($0))" } }
        return pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }
}
