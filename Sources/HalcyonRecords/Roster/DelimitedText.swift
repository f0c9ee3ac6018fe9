/// Reads delimited text as RFC 4180 describes it, and a little more: lines may end in CRLF, LF or CR, the delimiter may be
/// another than the comma, and a quote inside an unquoted field is an ordinary character.
struct DelimitedText {
    struct Record: Hashable {
        /// The physical line that the record begins on, from 1.
        let line: Int
        var fields: [String] = []
        /// Index of a field that has text between its closing quote and the next delimiter, which makes it unreadable.
        var fieldAfterQuote: Int?
        /// The last field begins with a quote that is never closed: nothing from there on can be trusted.
        var isUnclosed = false

        var isBlank: Bool { fields.allSatisfy { StudentRules.trimmed($0).isEmpty } }
    }

    /// UTF-8.
    private let bytes: [UInt8]
    private let delimiter: UInt8
    private var position = 0
    private var line = 1

    init(_ bytes: [UInt8], delimiter: UInt8) {
        self.bytes = bytes
        self.delimiter = delimiter
    }

    /// `nil` at the end.
    mutating func next() -> Record? {
        guard position < bytes.count else { return nil }
        var record = Record(line: line)
        while true {
            if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
                let (field, isClosed) = quotedField()
                record.fields.append(field)
                record.isUnclosed = !isClosed
                let rest = unquotedField()
                if !StudentRules.trimmed(rest).isEmpty { record.fieldAfterQuote = record.fields.count - 1 }
            } else {
                record.fields.append(unquotedField())
            }
            guard position < bytes.count else { return record }
            if bytes[position] != delimiter {
                skipLineEnd()
                return record
            }
            position += 1
        }
    }

    /// Up to the next delimiter, line end or the end of the text.
    private mutating func unquotedField() -> String {
        let start = position
        while position < bytes.count, bytes[position] != delimiter, !Self.isLineEnd(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func quotedField() -> (String, isClosed: Bool) {
        var content: [UInt8] = []
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                position += 1
                guard position < bytes.count, bytes[position] == byte else {
                    return (String(decoding: content, as: UTF8.self), true)
                }
                content.append(byte)
                position += 1
            } else if Self.isLineEnd(byte) {
                let start = position
                skipLineEnd()
                content.append(contentsOf: bytes[start..<position])
            } else {
                content.append(byte)
                position += 1
            }
        }
        return (String(decoding: content, as: UTF8.self), false)
    }

    private mutating func skipLineEnd() {
        let isPair =
            bytes[position] == UInt8(ascii: "\r") && position + 1 < bytes.count
            && bytes[position + 1] == UInt8(ascii: "\n")
        position += isPair ? 2 : 1
        line += 1
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}
