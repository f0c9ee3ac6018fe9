/// The text of a roster file as UTF-8, whatever it was written in.
enum RosterText {
    /// - Throws: ``RecordError/roster(_:)`` with the line and byte where the text is broken.
    static func decode(_ bytes: [UInt8]) throws(RecordError) -> (text: [UInt8], encoding: RosterEncoding) {
        if let format = signatures.first(where: { bytes.starts(with: $0.bytes) }) {
            throw .roster("the file is \(format.name), not CSV: save it as CSV first")
        }
        let (encoding, markLength) = RosterEncoding.detect(bytes)
        let body = Array(bytes.dropFirst(markLength))
        if encoding == .utf8, String(validating: body, as: UTF8.self) != nil { return (body, encoding) }
        guard let converter = TextConverter(from: encoding, to: .utf8) else {
            throw .roster("the text looks like \(encoding.displayName), which this system's C library cannot read")
        }
        do throws(TextConverter.Failure) {
            return (try converter.convert(body), encoding)
        } catch {
            let line = lineNumber(at: error.offset, in: body, encoding: encoding)
            let what =
                markLength == 0 && encoding == .cp949
                ? "the text is neither UTF-8 nor \(encoding.displayName)" : "the text is not \(encoding.displayName)"
            throw .roster("line \(line), byte \(error.offset + markLength) of the file: \(what)")
        }
    }

    /// What people take for a roster besides CSV.
    private static let signatures: [(bytes: [UInt8], name: String)] = [
        (Array("PK\u{3}\u{4}".utf8), "a spreadsheet (.xlsx, .ods) or another archive"),
        ([0xD0, 0xCF, 0x11, 0xE0], "an older spreadsheet or document (.xls, .hwp, .doc)"),
        (Array("%PDF-".utf8), "a PDF"), ([0x89] + Array("PNG".utf8), "a picture"), ([0xFF, 0xD8, 0xFF], "a picture"),
    ]

    /// Counts line ends before `offset`. In no encoding here is a byte of another character mistaken for one.
    private static func lineNumber(at offset: Int, in bytes: [UInt8], encoding: RosterEncoding) -> Int {
        let isWide = encoding == .utf16LittleEndian || encoding == .utf16BigEndian
        let low = encoding == .utf16BigEndian ? 1 : 0
        var line = 1
        var previous: UInt8 = 0
        for start in stride(from: 0, to: offset - (isWide ? 1 : 0), by: isWide ? 2 : 1) {
            let isASCII = !isWide || bytes[start + 1 - low] == 0
            let unit = isASCII ? bytes[isWide ? start + low : start] : 0
            if unit == UInt8(ascii: "\r") || (unit == UInt8(ascii: "\n") && previous != UInt8(ascii: "\r")) {
                line += 1
            }
            previous = unit
        }
        return line
    }
}
