/// The list syntax of field values (RFC 9110 §5.6.1).
enum FieldList {
    /// The elements between commas, without surrounding whitespace and without the empty ones. A comma inside a
    /// quoted string does not separate. From a quote that is never closed on, quotes are ordinary characters: it
    /// cannot hide the directives behind it, and is searched for once only.
    static func elements(of value: String) -> [Substring] {
        var elements: [Substring] = []
        let units = value.utf8
        var start = units.startIndex
        var index = start
        var hasQuotes = true
        func add(upTo end: String.Index) {
            let element = ASCII.trimmed(value[start..<end])
            if !element.isEmpty { elements.append(element) }
        }
        while index < units.endIndex {
            switch units[index] {
            case UInt8(ascii: ","):
                add(upTo: index)
                start = units.index(after: index)
            case UInt8(ascii: "\"") where hasQuotes:
                if let close = closingQuote(in: units, after: index) { index = close } else { hasQuotes = false }
            default:
                break
            }
            units.formIndex(after: &index)
        }
        add(upTo: units.endIndex)
        return elements
    }

    /// The content of a quoted string (RFC 9110 §5.6.4), backslashes resolved; other text as it is.
    static func unquoted(_ text: Substring) -> Substring {
        let units = text.utf8
        guard units.count >= 2, units.first == UInt8(ascii: "\""), units.last == UInt8(ascii: "\"") else { return text }
        let content = units.dropFirst().dropLast()
        guard content.contains(UInt8(ascii: "\\")) else { return Substring(content) }
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in content {
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            if !isEscaped { bytes.append(byte) }
        }
        return Substring(decoding: bytes, as: UTF8.self)
    }

    private static func closingQuote(in units: String.UTF8View, after open: String.Index) -> String.Index? {
        var index = units.index(after: open)
        while index < units.endIndex {
            switch units[index] {
            case UInt8(ascii: "\""): return index
            case UInt8(ascii: "\\"):
                units.formIndex(after: &index)
                if index == units.endIndex { return nil }
            default: break
            }
            units.formIndex(after: &index)
        }
        return nil
    }
}
