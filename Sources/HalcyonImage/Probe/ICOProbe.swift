/// Windows icons: a directory of pictures, each a PNG or a bitmap without file header.
enum ICOProbe {
    /// The signature is weak (two bytes of zero, then 1), so the first entry of the directory must be plausible too.
    static func isICO(_ view: ByteView) -> Bool {
        // Number of pictures, not zero and below 256, then in the first entry a reserved zero.
        view.isBig32(0x0000_0100, at: 0) && !view.isBig16(0, at: 4) && view.isZero(at: 5) && view.isZero(at: 9)
    }

    /// The size of the largest picture.
    static func probe(_ view: ByteView, limits: ImageLimits) throws(ImageError) -> ImageInfo {
        let count = try view.little16(4)
        try view.require(6 + 16 * count, at: 0)
        guard count <= limits.maximumFrames else { throw .tooManyFrames(limit: limits.maximumFrames) }
        var largest = ImageInfo(format: .ico, pixelWidth: 0, pixelHeight: 0)
        for index in 0..<count {
            let entry = 6 + 16 * index
            let data = try view.slice(at: try view.little32(entry + 12), length: try view.little32(entry + 8))
            let (width, height) = try picture(data, limits: limits)
            if width * height > largest.pixelWidth * largest.pixelHeight {
                largest = ImageInfo(format: .ico, pixelWidth: width, pixelHeight: height)
            }
        }
        return largest
    }

    private static func picture(_ data: ByteView, limits: ImageLimits) throws(ImageError) -> (width: Int, height: Int) {
        if data.isBig32(0x8950_4E47, at: 0) {
            let info = try PNGProbe.probe(data, limits: limits)
            return (info.pixelWidth, info.pixelHeight)
        }
        let header = try BMPProbe.Header(data, at: 0)
        // Picture and mask stand on top of each other.
        let height = header.height / 2
        try limits.check(width: header.width, height: height, of: .ico)
        try data.require((header.width * header.bitsPerPixel + 31) / 32 * 4 * height, at: 40)
        return (header.width, height)
    }
}
