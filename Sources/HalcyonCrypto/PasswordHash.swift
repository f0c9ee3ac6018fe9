internal import CSodium

/// Argon2id (RFC 9106) with libsodium's parameters for interactive use: two passes over 64 MiB, some tens of milliseconds.
/// Blocks that long; not for the cooperative pool or an I/O thread.
package enum PasswordHash {
    /// The memory could not be had.
    package struct OutOfMemory: Error, Hashable, CustomStringConvertible {
        package let description = "there is not enough memory to hash a password"
    }

    /// A text that holds the algorithm, its parameters and a salt of its own beside the hash.
    package static func hash(_ password: String) throws(OutOfMemory) -> String {
        Sodium.initialize()
        var output = [CChar](repeating: 0, count: Int(crypto_pwhash_strbytes()))
        let text = Array(password.utf8CString)
        let status = crypto_pwhash_str_alg(
            &output, text, UInt64(text.count - 1), UInt64(crypto_pwhash_opslimit_interactive()),
            crypto_pwhash_memlimit_interactive(), crypto_pwhash_alg_argon2id13())
        guard status == 0 else { throw OutOfMemory() }
        return String(decoding: output.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether `hash` was made of `password`; `false` too for a text that is no hash. Takes as long as ``hash(_:)``.
    package static func verify(_ password: String, against hash: String) -> Bool {
        Sodium.initialize()
        // libsodium reads a text that ends in NUL, of a known greatest length.
        guard hash.utf8.count < Int(crypto_pwhash_strbytes()) else { return false }
        let text = Array(password.utf8CString)
        return crypto_pwhash_str_verify(hash, text, UInt64(text.count - 1)) == 0
    }
}
