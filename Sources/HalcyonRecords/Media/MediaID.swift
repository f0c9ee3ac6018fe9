package import HalcyonCrypto

/// The name of an image that is kept for good: the BLAKE2b-256 digest of its bytes and the extension of their format,
/// `<64 lower-case hexadecimal digits>.jpg`. The same bytes have the same name. Nothing else is a name, so that no text
/// from a request can lead out of the folder.
package struct MediaID: Sendable, Hashable, LosslessStringConvertible {
    package let description: String

    /// `nil` unless `text` is a name as above.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.count > Self.digestLength + 1, bytes.count <= Self.digestLength + 1 + Self.extensionLimit,
            bytes.prefix(Self.digestLength).allSatisfy({ Self.isDigit($0) || (0x61...0x66).contains($0) }),
            bytes.dropFirst(Self.digestLength).first == UInt8(ascii: "."),
            bytes.dropFirst(Self.digestLength + 1).allSatisfy({ Self.isDigit($0) || (0x61...0x7A).contains($0) })
        else { return nil }
        description = text
    }

    /// `nil` unless `fileExtension` is 1 to 5 lower-case letters and digits, without the dot.
    package init?(digest: Digest, fileExtension: String) {
        self.init(digest.hex + "." + fileExtension)
    }

    /// 64 hexadecimal digits.
    package var digestText: String { String(description.prefix(Self.digestLength)) }

    /// The first two digits: the folder that the file is in.
    var folder: String { String(description.prefix(2)) }

    private static let digestLength = 2 * Digest.byteCount
    private static let extensionLimit = 5

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
