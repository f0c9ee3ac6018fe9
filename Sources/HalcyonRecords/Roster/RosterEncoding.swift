/// How the text of a roster file is encoded.
package enum RosterEncoding: String, Sendable, CaseIterable {
    case utf8 = "utf-8"
    case utf16LittleEndian = "utf-16le"
    case utf16BigEndian = "utf-16be"
    /// Microsoft's superset of EUC-KR, which Korean spreadsheets write.
    case cp949

    /// What the file is, judged by its byte order mark, else by where zero bytes stand (every comma and line feed of
    /// UTF-16 has one, no other encoding here has any), else by whether it is well-formed UTF-8.
    static func detect(_ bytes: [UInt8]) -> (encoding: RosterEncoding, markLength: Int) {
        if bytes.starts(with: RosterEncoding.utf8.byteOrderMark) { return (.utf8, 3) }
        if bytes.starts(with: RosterEncoding.utf16LittleEndian.byteOrderMark) { return (.utf16LittleEndian, 2) }
        if bytes.starts(with: RosterEncoding.utf16BigEndian.byteOrderMark) { return (.utf16BigEndian, 2) }
        let zeros = bytes.prefix(4096).indices.filter { bytes[$0] == 0 }
        if !zeros.isEmpty {
            let odd = zeros.count { $0 % 2 == 1 }
            return (odd * 2 > zeros.count ? .utf16LittleEndian : .utf16BigEndian, 0)
        }
        return (String(validating: bytes, as: UTF8.self) == nil ? .cp949 : .utf8, 0)
    }

    /// Empty where the encoding has none.
    var byteOrderMark: [UInt8] {
        switch self {
        case .utf8: [0xEF, 0xBB, 0xBF]
        case .utf16LittleEndian: [0xFF, 0xFE]
        case .utf16BigEndian: [0xFE, 0xFF]
        case .cp949: []
        }
    }

    /// The name that iconv(3) of glibc knows it by.
    var iconvName: String {
        switch self {
        case .utf8: "UTF-8"
        case .utf16LittleEndian: "UTF-16LE"
        case .utf16BigEndian: "UTF-16BE"
        case .cp949: "CP949"
        }
    }

    var displayName: String { self == .cp949 ? "CP949/EUC-KR" : rawValue.uppercased() }
}
