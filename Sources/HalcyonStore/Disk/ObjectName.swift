internal import HalcyonCrypto

/// The name of an object file, used for one write and never again: `3f/3f…64 digits….jpg`.
struct ObjectName: Sendable, Hashable {
    /// BLAKE2b-256 over the key and a number that is new for each write.
    let bytes: [UInt8]
    let fileExtension: String

    init(bytes: [UInt8], fileExtension: String) {
        self.bytes = bytes
        self.fileExtension = fileExtension
    }

    init(for key: CacheKey, contentType: String) {
        var generator = SystemRandomNumberGenerator()
        let fresh: (UInt64, UInt64) = (generator.next(), generator.next())
        let digest = key.encoded.withUnsafeBytes { key in withUnsafeBytes(of: fresh) { Digest(of: key, $0) } }
        self.init(bytes: digest.bytes, fileExtension: Self.fileExtension(for: contentType))
    }

    /// `nil` for a file that is none of ours.
    init?(folder: String, file: String) {
        let parts = file.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 64, let bytes = Hex.decode(parts[0]),
            Hex.encode(bytes) == parts[0], folder == parts[0].prefix(2),
            Self.extensions.values.contains(String(parts[1])) || parts[1] == Self.unknownExtension
        else { return nil }
        self.init(bytes: bytes, fileExtension: String(parts[1]))
    }

    var folder: String { Hex.encode(bytes.prefix(1)) }
    var file: String { "\(Hex.encode(bytes)).\(fileExtension)" }

    /// The extension follows the type of the bytes; nothing of a URL reaches the file system.
    static func fileExtension(for contentType: String) -> String { extensions[contentType] ?? unknownExtension }

    private static let unknownExtension = "bin"
    private static let extensions = [
        "image/jpeg": "jpg", "image/png": "png", "image/gif": "gif", "image/webp": "webp", "image/avif": "avif",
        "image/heic": "heic", "image/bmp": "bmp", "image/tiff": "tiff", "image/x-icon": "ico",
        "image/vnd.microsoft.icon": "ico", "image/svg+xml": "svg",
    ]
}
