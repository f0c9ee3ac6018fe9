package import Glibc

/// An IPv4 or IPv6 address, without zone and port.
package struct IPAddress: Sendable, Hashable {
    enum Bytes: Sendable, Hashable {
        case v4(UInt32)
        case v6(high: UInt64, low: UInt64)
    }

    let bytes: Bytes

    package var isIPv4: Bool {
        if case .v4 = bytes { true } else { false }
    }

    init(v4: UInt32) { bytes = .v4(v4) }

    init(v6High: UInt64, low: UInt64) { bytes = .v6(high: v6High, low: low) }

    /// Reads what a resolver would take for an address: dotted IPv4, the short, octal and hexadecimal forms of
    /// `inet_aton`, and IPv6 with or without brackets and zone. The zone is left out.
    package init?(_ literal: String) {
        var text = literal[...]
        if text.first == "[", text.last == "]" { text = text.dropFirst().dropLast() }
        if text.utf8.contains(UInt8(ascii: ":")) {
            let address = String(text.prefix { $0 != "%" })
            guard let parsed = address.withCString(Self.parse) else { return nil }
            self = parsed
        } else {
            // `inet_aton` ignores what follows a space.
            guard !text.isEmpty, text.utf8.allSatisfy({ ASCII.hexValue($0) != nil || ".xX".utf8.contains($0) })
            else { return nil }
            var address = in_addr()
            guard inet_aton(String(text), &address) != 0 else { return nil }
            self.init(v4: UInt32(bigEndian: address.s_addr))
        }
    }

    /// Four decimal numbers or IPv6, nothing else: for configuration, where `10` must not mean 0.0.0.10.
    init?(strict literal: String) {
        guard let parsed = literal.withCString(Self.parse) else { return nil }
        self = parsed
    }

    /// `nil` for a family other than IPv4 and IPv6. The memory behind the pointer must be as long as its family says.
    package init?(_ sockaddr: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(sockaddr)
        switch Int32(sockaddr.pointee.sa_family) {
        case AF_INET: self.init(v4: UInt32(bigEndian: raw.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr))
        case AF_INET6: self.init(raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default: return nil
        }
    }

    /// What curl gives as the address of a connection.
    static func parse(_ text: UnsafePointer<CChar>) -> IPAddress? {
        var v4 = in_addr()
        if inet_pton(AF_INET, text, &v4) == 1 { return IPAddress(v4: UInt32(bigEndian: v4.s_addr)) }
        var v6 = in6_addr()
        return inet_pton(AF_INET6, text, &v6) == 1 ? IPAddress(v6) : nil
    }

    private init(_ address: in6_addr) {
        self = withUnsafeBytes(of: address) { bytes in
            IPAddress(
                v6High: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
    }
}
