/// The head of an answer, read line by line as curl hands it over.
struct ResponseHead {
    /// Too large, or not HTTP.
    struct Malformed: Error {}

    /// Of all heads of one transfer, interim ones and trailers included.
    static let greatestBytes = 64 << 10

    private(set) var status = 0
    private(set) var fields = HTTPFields()
    private(set) var isComplete = false
    /// `nil` if there is none.
    private(set) var contentLength: Int?
    private(set) var hasContentCoding = false
    private var bytes = 0

    init() {}

    /// Takes one line with its line end. Returns whether it was the end of the final head.
    mutating func append(_ line: UnsafeRawBufferPointer) throws(Malformed) -> Bool {
        bytes += line.count
        guard bytes <= Self.greatestBytes else { throw Malformed() }
        if isComplete { return false }  // Trailers: nothing that we use comes in them.
        var end = line.count
        while end > 0, line[end - 1] == 0x0A || line[end - 1] == 0x0D { end -= 1 }
        if end == 0 {
            guard status >= 200 else { return false }
            isComplete = true
            return true
        }
        if status == 0 || status < 200 && line.starts(with: "HTTP/".utf8) {
            try begin(line, end: end)
        } else {
            try appendField(line, end: end)
        }
        return false
    }

    /// `HTTP/1.1 200 OK`, `HTTP/2 200`. Begins anew after an interim answer (RFC 9110 §15.2).
    private mutating func begin(_ line: UnsafeRawBufferPointer, end: Int) throws(Malformed) {
        guard let space = line.firstIndex(of: 0x20), space + 4 <= end,
            let status = ASCII.number(line[space + 1..<space + 4], cappedAt: 999), status >= 100, status != 101
        else { throw Malformed() }
        self.status = status
        fields = HTTPFields()
        fields.lines.reserveCapacity(12)
        contentLength = nil
        hasContentCoding = false
    }

    private mutating func appendField(_ line: UnsafeRawBufferPointer, end: Int) throws(Malformed) {
        if line[0] == 0x20 || line[0] == 0x09 {
            // A folded line (RFC 9112 §5.2) goes on with the value before it.
            guard let last = fields.lines.popLast() else { throw Malformed() }
            let more = line[..<end].drop(while: ASCII.isWhitespace)
            fields.append(last.name, last.value + " " + String(decoding: more, as: UTF8.self))
            return
        }
        guard let colon = line.firstIndex(of: 0x3A), colon > 0, colon < end else { throw Malformed() }
        var start = colon + 1
        while start < end, ASCII.isWhitespace(line[start]) { start += 1 }
        // Whitespace before the colon is to be taken away (RFC 9112 §5.1); from a field that frames the message curl has not.
        var nameEnd = colon
        while nameEnd > 0, ASCII.isWhitespace(line[nameEnd - 1]) { nameEnd -= 1 }
        let name = line[..<nameEnd]
        let value = line[start..<end]
        if nameEnd < colon, ["Content-Length", "Transfer-Encoding"].contains(where: { ASCII.matches(name, $0.utf8) }) {
            throw Malformed()
        }
        switch nameEnd {
        case 14 where ASCII.matches(name, "Content-Length".utf8):
            // RFC 9112 §6.3: several lengths that differ are an error that cannot be recovered from.
            guard let length = ASCII.number(value, cappedAt: .max), contentLength == nil || contentLength == length
            else { throw Malformed() }
            contentLength = length
        case 16 where ASCII.matches(name, "Content-Encoding".utf8):
            hasContentCoding = hasContentCoding || !ASCII.matches(value, "identity".utf8)
        default: break
        }
        let field = HTTPFields.Line(
            name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self))
        // What has no name that is one cannot be passed on.
        if field.isWellFormed { fields.lines.append(field) }
    }
}
