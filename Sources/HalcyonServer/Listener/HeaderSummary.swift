internal import CMicroHTTPD
internal import Glibc

/// What one pass over a request's header tells: which fields need a closer look, and whether another server could
/// read the request differently (RFC 9112 §6.3, §11.2).
struct HeaderSummary {
    struct Contents: OptionSet {
        let rawValue: UInt16
        /// If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since.
        static let conditions = Contents(rawValue: 1)
        static let range = Contents(rawValue: 2)
        static let authorization = Contents(rawValue: 4)
        static let transferEncoding = Contents(rawValue: 8)
        static let contentLength = Contents(rawValue: 16)
        /// Ambiguous framing, or a field that is not one.
        static let ambiguous = Contents(rawValue: 32)
        static let accept = Contents(rawValue: 64)
        /// Several lines of Accept, which are one list.
        static let repeatedAccept = Contents(rawValue: 128)
        /// Cache-Control, Pragma.
        static let cacheDirectives = Contents(rawValue: 256)

        var announcesBody: Bool { contains(.contentLength) || contains(.transferEncoding) }
    }

    private(set) var contents: Contents = []
    private(set) var hosts = 0
    /// Names and values, with the four bytes that stand round them on the wire.
    private(set) var byteCount = 0
    private(set) var contentLength: UInt64 = 0

    /// Calls nothing that allocates: this is done for every request.
    init(of connection: OpaquePointer) {
        withUnsafeMutablePointer(to: &self) { pointer in
            _ = MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { context, _, name, nameLength, value, valueLength in
                    guard let context, let name else { return .YES }
                    context.assumingMemoryBound(to: HeaderSummary.self).pointee.note(
                        UnsafeRawBufferPointer(start: name, count: nameLength),
                        UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueLength))
                    return .YES
                }, pointer)
        }
    }

    private mutating func note(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        byteCount += name.count + value.count + 4
        // "Host : x" names another field for some servers; a bare CR ends a line for some.
        if let last = name.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { contents.insert(.ambiguous) }
        if value.contains(UInt8(ascii: "\r")) || !Self.isOneLine(name, value) { contents.insert(.ambiguous) }
        switch name.count {
        case 4 where name.isCaseInsensitively("host"): hosts += 1
        case 5 where name.isCaseInsensitively("range"): contents.insert(.range)
        case 6 where name.isCaseInsensitively("accept"):
            contents.insert(contents.contains(.accept) ? .repeatedAccept : .accept)
        case 6 where name.isCaseInsensitively("pragma"): contents.insert(.cacheDirectives)
        case 8 where name.isCaseInsensitively("if-match"): contents.insert(.conditions)
        case 13 where name.isCaseInsensitively("if-none-match"): contents.insert(.conditions)
        case 13 where name.isCaseInsensitively("cache-control"): contents.insert(.cacheDirectives)
        case 13 where name.isCaseInsensitively("authorization"): contents.insert(.authorization)
        case 14 where name.isCaseInsensitively("content-length"): noteContentLength(value)
        case 17 where name.isCaseInsensitively("if-modified-since"): contents.insert(.conditions)
        case 17 where name.isCaseInsensitively("transfer-encoding"): noteTransferEncoding(value)
        case 19 where name.isCaseInsensitively("if-unmodified-since"): contents.insert(.conditions)
        default: break
        }
    }

    /// Whether the value stands in memory where its line had it: behind the name, the colon and whitespace. libmicrohttpd 0.9.75
    /// appends what a folded line says (RFC 9112 §5.2) to the name, of which it makes a copy elsewhere.
    private static func isOneLine(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
        guard let start = name.baseAddress, let end = value.baseAddress, end > start + name.count else { return false }
        var position = start + name.count + 1
        while position < end {
            let byte = position.load(as: UInt8.self)
            guard byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") else { return false }
            position += 1
        }
        return true
    }

    private mutating func noteContentLength(_ value: UnsafeRawBufferPointer) {
        var length: UInt64 = 0
        var isNumber = !value.isEmpty
        for byte in value {
            let digit = byte &- UInt8(ascii: "0")
            let (product, hasOverflown) = length.multipliedReportingOverflow(by: 10)
            let (sum, hasCarried) = product.addingReportingOverflow(UInt64(digit))
            if digit > 9 || hasOverflown || hasCarried { isNumber = false }
            length = sum
        }
        if !isNumber || contents.contains(.contentLength) || contents.contains(.transferEncoding) {
            contents.insert(.ambiguous)
        }
        contentLength = length
        contents.insert(.contentLength)
    }

    private mutating func noteTransferEncoding(_ value: UnsafeRawBufferPointer) {
        let isSecond = contents.contains(.transferEncoding) || contents.contains(.contentLength)
        if isSecond || !value.isCaseInsensitively("chunked") { contents.insert(.ambiguous) }
        contents.insert(.transferEncoding)
    }
}

extension UnsafeRawBufferPointer {
    /// `text` is ASCII in lower case.
    func isCaseInsensitively(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { expected in
            for index in 0..<count {
                let byte = self[index]
                let isUpper = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
                if (isUpper ? byte | 0x20 : byte) != expected[index] { return false }
            }
            return true
        }
    }
}
