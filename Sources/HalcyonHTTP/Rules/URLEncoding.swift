/// Percent-encoding and dot segments in their canonical form (RFC 3986 §2, §5.2.4, §6.2.2).
enum URLEncoding {
    /// `unreserved` (RFC 3986 §2.3).
    static let unreserved = ByteSet(alphanumerics + "-._~")
    /// `pchar` and `/` (RFC 3986 §3.3).
    static let path = ByteSet(alphanumerics + "-._~" + "!$&'()*+,;=:@/")
    /// As in a path, and `?` (RFC 3986 §3.4).
    static let query = ByteSet(alphanumerics + "-._~" + "!$&'()*+,;=:@/?")

    private static let alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    /// Escapes of unreserved characters are decoded, other escapes are in upper case, what is not allowed is escaped.
    static func append(
        _ bytes: ArraySlice<UInt8>, allowing allowed: ByteSet, to output: inout [UInt8]
    ) throws(URLProblem) {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                guard index + 1 < bytes.endIndex, let high = ASCII.hexValue(bytes[index]),
                    let low = ASCII.hexValue(bytes[index + 1])
                else { throw .invalidPercentEncoding }
                index += 2
                let value = high << 4 | low
                if unreserved.contains(value) { output.append(value) } else { appendEscape(value, to: &output) }
            } else if allowed.contains(byte) {
                output.append(byte)
            } else {
                appendEscape(byte, to: &output)
            }
        }
    }

    /// Appends at least `/`. Dot segments are looked for after decoding, so that `%2e%2e` is one.
    static func appendPath(_ path: ArraySlice<UInt8>, to output: inout [UInt8]) throws(URLProblem) {
        let start = output.count
        var rest = path.dropFirst()
        while true {
            let segment = rest.prefix { $0 != UInt8(ascii: "/") }
            let segmentStart = output.count
            output.append(UInt8(ascii: "/"))
            try append(segment, allowing: Self.path, to: &output)
            let isLast = segment.endIndex == rest.endIndex
            let written = output[(segmentStart + 1)...]
            let isParent = written.elementsEqual("..".utf8)
            if isParent || written.elementsEqual(".".utf8) {
                output.removeSubrange(segmentStart...)
                if isParent, let parent = output[start...].lastIndex(of: UInt8(ascii: "/")) {
                    output.removeSubrange(parent...)
                }
                // `/a/..` and `/a/.` name the folder, which ends in a slash.
                if isLast { output.append(UInt8(ascii: "/")) }
            }
            if isLast { return }
            rest = rest[(segment.endIndex + 1)...]
        }
    }

    private static func appendEscape(_ value: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "%"))
        output.append(hexDigit(value >> 4))
        output.append(hexDigit(value & 15))
    }

    private static func hexDigit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
    }
}
