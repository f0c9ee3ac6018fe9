/// GIF89a: a logical screen, then extensions and images made of sub-blocks, up to the trailer.
enum GIFProbe {
    /// The canvas and every frame's rectangle are judged, wherever the frame claims to lie. What follows the trailer is
    /// not looked at.
    static func probe(_ view: ByteView, limits: ImageLimits) throws(ImageError) -> ImageInfo {
        try view.require(13, at: 0)
        guard view.has("GIF87a") || view.has("GIF89a") else { throw .malformed(.gif) }
        var width = try view.little16(6)
        var height = try view.little16(8)
        if width > 0, height > 0 { try limits.check(width: width, height: height, of: .gif) }

        var frames = 0
        var offset = 13 + colorTableBytes(try view.byte(10))
        while true {
            switch try view.byte(offset) {
            case 0x21:
                offset = try endOfSubBlocks(view, from: offset + 2)
            case 0x2C:
                let right = try view.little16(offset + 1) + view.little16(offset + 5)
                let bottom = try view.little16(offset + 3) + view.little16(offset + 7)
                try limits.check(width: try view.little16(offset + 5), height: try view.little16(offset + 7), of: .gif)
                try limits.check(width: right, height: bottom, of: .gif)
                // A screen without size takes that of its first frame, as browsers do.
                if frames == 0, width == 0 || height == 0 { (width, height) = (right, bottom) }
                frames += 1
                try limits.check(frames: frames, width: max(width, right), height: max(height, bottom))
                // The colour table of the frame, then the LZW minimum code size.
                let data = offset + 10 + colorTableBytes(try view.byte(offset + 9))
                guard (1...11).contains(try view.byte(data)) else { throw .malformed(.gif) }
                offset = try endOfSubBlocks(view, from: data + 1)
            case 0x3B:
                guard frames > 0 else { throw .malformed(.gif) }
                return ImageInfo(format: .gif, pixelWidth: width, pixelHeight: height, isAnimated: frames > 1)
            default:
                throw .malformed(.gif)
            }
        }
    }

    private static func colorTableBytes(_ flags: Int) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1)
    }

    private static func endOfSubBlocks(_ view: ByteView, from start: Int) throws(ImageError) -> Int {
        var offset = start
        while true {
            let length = try view.byte(offset)
            offset += length + 1
            if length == 0 { return offset }
        }
    }
}
