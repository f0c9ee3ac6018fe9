/// A `Content-Type` (RFC 9110 §8.3.1): names in lower case, quotes taken off.
struct MediaType: Sendable, Hashable {
    /// Such as `application/json`.
    let essence: String
    let parameters: [String: String]

    /// `nil` if it is not one.
    init?(_ text: String) {
        var pieces = Self.pieces(text).makeIterator()
        guard let essence = pieces.next()?.lowercased(), essence.utf8.count(where: { $0 == UInt8(ascii: "/") }) == 1,
            essence.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") })
        else { return nil }
        var parameters: [String: String] = [:]
        while let piece = pieces.next() {
            guard !piece.isEmpty else { continue }
            guard let equals = piece.firstIndex(of: "=") else { return nil }
            var value = piece[piece.index(after: equals)...]
            if value.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
            let name = piece[..<equals].lowercased()
            guard parameters.updateValue(value.filter { $0 != "\\" }, forKey: name) == nil else { return nil }
        }
        self.essence = essence
        self.parameters = parameters
    }

    /// RFC 8259 §8.1: JSON between systems is UTF-8, whatever is said; here, what is said must not contradict.
    var isUTF8: Bool {
        parameters["charset"].map { ["utf-8", "utf8", "us-ascii"].contains($0.lowercased()) } ?? true
    }

    /// Split at semicolons outside quotes, without the spaces round them.
    private static func pieces(_ text: String) -> [String] {
        var pieces = [""]
        var isQuoted = false
        for character in text {
            if character == "\"" { isQuoted.toggle() }
            if character == ";", !isQuoted { pieces.append("") } else { pieces[pieces.count - 1].append(character) }
        }
        return pieces.map { piece in
            let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
            return String(String(piece.drop(while: blank).reversed()).drop(while: blank).reversed())
        }
    }
}
