internal import HalcyonCrypto
internal import Synchronization

/// The name of an object file, used for one write and never again: `3f/3f…64 digits….jpg`.
struct ObjectName: Sendable, Hashable {
    /// BLAKE2b-256 over the key and a number that is new for each write.
    let bytes: [UInt8]
    let fileExtension: String

    /// Together they never repeat: drawn once for the process, counted for each write.
    private static let processNumber = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))
    private static let writeNumber = Atomic<UInt64>(0)

    init(bytes: [UInt8], fileExtension: String) {
        self.bytes = bytes
        self.fileExtension = fileExtension
    }

    init(for key: CacheKey, contentType: String) {
        let fresh = (Self.processNumber, Self.writeNumber.add(1, ordering: .relaxed).newValue)
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

    var folder: String { Self.digits(bytes[0..<1]) }
    var file: String { "\(Self.digits(bytes[...])).\(fileExtension)" }

    /// Hexadecimal, like ``Hex``, which the compiler cannot see into from here; a name is made for every read and write.
    private static func digits(_ bytes: ArraySlice<UInt8>) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { text in
            var index = 0
            for byte in bytes {
                text[index] = digit(byte >> 4)
                text[index + 1] = digit(byte & 15)
                index += 2
            }
            return index
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }

    /// The extension follows the type of the bytes; nothing of a URL reaches the file system.
    static func fileExtension(for contentType: String) -> String { extensions[contentType] ?? unknownExtension }

    private static let unknownExtension = "bin"
    private static let extensions = [
        "image/jpeg": "jpg", "image/png": "png", "image/gif": "gif", "image/webp": "webp", "image/avif": "avif",
        "image/heic": "heic", "image/bmp": "bmp", "image/tiff": "tiff", "image/x-icon": "ico",
        "image/vnd.microsoft.icon": "ico", "image/svg+xml": "svg",
    ]
}
