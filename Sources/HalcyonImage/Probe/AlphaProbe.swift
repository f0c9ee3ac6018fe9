/// Whether a file that `ImageProbe` has passed has a place for transparency.
enum AlphaProbe {
    static func hasAlpha(_ view: ByteView, format: ImageFormat) throws(ImageError) -> Bool {
        switch format {
        case .jpeg, .bmp, .tiff: false
        case .gif, .ico, .svg: true
        case .png: try png(view)
        case .webp: webp(view)
        case .avif, .heic: heif(view)
        }
    }

    /// Colour types 4 and 6, or tRNS before the data.
    private static func png(_ view: ByteView) throws(ImageError) -> Bool {
        if try view.byte(25) & 4 != 0 { return true }
        var offset = 33
        while !view.has("IDAT", at: offset + 4) {
            if view.has("tRNS", at: offset + 4) { return true }
            offset += try view.big32(offset) + 12
        }
        return false
    }

    /// The flag of VP8X, or the hint of a lone VP8L stream (RFC 9649 §2.7.1, §3.4).
    private static func webp(_ view: ByteView) -> Bool {
        if view.has("VP8X", at: 12) { return view[20].map { $0 & 0x10 != 0 } ?? false }
        return view.has("VP8L", at: 12) && view[24].map { $0 & 0x10 != 0 } ?? false
    }

    /// An auxiliary image that says it is the alpha plane (ISO/IEC 23008-12 §6.6.2.1.1): the text of `auxC`.
    private static func heif(_ view: ByteView) -> Bool {
        var offset = 0
        while let mark = view.firstIndex(of: UInt8(ascii: "a"), from: offset) {
            if view.has("auxC", at: mark) {
                if view.has("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", at: mark + 8) { return true }
                if view.has("urn:mpeg:hevc:2015:auxid:1", at: mark + 8) { return true }
            }
            offset = mark + 1
        }
        return false
    }
}
