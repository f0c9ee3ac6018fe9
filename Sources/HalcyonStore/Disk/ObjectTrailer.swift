internal import HalcyonCrypto

/// What follows the bytes in an object file, so that the index can be rebuilt from the files alone. Image viewers
/// ignore it.
///
/// ```
/// body | payload: key, metadata | footer: version, payload length, body length, checksum, magic
/// ```
///
/// The footer has a fixed length and is read first, from the end. The checksum covers payload, version and lengths;
/// the body has its digest in the metadata.
struct ObjectTrailer: Sendable, Hashable {
    static let formatVersion: UInt32 = 3
    static let footerBytes = 4 + 4 + 8 + Digest.byteCount + magic.count
    /// A reader that takes this much from the end has the whole trailer, unless the key is unusually long.
    static let usualBytes = 4_096
    private static let magic = Array("\u{0}HALCYON".utf8)
    private static let maximumPayloadBytes = 1 << 20

    let key: CacheKey
    let metadata: EntryMetadata

    var encoded: [UInt8] {
        var payload = ByteWriter(capacity: 512)
        payload.blob(key.encoded)
        metadata.encode(into: &payload)
        var footer = ByteWriter(capacity: Self.footerBytes)
        footer.integer(Self.formatVersion)
        footer.integer(UInt32(payload.bytes.count))
        footer.integer(UInt64(metadata.byteCount))
        let checksum = Self.checksum(payload.bytes[...], footer.bytes[...])
        return payload.bytes + footer.bytes + checksum + Self.magic
    }

    enum Outcome {
        case trailer(ObjectTrailer)
        /// Look again with this many bytes from the end.
        case needs(Int)
        case invalid
    }

    /// Reads the trailer from the last bytes of a file of `fileSize` bytes.
    static func read(tail: [UInt8], fileSize: Int) -> Outcome {
        guard tail.count >= footerBytes, tail.suffix(magic.count).elementsEqual(magic) else { return .invalid }
        let footer = tail.suffix(footerBytes)
        var reader = ByteReader(footer)
        guard reader.integer(UInt32.self) == formatVersion,
            let payloadBytes = reader.integer(UInt32.self).map(Int.init), payloadBytes <= maximumPayloadBytes,
            let bodyBytes = reader.integer(UInt64.self).flatMap(Int.init(exactly:)),
            bodyBytes <= fileSize, bodyBytes + payloadBytes + footerBytes == fileSize
        else { return .invalid }
        guard tail.count >= payloadBytes + footerBytes else { return .needs(payloadBytes + footerBytes) }
        let payload = tail.dropLast(footerBytes).suffix(payloadBytes)
        let stored = footer.dropFirst(16).prefix(Digest.byteCount)
        guard stored.elementsEqual(checksum(payload, footer.prefix(16))) else { return .invalid }
        var fields = ByteReader(payload)
        guard let key = fields.blob().flatMap({ CacheKey(encoded: Array($0)) }),
            let metadata = EntryMetadata(from: &fields), fields.isAtEnd, metadata.byteCount == bodyBytes
        else { return .invalid }
        return .trailer(ObjectTrailer(key: key, metadata: metadata))
    }

    private static func checksum(_ payload: ArraySlice<UInt8>, _ head: ArraySlice<UInt8>) -> [UInt8] {
        payload.withUnsafeBytes { payload in head.withUnsafeBytes { Digest(of: payload, $0).bytes } }
    }
}
