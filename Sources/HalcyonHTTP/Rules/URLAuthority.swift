internal import Glibc

/// Host and port of a URL (RFC 3986 §3.2), with nothing in it that two resolvers could read differently.
struct URLAuthority {
    /// Lower-case, without brackets and without a dot at the end.
    let host: String
    /// `nil` if there is none, or nothing after the colon.
    let port: Int?
    let isIPv6: Bool
    /// Bytes that it took up in the URL.
    let length: Int

    var hostInBrackets: String { isIPv6 ? "[\(host)]" : host }

    init(_ bytes: ArraySlice<UInt8>) throws(URLProblem) {
        length = bytes.count
        guard !bytes.contains(UInt8(ascii: "@")) else { throw .userInformation }
        isIPv6 = bytes.first == UInt8(ascii: "[")
        let rest: ArraySlice<UInt8>
        if isIPv6 {
            guard let close = bytes.firstIndex(of: UInt8(ascii: "]")) else { throw .invalidIPv6Address }
            host = try Self.ipv6(bytes[bytes.startIndex + 1..<close])
            rest = bytes[(close + 1)...]
        } else {
            let name = bytes.prefix { $0 != UInt8(ascii: ":") }
            host = try Self.name(name)
            rest = bytes.dropFirst(name.count)
        }
        port = try Self.port(rest)
    }

    /// `rest` is what follows the host: nothing, or a colon and digits.
    private static func port(_ rest: ArraySlice<UInt8>) throws(URLProblem) -> Int? {
        guard let colon = rest.first else { return nil }
        guard colon == UInt8(ascii: ":") else { throw .invalidHost }
        let digits = rest.dropFirst()
        if digits.isEmpty { return nil }
        guard let port = ASCII.number(digits, cappedAt: 65_536), 1...65_535 ~= port else { throw .invalidPort }
        return port
    }

    private static func name(_ bytes: ArraySlice<UInt8>) throws(URLProblem) -> String {
        guard !bytes.isEmpty else { throw .missingHost }
        guard bytes.allSatisfy({ $0 < 0x80 }) else { throw .nonASCIIHost }
        let name = bytes.last == UInt8(ascii: ".") ? bytes.dropLast() : bytes
        guard name.count <= 253 else { throw .invalidHost }
        let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        for label in labels {
            guard 1...63 ~= label.count else { throw .invalidHost }
            guard label.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2D || $0 == 0x5F }) else {
                throw .invalidHost
            }
        }
        // No top-level domain is a number, so a number at the end means an address.
        if let last = labels.last, isNumber(last) {
            guard labels.count == 4, labels.allSatisfy(isDottedPart) else { throw .ambiguousAddress }
        }
        return String(decoding: name.map(ASCII.lowercased), as: UTF8.self)
    }

    /// Decimal, octal or hexadecimal, as `inet_aton` reads them.
    private static func isNumber(_ label: ArraySlice<UInt8>) -> Bool {
        if ASCII.matches(label.prefix(2), "0x".utf8) {
            return label.dropFirst(2).allSatisfy { ASCII.hexValue($0) != nil }
        }
        return label.allSatisfy(ASCII.isDigit)
    }

    /// 0–255 without a zero in front, which would make it octal to some.
    private static func isDottedPart(_ label: ArraySlice<UInt8>) -> Bool {
        guard let value = ASCII.number(label, cappedAt: 256), value < 256 else { return false }
        return label.count == 1 || label.first != UInt8(ascii: "0")
    }

    /// The form of RFC 5952.
    private static func ipv6(_ bytes: ArraySlice<UInt8>) throws(URLProblem) -> String {
        guard bytes.allSatisfy({ ASCII.hexValue($0) != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
        else { throw .invalidIPv6Address }
        var address = in6_addr()
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_pton(AF_INET6, String(decoding: bytes, as: UTF8.self), &address) == 1,
            inet_ntop(AF_INET6, &address, &buffer, socklen_t(INET6_ADDRSTRLEN)) != nil
        else { throw .invalidIPv6Address }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
