/// Why a key or key file was not taken. Descriptions never hold key text.
package enum CryptoError: Error, Sendable, Hashable, CustomStringConvertible {
    case keyTooShort(bytes: Int)
    case keyTooLong(bytes: Int)
    /// Neither hexadecimal nor base64url. `line` counts from 1.
    case unreadableKey(line: Int)
    /// As `keyTooShort` and `keyTooLong`, for a key written in a text.
    case keyLength(line: Int, bytes: Int)
    /// Fewer than eight different bytes: typed by hand or padded, not drawn at random.
    case keyNotRandom(line: Int)
    case duplicateKey(line: Int)
    case noKeys
    /// The text names no file that can be opened, for the reason the system gave; it may be a mistyped key, so it is not told.
    case noFile(bytes: Int, reason: String)
    /// The file could be opened but not read, with the reason the system gave.
    case unreadableFile(path: String, reason: String)
    case fileTooLarge(path: String, limitBytes: Int)

    /// What every message about a key ends with.
    private static let accepted =
        "accepted are 32 to 64 random bytes a line, as hexadecimal or base64url, for instance from `openssl rand -hex 32`"

    package var description: String {
        switch self {
        case .keyTooShort(let bytes), .keyTooLong(let bytes):
            "a signing key has \(bytes) bytes; \(Self.accepted)"
        case .unreadableKey(let line):
            "the signing key in line \(line) is neither hexadecimal nor base64url; \(Self.accepted)"
        case .keyLength(let line, let bytes):
            "the signing key in line \(line) has \(bytes) bytes; \(Self.accepted)"
        case .keyNotRandom(let line):
            "the signing key in line \(line) repeats a few bytes and could be guessed; \(Self.accepted)"
        case .duplicateKey(let line):
            "the signing key in line \(line) stands there twice; each line holds another key, the first one signs"
        case .noKeys:
            "there is no signing key; \(Self.accepted)"
        case .noFile(let bytes, let reason):
            "not a file (\(reason)), and not keys: \(bytes) bytes, not shown; give the path of a file of keys, or the keys "
                + "themselves in the environment; \(Self.accepted)"
        case .unreadableFile(let path, let reason):
            "the signing key file \(path) cannot be read: \(reason)"
        case .fileTooLarge(let path, let limitBytes):
            "the signing key file \(path) is larger than \(limitBytes) bytes; \(Self.accepted)"
        }
    }
}
