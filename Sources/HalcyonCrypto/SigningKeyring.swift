internal import Glibc

/// The keys that sign and verify. To rotate: put the new key first and drop the old one when what it signed has expired.
/// There is no default key.
package struct SigningKeyring: Sendable {
    private let primary: MessageAuthenticator
    /// These only verify.
    private let others: [MessageAuthenticator]

    /// Sentences for the operator about a file that is usable but carelessly kept. Empty for keys from elsewhere.
    package private(set) var warnings: [String] = []

    package var count: Int { others.count + 1 }

    /// - Throws: `noKeys`, `keyTooShort`, `keyTooLong`.
    package init(keys: [[UInt8]]) throws(CryptoError) {
        guard let first = keys.first else { throw .noKeys }
        primary = try MessageAuthenticator(key: first)
        var others: [MessageAuthenticator] = []
        for key in keys.dropFirst() { others.append(try MessageAuthenticator(key: key)) }
        self.others = others
    }

    /// One key a line, the first one signs. Empty lines and lines that begin with `#` do not count.
    ///
    /// What consists of hexadecimal digits alone is read as hexadecimal, all else as base64url.
    /// - Throws: every key must be 32 to 64 bytes, look random and stand there once.
    package init(parsing text: String) throws(CryptoError) {
        var keys: [[UInt8]] = []
        // Some editors begin a file with a byte order mark.
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        for (index, content) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = index + 1
            let word = content.drop(while: \.isWhitespace).prefix { !$0.isWhitespace && $0 != "#" }
            let rest = content.drop(while: \.isWhitespace).dropFirst(word.count).drop(while: \.isWhitespace)
            guard rest.isEmpty || rest.hasPrefix("#") else { throw .unreadableKey(line: line) }
            if word.isEmpty { continue }
            guard let key = Hex.decode(word) ?? Base64URL.decode(word) else { throw .unreadableKey(line: line) }
            guard MessageAuthenticator.keyBytes.contains(key.count) else {
                throw .keyLength(line: line, bytes: key.count)
            }
            guard Set(key).count >= 8 else { throw .keyNotRandom(line: line) }
            guard !keys.contains(key) else { throw .duplicateKey(line: line) }
            keys.append(key)
        }
        try self.init(keys: keys)
    }

    /// Reads a file of at most 64 KiB in the form of `init(parsing:)`; blocks.
    package static func read(contentsOf path: String) throws(CryptoError) -> SigningKeyring {
        let (bytes, mode) = try contents(of: path)
        var keyring = try SigningKeyring(parsing: String(decoding: bytes, as: UTF8.self))
        if mode & 0o077 != 0, mode & S_IFMT == S_IFREG {
            keyring.warnings.append(
                "the signing key file \(path) can be read by other users; `chmod 600` keeps it private")
        }
        return keyring
    }

    /// A code of 32 bytes, made with the first key.
    package func sign(_ message: [UInt8]) -> [UInt8] {
        primary.code(for: message)
    }

    /// Whether any of the keys made `code`. Every key is tried, so the time does not tell which one it was.
    package func isValid(_ code: [UInt8], for message: [UInt8]) -> Bool {
        others.reduce(primary.isValid(code, for: message)) { found, authenticator in
            let isValid = authenticator.isValid(code, for: message)
            return found || isValid
        }
    }

    private static let fileLimitBytes = 64 * 1024

    private static func contents(of path: String) throws(CryptoError) -> (bytes: [UInt8], mode: mode_t) {
        func failure() -> CryptoError { .unreadableFile(path: path, reason: String(cString: strerror(errno))) }

        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .noFile(bytes: path.utf8.count, reason: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure() }

        var bytes = [UInt8](repeating: 0, count: fileLimitBytes + 1)
        var filled = 0
        while filled < bytes.count {
            let received = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
            }
            if received < 0, errno == EINTR { continue }
            guard received >= 0 else { throw failure() }
            if received == 0 { return (Array(bytes[..<filled]), status.st_mode) }
            filled += received
        }
        throw .fileTooLarge(path: path, limitBytes: fileLimitBytes)
    }
}
