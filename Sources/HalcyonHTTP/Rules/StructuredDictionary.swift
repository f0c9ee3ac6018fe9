/// A dictionary of structured fields (RFC 8941 §3.2, parsed as §4.2.2 says): all of it is valid, or none of it counts.
/// Parameters are checked and dropped; inner lists are checked and have no value here.
struct StructuredDictionary: Sendable {
    enum Value: Sendable, Hashable {
        case boolean(Bool)
        case integer(Int)
        case string(String)
        case other
    }

    private(set) var members: [(name: String, value: Value)] = []

    init?(_ text: String) {
        var parser = Parser(text)
        parser.skip(" ")
        while !parser.isAtEnd {
            guard let name = parser.key() else { return nil }
            var value = Value.boolean(true)
            if parser.take("=") {
                guard let item = parser.itemOrInnerList() else { return nil }
                value = item
            }
            guard parser.parameters() else { return nil }
            members.removeAll { $0.name == name }
            members.append((name, value))
            parser.skipOptionalWhitespace()
            if parser.isAtEnd { return }
            guard parser.take(",") else { return nil }
            parser.skipOptionalWhitespace()
            // A comma at the end is an error.
            if parser.isAtEnd { return nil }
        }
    }

    private struct Parser {
        private var rest: ArraySlice<UInt8>

        init(_ text: String) {
            rest = Array(text.utf8)[...]
            while rest.last == 0x20 { rest.removeLast() }
        }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func skip(_ character: Unicode.Scalar) {
            while rest.first == UInt8(ascii: character) { rest.removeFirst() }
        }

        mutating func skipOptionalWhitespace() {
            while let first = rest.first, ASCII.isWhitespace(first) { rest.removeFirst() }
        }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        /// §4.2.3.3
        mutating func key() -> String? {
            guard let first = rest.first, isLower(first) || first == UInt8(ascii: "*") else { return nil }
            let name = rest.prefix { isLower($0) || ASCII.isDigit($0) || "_-.*".utf8.contains($0) }
            rest = rest.dropFirst(name.count)
            return String(decoding: name, as: UTF8.self)
        }

        /// §4.2.1.1
        mutating func itemOrInnerList() -> Value? {
            guard take("(") else { return bareItem() }
            while true {
                skip(" ")
                if take(")") { return .other }
                guard bareItem() != nil, parameters() else { return nil }
                guard rest.first == 0x20 || rest.first == UInt8(ascii: ")") else { return nil }
            }
        }

        /// §4.2.3.2
        mutating func parameters() -> Bool {
            while take(";") {
                skip(" ")
                guard key() != nil else { return false }
                if take("="), bareItem() == nil { return false }
            }
            return true
        }

        /// §4.2.3.1
        private mutating func bareItem() -> Value? {
            guard let first = rest.first else { return nil }
            switch first {
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
            case UInt8(ascii: "\""): return string()
            case UInt8(ascii: ":"): return bytes()
            case UInt8(ascii: "?"):
                rest.removeFirst()
                return take("1") ? .boolean(true) : take("0") ? .boolean(false) : nil
            default:
                guard ASCII.isLetter(first) || first == UInt8(ascii: "*") else { return nil }
                rest = rest.drop {
                    ASCII.isLetter($0) || ASCII.isDigit($0) || "!#$%&'*+-.^_`|~:/".utf8.contains($0)
                }
                return .other
            }
        }

        /// §4.2.4: at most 15 digits, or 12 and 3 behind the point.
        private mutating func number() -> Value? {
            let isNegative = take("-")
            let whole = rest.prefix(while: ASCII.isDigit)
            rest = rest.dropFirst(whole.count)
            guard !whole.isEmpty, whole.count <= 15 else { return nil }
            if take(".") {
                let fraction = rest.prefix(while: ASCII.isDigit)
                rest = rest.dropFirst(fraction.count)
                return 1...3 ~= fraction.count && whole.count <= 12 ? .other : nil
            }
            return ASCII.number(whole, cappedAt: .max).map { .integer(isNegative ? -$0 : $0) }
        }

        /// §4.2.5
        private mutating func string() -> Value? {
            rest.removeFirst()
            var content: [UInt8] = []
            while let byte = rest.popFirst() {
                switch byte {
                case UInt8(ascii: "\\"):
                    guard let next = rest.popFirst(), next == UInt8(ascii: "\\") || next == UInt8(ascii: "\"") else {
                        return nil
                    }
                    content.append(next)
                case UInt8(ascii: "\""): return .string(String(decoding: content, as: UTF8.self))
                case 0x20..<0x7F: content.append(byte)
                default: return nil
                }
            }
            return nil
        }

        /// §4.2.7, by its alphabet alone: nothing here has such a value.
        private mutating func bytes() -> Value? {
            rest.removeFirst()
            rest = rest.drop { ASCII.isLetter($0) || ASCII.isDigit($0) || "+/=".utf8.contains($0) }
            return take(":") ? .other : nil
        }

        private func isLower(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }
    }
}
