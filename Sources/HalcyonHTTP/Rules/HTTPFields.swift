/// The header fields of a message in their order, names compared without regard to case (RFC 9110 §5).
package struct HTTPFields: Sendable, Hashable, ExpressibleByArrayLiteral {
    package struct Line: Sendable, Hashable {
        package let name: String
        package let value: String

        /// Whitespace round the value is not part of it, and CR, LF and NUL inside it become spaces, so that no value
        /// can begin another field line (RFC 9110 §5.5).
        package init(name: String, value: String) {
            self.name = name
            self.value = Self.cleaned(value)
        }

        /// The name is a token (RFC 9110 §5.6.2), so that it cannot begin another line.
        package var isWellFormed: Bool {
            !name.isEmpty
                && name.utf8.allSatisfy { byte in
                    ASCII.isLetter(byte) || ASCII.isDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
        }

        func isNamed(_ other: String) -> Bool { ASCII.matches(name.utf8, other.utf8) }

        package static func == (left: Line, right: Line) -> Bool {
            left.isNamed(right.name) && left.value == right.value
        }

        package func hash(into hasher: inout Hasher) {
            for byte in name.utf8 { hasher.combine(ASCII.lowercased(byte)) }
            hasher.combine(value)
        }

        private static func cleaned(_ value: String) -> String {
            let isForbidden = { (byte: UInt8) in byte == 0x0D || byte == 0x0A || byte == 0 }
            let units = value.utf8
            if units.contains(where: isForbidden) {
                let spaced = String(decoding: units.map { isForbidden($0) ? 0x20 : $0 }, as: UTF8.self)
                return String(ASCII.trimmed(spaced[...]))
            }
            guard let first = units.first, let last = units.last else { return value }
            guard ASCII.isWhitespace(first) || ASCII.isWhitespace(last) else { return value }
            return String(ASCII.trimmed(value[...]))
        }
    }

    package var lines: [Line]

    package init() { lines = [] }

    package init(_ lines: [(String, String)]) {
        self.lines = lines.map { Line(name: $0.0, value: $0.1) }
    }

    package init(arrayLiteral elements: (String, String)...) { self.init(elements) }

    /// Reading joins the field lines of this name with `, ` (RFC 9110 §5.3); `nil` if there is none.
    /// Writing puts the value where the first line of this name stood and removes the others; `nil` removes all.
    package subscript(_ name: String) -> String? {
        get {
            var joined: String?
            for line in lines where line.isNamed(name) {
                joined = joined.map { $0 + ", " + line.value } ?? line.value
            }
            return joined
        }
        set {
            guard let newValue else { return remove(name) }
            let line = Line(name: name, value: newValue)
            guard let first = lines.firstIndex(where: { $0.isNamed(name) }) else { return lines.append(line) }
            lines[first] = line
            lines[(first + 1)...].removeAll { $0.isNamed(name) }
        }
    }

    /// One value a field line. For fields that are no lists, such as `Location`, where joining would make a new value.
    package func values(of name: String) -> [String] {
        lines.lazy.filter { $0.isNamed(name) }.map(\.value)
    }

    /// The first field line of this name, without joining.
    package func first(_ name: String) -> String? {
        lines.first { $0.isNamed(name) }?.value
    }

    package func contains(_ name: String) -> Bool {
        lines.contains { $0.isNamed(name) }
    }

    package mutating func append(_ name: String, _ value: String) {
        lines.append(Line(name: name, value: value))
    }

    package mutating func remove(_ name: String) {
        lines.removeAll { $0.isNamed(name) }
    }
}
