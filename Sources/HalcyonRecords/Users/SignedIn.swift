#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A user with a token of its own for `Authorization: Bearer`.
package struct SignedIn: Sendable {
    package let user: User
    /// 43 characters of base64url. The store keeps only its digest: this is the one time that it can be read.
    package let token: String
    package let expiresAt: Date
}
