extension IPAddress {
    /// Whether a photo may be fetched from here without the operator having named the range.
    package var isGloballyReachable: Bool { blockedClass == nil }

    /// Which special-purpose class the address belongs to (IANA IPv4 and IPv6 special-purpose address registries,
    /// RFC 6890); `nil` for a public address. IPv6 forms that carry an IPv4 address are refused whatever they carry.
    package var blockedClass: String? {
        switch bytes {
        case .v4(let address): Self.blockedClass(v4: address)
        case .v6(let high, let low): Self.blockedClass(high: high, low: low)
        }
    }

    /// The IPv4 address inside a mapped, compatible, translated, NAT64, 6to4, Teredo or ISATAP address.
    var carriedIPv4: IPAddress? {
        guard case .v6(let high, let low) = bytes else { return nil }
        switch Self.blockedClass(high: high, low: low) {
        case "ipv4-mapped", "ipv4-compatible", "ipv4-translated", "nat64", "isatap":
            return IPAddress(v4: UInt32(truncatingIfNeeded: low))
        case "6to4": return IPAddress(v4: UInt32(truncatingIfNeeded: high >> 16))
        // RFC 4380 §4: the client's address stands inverted in the last 32 bits.
        case "teredo": return IPAddress(v4: ~UInt32(truncatingIfNeeded: low))
        default: return nil
        }
    }

    private struct Block {
        let prefix: UInt64
        let length: Int
        let name: String

        init(_ prefix: UInt64, _ length: Int, _ name: String) {
            self.prefix = prefix
            self.length = length
            self.name = name
        }
    }

    private static let v4Blocks = [
        Block(0x0000_0000, 8, "unspecified"),  // RFC 791 §3.2 "this network"
        Block(0x0A00_0000, 8, "private"),  // RFC 1918
        Block(0x6440_0000, 10, "cgnat"),  // RFC 6598
        Block(0x7F00_0000, 8, "loopback"),  // RFC 1122 §3.2.1.3
        Block(0xA9FE_0000, 16, "link-local"),  // RFC 3927
        Block(0xAC10_0000, 12, "private"),  // RFC 1918
        Block(0xC000_0000, 24, "protocol-assignment"),  // RFC 6890 §2.1
        Block(0xC000_0200, 24, "documentation"),  // RFC 5737
        Block(0xC058_6300, 24, "6to4-relay"),  // RFC 7526, RFC 3068
        Block(0xC0A8_0000, 16, "private"),  // RFC 1918
        Block(0xC612_0000, 15, "benchmarking"),  // RFC 2544
        Block(0xC633_6400, 24, "documentation"),  // RFC 5737
        Block(0xCB00_7100, 24, "documentation"),  // RFC 5737
        Block(0xE000_0000, 4, "multicast"),  // RFC 5771
        Block(0xF000_0000, 4, "reserved"),  // RFC 1112 §4, RFC 919 for 255.255.255.255
    ]

    /// By the first 64 bits; the first block that matches names the class.
    private static let v6Blocks = [
        Block(0x0064_FF9B_0001_0000, 48, "nat64"),  // RFC 8215
        Block(0x0100_0000_0000_0000, 64, "discard"),  // RFC 6666
        Block(0x2001_0000_0000_0000, 32, "teredo"),  // RFC 4380
        Block(0x2001_0002_0000_0000, 48, "benchmarking"),  // RFC 5180
        Block(0x2001_0010_0000_0000, 28, "orchid"),  // RFC 4843
        Block(0x2001_0020_0000_0000, 28, "orchid"),  // RFC 7343
        Block(0x2001_0000_0000_0000, 23, "protocol-assignment"),  // RFC 2928
        Block(0x2001_0DB8_0000_0000, 32, "documentation"),  // RFC 3849
        Block(0x2002_0000_0000_0000, 16, "6to4"),  // RFC 3056
        Block(0x3FFF_0000_0000_0000, 20, "documentation"),  // RFC 9637
        Block(0x5F00_0000_0000_0000, 16, "segment-routing"),  // RFC 9602
        Block(0xFC00_0000_0000_0000, 7, "private"),  // RFC 4193
        Block(0xFE80_0000_0000_0000, 10, "link-local"),  // RFC 4291 §2.5.6
        Block(0xFEC0_0000_0000_0000, 10, "site-local"),  // RFC 3513 §2.5.6, RFC 3879
        Block(0xFF00_0000_0000_0000, 8, "multicast"),  // RFC 4291 §2.7
    ]

    private static func blockedClass(v4 address: UInt32) -> String? {
        v4Blocks.first { (UInt64(address) ^ $0.prefix) >> (32 - $0.length) == 0 }?.name
    }

    private static func blockedClass(high: UInt64, low: UInt64) -> String? {
        if high == 0 {
            switch low {
            case 0: return "unspecified"  // RFC 4291 §2.5.2
            case 1: return "loopback"  // RFC 4291 §2.5.3
            default: break
            }
            switch low >> 32 {
            case 0: return "ipv4-compatible"  // RFC 4291 §2.5.5.1
            case 0xFFFF: return "ipv4-mapped"  // RFC 4291 §2.5.5.2
            case 0xFFFF_0000: return "ipv4-translated"  // RFC 2765 §2.1
            default: return "reserved"
            }
        }
        if high == 0x0064_FF9B_0000_0000 && low >> 32 == 0 { return "nat64" }  // RFC 6052 §2.1
        if let block = v6Blocks.first(where: { (high ^ $0.prefix) >> (64 - $0.length) == 0 }) { return block.name }
        // RFC 5214 §6.1: ::0:5efe:a.b.c.d or ::200:5efe:a.b.c.d behind any prefix.
        if low >> 32 & ~0x0200_0000 == 0x0000_5EFE { return "isatap" }
        // RFC 4291 §2.4: all of global unicast that has been given out is 2000::/3.
        return high >> 61 == 1 ? nil : "reserved"
    }
}
