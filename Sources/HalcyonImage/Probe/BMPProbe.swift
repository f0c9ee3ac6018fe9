/// Windows and OS/2 bitmaps: a file header of 14 bytes, an information header that begins with its own length, pixels.
enum BMPProbe {
    /// "BM" begins many a text, so the information header must be one of the known ones.
    static func isBMP(_ view: ByteView) -> Bool {
        guard view.has("BM") else { return false }
        return [12, 16, 40, 52, 56, 64, 108, 124].contains { view.isBig32(UInt32($0).byteSwapped, at: 14) }
    }

    static func probe(_ view: ByteView, limits: ImageLimits) throws(ImageError) -> ImageInfo {
        let pixels = try view.little32(10)
        let headerBytes = try view.little32(14)
        let header = try Header(view, at: 14)
        guard pixels >= 14 + headerBytes else { throw .malformed(.bmp) }
        try limits.check(width: header.width, height: header.height, of: .bmp)
        if header.isCompressed {
            guard header.compressedBytes > 0 else { throw .malformed(.bmp) }
            try view.require(header.compressedBytes, at: pixels)
        } else {
            // Rows are padded to 32 bits. The limit has kept the product far from overflow.
            let rowBytes = (header.width * header.bitsPerPixel + 31) / 32 * 4
            let (bytes, overflows) = rowBytes.multipliedReportingOverflow(by: header.height)
            guard !overflows else { throw .truncated }
            try view.require(bytes, at: pixels)
        }
        return ImageInfo(format: .bmp, pixelWidth: header.width, pixelHeight: header.height)
    }

    /// The information header, which icons use too.
    struct Header {
        let width: Int
        /// A negative height means that the top row comes first.
        let height: Int
        let bitsPerPixel: Int
        let isCompressed: Bool
        let compressedBytes: Int

        init(_ view: ByteView, at offset: Int) throws(ImageError) {
            let bytes = try view.little32(offset)
            guard bytes >= 12, bytes <= 124 else { throw .malformed(.bmp) }
            try view.require(bytes, at: offset)
            if bytes == 12 {
                width = try view.little16(offset + 4)
                height = try view.little16(offset + 6)
                bitsPerPixel = try view.little16(offset + 10)
                isCompressed = false
                compressedBytes = 0
            } else {
                width = Int(Int32(truncatingIfNeeded: try view.little32(offset + 4)))
                height = abs(Int(Int32(truncatingIfNeeded: try view.little32(offset + 8))))
                bitsPerPixel = try view.little16(offset + 14)
                // 0 is plain, 3 and 6 are plain with masks; the others are run lengths or an embedded JPEG or PNG.
                let compression = bytes >= 40 ? try view.little32(offset + 16) : 0
                isCompressed = ![0, 3, 6].contains(compression)
                compressedBytes = bytes >= 40 ? try view.little32(offset + 20) : 0
            }
            guard (1...32).contains(bitsPerPixel) || isCompressed else { throw .malformed(.bmp) }
        }
    }
}
