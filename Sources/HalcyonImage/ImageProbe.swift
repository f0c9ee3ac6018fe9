/// Tells what bytes are without decoding them: the format by its signature, the size, and whether all of it is there.
///
/// Runs on every body that is fetched: a JPEG of 24 KiB takes about a microsecond and no allocation. The headers of the
/// origin and the name in the URL have no say.
package enum ImageProbe {
    package static func probe(_ bytes: [UInt8], limits: ImageLimits = .init()) throws(ImageError) -> ImageInfo {
        // `withUnsafeBytes` forgets the type of an error; the result carries it through.
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(ImageError) in try probe(buffer, limits: limits) }
        }
        return try result.get()
    }

    /// - Throws: see `ImageError`; limits are judged as soon as the header tells, before the rest is walked.
    package static func probe(
        _ bytes: UnsafeRawBufferPointer, limits: ImageLimits = .init()
    ) throws(ImageError) -> ImageInfo {
        let view = ByteView(bytes)
        guard view.count > 0 else { throw .empty }
        switch format(of: view) {
        case .jpeg: return try JPEGProbe.probe(view, limits: limits)
        case .png: return try PNGProbe.probe(view, limits: limits)
        case .gif: return try GIFProbe.probe(view, limits: limits)
        case .webp: return try WebPProbe.probe(view, limits: limits)
        case .avif: return try HEIFProbe.probe(view, format: .avif, limits: limits)
        case .heic: return try HEIFProbe.probe(view, format: .heic, limits: limits)
        case .bmp: return try BMPProbe.probe(view, limits: limits)
        case .tiff: return try TIFFProbe.probe(view, limits: limits)
        case .ico: return try ICOProbe.probe(view, limits: limits)
        case .svg:
            guard limits.allowsSVG else { throw .unsupported(.svg) }
            return try SVGProbe.probe(view, limits: limits)
        case nil: throw .notAnImage
        }
    }

    /// By signature alone; `nil` for what is no image.
    private static func format(of view: ByteView) -> ImageFormat? {
        if view.isBig16(0xFFD8, at: 0) { return .jpeg }
        if view.isBig32(0x8950_4E47, at: 0) { return .png }
        if view.has("GIF8") { return .gif }
        if view.has("RIFF"), view.has("WEBP", at: 8) { return .webp }
        if view.has("ftyp", at: 4) { return HEIFProbe.format(of: view) }
        if TIFFProbe.isTIFF(view) { return .tiff }
        if BMPProbe.isBMP(view) { return .bmp }
        if ICOProbe.isICO(view) { return .ico }
        if SVGProbe.isSVG(view) { return .svg }
        return nil
    }
}
