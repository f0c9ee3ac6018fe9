/// Why a text is no origin rule; the description says what is accepted.
package enum OriginRuleProblem: Error, Sendable, Hashable, CustomStringConvertible {
    case invalidHost
    case invalidWildcard
    case invalidPort
    case invalidRange
    case hostBitsInRange

    package var description: String {
        switch self {
        case .invalidHost:
            "no host: a name (photos.school.example), *.suffix, an IPv4 address or an IPv6 address in brackets"
        case .invalidWildcard: "a wildcard is accepted only as the whole first label: *.cdn.example"
        case .invalidPort: "a port is 1–65535"
        case .invalidRange: "an address range is written 10.2.0.0/24, fd00:1::/32, or as one address"
        case .hostBitsInRange:
            "the address of a range has bits set behind its prefix; 10.2.0.0/24 is right, 10.2.0.7/24 is not"
        }
    }
}
