/// What a student's fields may hold. The schema holds the same limits.
enum StudentRules {
    static let idRange = 1...9_007_199_254_740_991
    static let seatRange = 1...99
    static let nameLimitCharacters = 100
    static let photoURLLimitBytes = 8192

    static func id(_ value: Int) throws(RecordError) -> Int {
        guard idRange.contains(value) else {
            throw .invalid(field: "id", accepted: "a whole number from 1 to \(idRange.upperBound)")
        }
        return value
    }

    /// - Parameter field: `grade`, `classNumber` or `number`.
    static func seat(_ value: Int, field: String) throws(RecordError) -> Int {
        guard seatRange.contains(value) else {
            throw .invalid(field: field, accepted: "a whole number from 1 to \(seatRange.upperBound)")
        }
        return value
    }

    /// The name without surrounding white space, composed (NFC).
    static func name(_ text: String) throws(RecordError) -> String {
        let name = NameText.composed(trimmed(text))
        guard !name.isEmpty, name.unicodeScalars.count <= nameLimitCharacters,
            !name.unicodeScalars.contains(where: isControl)
        else {
            throw .invalid(
                field: "name", accepted: "1 to \(nameLimitCharacters) characters without control characters")
        }
        return name
    }

    /// The URL without surrounding white space, `nil` for an empty one. Whether it may be fetched is decided when it is.
    static func photoURL(_ text: String?, field: String = "profileImageURL") throws(RecordError) -> String? {
        let url = trimmed(text ?? "")
        guard !url.isEmpty else { return nil }
        guard url.utf8.count <= photoURLLimitBytes, host(ofURL: url) != nil, !hasUserInformation(url),
            !url.unicodeScalars.contains(where: isControlOrSpace)
        else {
            throw .invalid(
                field: field,
                accepted:
                    "an absolute http or https URL without spaces, user name and password, of at most \(photoURLLimitBytes) bytes, "
                    + "or nothing")
        }
        return url
    }

    /// Such a URL is never fetched, so it is not recorded either.
    private static func hasUserInformation(_ url: String) -> Bool {
        guard let start = url.utf8.firstRange(of: "://".utf8)?.upperBound else { return false }
        return url.utf8[start...].prefix { !"/?#\\".utf8.contains($0) }.contains(UInt8(ascii: "@"))
    }

    /// `host` or `host:port` of an http or https URL in lower case; `nil` if it is not one. Loose: good for a report of
    /// the hosts in a roster, not for a decision about a fetch.
    static func host(ofURL url: String) -> String? {
        let bytes = url.utf8
        let scheme = ["http://", "https://"].first { scheme in
            bytes.prefix(scheme.utf8.count).elementsEqual(scheme.utf8) { byte, letter in
                byte == letter || byte | 0x20 == letter && (0x41...0x5A).contains(byte)
            }
        }
        guard let scheme else { return nil }
        let authority = bytes.dropFirst(scheme.utf8.count).prefix { !"/?#\\".utf8.contains($0) }
        let host = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last ?? authority
        guard let first = host.first, first != UInt8(ascii: ":") else { return nil }
        return String(host)?.lowercased()
    }

    static func trimmed(_ text: some StringProtocol) -> String {
        let scalars = text.unicodeScalars
        let isSpace = { (scalar: Unicode.Scalar) in
            // Asks the Unicode tables only about what is not ASCII.
            scalar.isASCII
                ? scalar.value == 0x20 || (0x09...0x0D).contains(scalar.value)
                : scalar.properties.isWhitespace || scalar == "\u{FEFF}"
        }
        guard let first = scalars.firstIndex(where: { !isSpace($0) }),
            let last = scalars.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(text[first..<scalars.index(after: last)])
    }

    private static func isControlOrSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            ? scalar.value <= 0x20 || scalar.value == 0x7F : isControl(scalar) || scalar.properties.isWhitespace
    }

    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
}
