/// libvips 8.14 writes Exif, XMP and colour profile into WebP also when told to strip them.
enum WebPChunks {
    /// - Parameter bytes: a file that libvips wrote (RFC 9649 §2.7); what is no such file comes back as it is.
    static func withoutMetadata(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count > 30, bytes[12..<16].elementsEqual("VP8X".utf8) else { return bytes }
        // Colour profile, Exif and XMP out of: reserved, I, L, E, X, A, reserved.
        let flags = bytes[20] & ~0b0010_1100
        var kept: [UInt8] = Array(bytes[..<12])
        var offset = 12
        while offset + 8 <= bytes.count {
            let length = (0..<4).reduce(0) { $0 | Int(bytes[offset + 4 + $1]) << (8 * $1) }
            let end = min(offset + 8 + length + length & 1, bytes.count)
            switch String(decoding: bytes[offset..<offset + 4], as: UTF8.self) {
            case "ICCP", "EXIF", "XMP ": break
            // A still picture without alpha needs no extended header.
            case "VP8X": if flags != 0 { kept += bytes[offset..<offset + 8] + [flags] + bytes[offset + 9..<end] }
            default: kept += bytes[offset..<end]
            }
            offset = end
        }
        for place in 0..<4 { kept[4 + place] = UInt8(truncatingIfNeeded: (kept.count - 8) >> (8 * place)) }
        return kept
    }
}
