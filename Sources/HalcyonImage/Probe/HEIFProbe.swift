/// AVIF and HEIC: items described by a `meta` box (ISO/IEC 23008-12), or a sequence described by `moov`.
enum HEIFProbe {
    /// By the brands of the `ftyp` box, major and compatible; `nil` for films and other relatives.
    static func format(of view: ByteView) -> ImageFormat? {
        // At most 32 brands are looked at, whatever length the box claims.
        let brands = [8] + stride(from: 16, to: 16 + 32 * 4, by: 4)
        let end = view.isZero(at: 0) && view.isZero(at: 1) ? Int(view[2] ?? 0) << 8 | Int(view[3] ?? 0) : 0
        var format: ImageFormat?
        for offset in brands where offset + 4 <= end {
            if view.has("avif", at: offset) || view.has("avis", at: offset) { return .avif }
            if view.has("he", at: offset) || view.has("mif1", at: offset) || view.has("msf1", at: offset) {
                format = .heic
            }
        }
        return format
    }

    static func probe(_ view: ByteView, format: ImageFormat, limits: ImageLimits) throws(ImageError) -> ImageInfo {
        var still: (width: Int, height: Int)?
        var sequence: MovieHeader?
        var reader = try BoxReader(view)
        while let box = try reader.next() {
            if box.isType("meta"), still == nil {
                still = try ItemProperties(box, format: format, limits: limits).primarySize(file: view)
            } else if box.isType("moov"), sequence == nil {
                sequence = try MovieHeader(box, format: format, limits: limits)
            }
        }
        let isAnimated = (sequence?.frames ?? 1) > 1
        if let still {
            return ImageInfo(
                format: format, pixelWidth: still.width, pixelHeight: still.height, isAnimated: isAnimated)
        }
        // Without either, the boxes that describe the image have not arrived.
        guard let sequence else { throw .truncated }
        return ImageInfo(
            format: format, pixelWidth: sequence.width, pixelHeight: sequence.height, isAnimated: isAnimated)
    }
}
