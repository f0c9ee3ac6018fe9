/// A range of addresses such as `10.2.0.0/24`, `2001:db8::/32`, or a single address.
package struct AddressRange: Sendable, Hashable, CustomStringConvertible {
    package let description: String
    private let network: IPAddress
    private let length: Int

    /// Bits after the prefix must be zero, so that a mistyped network is seen.
    package init(_ cidr: String) throws(OriginRuleProblem) {
        let parts = cidr.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let network = IPAddress(strict: String(parts[0])) else { throw .invalidRange }
        let greatest = network.isIPv4 ? 32 : 128
        var length = greatest
        if parts.count == 2 {
            guard let bits = ASCII.number(parts[1].utf8, cappedAt: 129), bits <= greatest else { throw .invalidRange }
            length = bits
        }
        guard network.masked(to: length) == network else { throw .hostBitsInRange }
        self.network = network
        self.length = length
        description = cidr
    }

    /// Compares like with like: an IPv4 range does not hold the IPv6 forms of its addresses.
    package func contains(_ address: IPAddress) -> Bool {
        address.isIPv4 == network.isIPv4 && address.masked(to: length) == network
    }
}

extension IPAddress {
    fileprivate func masked(to length: Int) -> IPAddress {
        // Smart shifts: by the whole width gives 0.
        switch bytes {
        case .v4(let address): IPAddress(v4: address & (UInt32.max << (32 - length)))
        case .v6(let high, let low):
            IPAddress(
                v6High: high & (UInt64.max << max(0, 64 - length)), low: low & (UInt64.max << min(64, 128 - length)))
        }
    }

    /// The class for which a connection to this address is refused; `nil` if it is public or in one of the ranges.
    /// What a NAT64, 6to4 or similar address carries must be allowed by itself too.
    func refusedClass(allowing ranges: [AddressRange]) -> String? {
        guard let blockedClass else { return nil }
        guard ranges.contains(where: { $0.contains(self) }) else { return blockedClass }
        return carriedIPv4?.refusedClass(allowing: ranges)
    }
}
