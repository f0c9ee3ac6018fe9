/// libvips reads a PNG's Exif where it stands before the pixels. It may also stand behind them (PNG, third edition, 5.6,
/// table 5.3: "none" for the place of eXIf), and turns the picture there too.
enum PNGOrientation {
    /// Length, type and check sum around a chunk's data.
    private static let frameCount = 12
    /// The signature and IHDR.
    private static let headerCount = 33

    /// The same picture with its Exif first; `nil` if there is none behind the pixels.
    static func brought(forward bytes: UnsafeRawBufferPointer) throws(ImageError) -> [UInt8]? {
        guard let chunk = try lateExif(ByteView(bytes)) else { return nil }
        return Array(bytes[..<headerCount]) + bytes[chunk] + bytes[headerCount..<chunk.lowerBound]
            + bytes[chunk.upperBound...]
    }

    private static func lateExif(_ view: ByteView) throws(ImageError) -> Range<Int>? {
        var offset = headerCount
        var hasData = false
        while !view.has("IEND", at: offset + 4) {
            let chunk = offset..<offset + (try view.big32(offset)) + frameCount
            try view.require(chunk.count, at: offset)
            if view.has("IDAT", at: offset + 4) {
                hasData = true
            } else if view.has("eXIf", at: offset + 4) {
                return hasData ? chunk : nil
            }
            offset = chunk.upperBound
        }
        return nil
    }
}
