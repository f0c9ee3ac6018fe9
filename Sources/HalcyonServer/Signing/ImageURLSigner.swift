package import Foundation
package import HalcyonCrypto

/// Signed image URLs: `/images/v1.EXPIRY.CODE/URL`, where EXPIRY is in Unix seconds (0 for never), CODE is the keyed
/// BLAKE2b-256 of the fields and URL is the image's URL, byte for byte, in base64url without padding. Variant parameters
/// follow as a query and are signed too.
///
/// The code is over `["halcyon image", "v1", EXPIRY, URL, variant]`, each field with its length before it, so that nothing
/// can move from one field to the next. The signature is read at its place in the path and nowhere else. It says that the
/// URL was given out; whether it may be fetched is decided by the address policy as for any other.
package struct ImageURLSigner: Sendable {
    package enum Refusal: Error, Sendable, Hashable {
        /// Not in this form, or made with another key, URL, variant or expiry.
        case invalid
        case expired

        var token: String { self == .invalid ? "signature-invalid" : "signature-expired" }
    }

    private let keyring: SigningKeyring

    package init(keyring: SigningKeyring) {
        self.keyring = keyring
    }

    /// The path, and the query if there is a variant. `expiresAt` is rounded down to whole seconds; `nil` is never.
    package func path(forURL url: String, variant: String = "", expiresAt: Date?) -> String {
        let expiry = expiresAt.map { "\(max(1, Int($0.timeIntervalSince1970.rounded(.down))))" } ?? "0"
        let code = Base64URL.encode(keyring.sign(Self.message(expiry, Array(url.utf8), variant)))
        let query = variant.isEmpty ? "" : "?" + variant
        return "/images/v1.\(expiry).\(code)/\(Base64URL.encode(Array(url.utf8)))\(query)"
    }

    /// The URL that was signed and the Unix second from which it no longer counts (`Int.max` for never).
    package func verify(
        signature: String, encodedURL: String, variant: String = "", now: Date
    ) throws(Refusal) -> (url: String, validUntil: Int) {
        let parts = signature.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "v1", let expiry = Int(parts[1]), expiry >= 0, String(expiry) == parts[1],
            let code = Base64URL.decode(parts[2]), let bytes = Base64URL.decode(encodedURL),
            keyring.isValid(code, for: Self.message(String(parts[1]), bytes, variant)),
            let url = String(validating: bytes, as: UTF8.self)
        else { throw .invalid }
        // Looked at last: whether a forged signature would have expired is nobody's business.
        guard expiry == 0 || now.timeIntervalSince1970 < Double(expiry) else { throw .expired }
        return (url, expiry == 0 ? .max : expiry)
    }

    private static func message(_ expiry: String, _ url: [UInt8], _ variant: String) -> [UInt8] {
        LengthDelimited.encode([
            Array("halcyon image".utf8), Array("v1".utf8), Array(expiry.utf8), url, Array(variant.utf8),
        ])
    }
}
