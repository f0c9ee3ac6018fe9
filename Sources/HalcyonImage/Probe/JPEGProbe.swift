/// ITU-T T.81 annex B: segments, each a marker with a length, and after a start of scan entropy-coded data in which a
/// marker can be told from data by the byte after 0xFF.
enum JPEGProbe {
    /// What follows the end of the image is not looked at: cameras append previews and films.
    static func probe(_ view: ByteView, limits: ImageLimits) throws(ImageError) -> ImageInfo {
        var info: ImageInfo?
        var hasScan = false
        var offset = 2
        while true {
            // Between segments there may be fill bytes (B.1.1.2), and decoders forgive rubbish there.
            guard let mark = view.firstIndex(of: 0xFF, from: offset) else { throw .truncated }
            let marker = try view.byte(mark + 1)
            offset = mark + 2
            switch marker {
            case 0xFF:
                offset = mark + 1
            case 0x00, 0x01, 0xD0...0xD7:
                continue
            case 0xD8:
                throw .malformed(.jpeg)
            case 0xD9:
                guard let info, hasScan else { throw .malformed(.jpeg) }
                return info
            case 0xDE:
                // Hierarchical: several frames in one file, which no common decoder reads.
                throw .unsupported(.jpeg)
            case 0xDA:
                guard info != nil else { throw .malformed(.jpeg) }
                offset = try endOfScan(view, from: try endOfSegment(view, at: offset))
                hasScan = true
            case 0xC0...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
                guard info == nil else { throw .malformed(.jpeg) }
                info = try frame(view, at: offset, limits: limits)
                offset = try endOfSegment(view, at: offset)
            default:
                offset = try endOfSegment(view, at: offset)
            }
        }
    }

    private static func endOfSegment(_ view: ByteView, at offset: Int) throws(ImageError) -> Int {
        let length = try view.big16(offset)
        guard length >= 2 else { throw .malformed(.jpeg) }
        try view.require(length, at: offset)
        return offset + length
    }

    /// The start of frame, all of baseline, progressive, lossless and arithmetic (B.2.2): precision, height, width,
    /// number of components.
    private static func frame(_ view: ByteView, at offset: Int, limits: ImageLimits) throws(ImageError) -> ImageInfo {
        let length = try view.big16(offset)
        let height = try view.big16(offset + 3)
        let width = try view.big16(offset + 5)
        let components = try view.byte(offset + 7)
        guard (1...4).contains(components), length == 8 + 3 * components else { throw .malformed(.jpeg) }
        try limits.check(width: width, height: height, of: .jpeg)
        return ImageInfo(format: .jpeg, pixelWidth: width, pixelHeight: height)
    }

    /// The place of the marker that ends the scan: in the data 0xFF is followed by 0x00, and restart markers belong to it.
    private static func endOfScan(_ view: ByteView, from start: Int) throws(ImageError) -> Int {
        var offset = start
        while let mark = view.firstIndex(of: 0xFF, from: offset) {
            switch try view.byte(mark + 1) {
            case 0x00, 0xD0...0xD7: offset = mark + 2
            case 0xFF: offset = mark + 1
            default:
                guard mark > start else { throw .malformed(.jpeg) }
                return mark
            }
        }
        throw .truncated
    }
}
