/// Why a text is no URL that Halcyon fetches. The descriptions never hold any of the text.
package enum URLProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// Longer than `CanonicalURL.greatestLength` bytes, as given or in canonical form.
    case tooLong
    case controlCharacter
    case backslash
    /// No `scheme://` at the beginning.
    case notAbsolute
    case unsupportedScheme
    case userInformation
    case missingHost
    case nonASCIIHost
    case invalidHost
    /// A host such as `0x7f.1`, `2130706433` or `0177.0.0.1`, which some programs read as an IPv4 address and others
    /// as a name.
    case ambiguousAddress
    case invalidIPv6Address
    case invalidPort
    case invalidPercentEncoding

    package var description: String {
        switch self {
        case .tooLong: "the URL is longer than \(CanonicalURL.greatestLength) bytes"
        case .controlCharacter: "the URL holds a control character, such as a tab or a line break"
        case .backslash: "the URL holds a backslash"
        case .notAbsolute: "the URL does not begin with http:// or https://"
        case .unsupportedScheme: "the scheme of the URL is neither http nor https"
        case .userInformation: "the URL holds a user name or password (an @ before the host)"
        case .missingHost: "the URL has no host"
        case .nonASCIIHost: "the host of the URL is not ASCII; write it in its xn-- form"
        case .invalidHost: "the host of the URL is no host name"
        case .ambiguousAddress: "the host of the URL is a number but no dotted IPv4 address such as 192.0.2.1"
        case .invalidIPv6Address: "the host of the URL is no IPv6 address (zones are not accepted)"
        case .invalidPort: "the port of the URL is not in 1–65535"
        case .invalidPercentEncoding: "the URL holds a % that two hexadecimal digits do not follow"
        }
    }
}
