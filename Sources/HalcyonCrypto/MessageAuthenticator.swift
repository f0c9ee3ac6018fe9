internal import CSodium

/// Keyed BLAKE2b-256 (RFC 7693 §2.9): a code that only a holder of the key can make.
package struct MessageAuthenticator: Sendable {
    /// A key is 32 to 64 bytes: at least as strong as the code, at most what BLAKE2b takes.
    package static let keyBytes = 32...64
    package static let codeBytes = 32

    private let key: [UInt8]

    package init(key: [UInt8]) throws(CryptoError) {
        guard key.count >= Self.keyBytes.lowerBound else { throw .keyTooShort(bytes: key.count) }
        guard key.count <= Self.keyBytes.upperBound else { throw .keyTooLong(bytes: key.count) }
        Sodium.initialize()
        self.key = key
    }

    package func code(for message: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: Self.codeBytes)
        let status = crypto_generichash(&code, code.count, message, UInt64(message.count), key, key.count)
        precondition(status == 0, "the lengths of key and code were checked")
        return code
    }

    /// Compares in constant time.
    package func isValid(_ code: [UInt8], for message: [UInt8]) -> Bool {
        constantTimeEquals(code, self.code(for: message))
    }
}
