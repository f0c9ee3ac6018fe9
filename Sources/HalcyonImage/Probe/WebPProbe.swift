/// WebP (RFC 9649): a RIFF container with one VP8 or VP8L bit stream, or a VP8X header and frames.
enum WebPProbe {
    /// What follows the container is not looked at.
    static func probe(_ file: ByteView, limits: ImageLimits) throws(ImageError) -> ImageInfo {
        let size = try file.little32(4)
        guard size >= 4 + 8 else { throw .malformed(.webp) }
        let view = try file.slice(at: 0, length: size + 8)
        if view.has("VP8X", at: 12) { return try extended(view, limits: limits) }
        guard let (width, height) = try bitStream(view, at: 12) else { throw .malformed(.webp) }
        try limits.check(width: width, height: height, of: .webp)
        return ImageInfo(format: .webp, pixelWidth: width, pixelHeight: height)
    }

    /// VP8X: flags, three reserved bytes, width and height less one in 24 bits each.
    private static func extended(_ view: ByteView, limits: ImageLimits) throws(ImageError) -> ImageInfo {
        guard try view.little32(16) >= 10 else { throw .malformed(.webp) }
        let hasAnimation = try view.byte(20) & 0x02 != 0
        let width = try view.little24(24) + 1
        let height = try view.little24(27) + 1
        try limits.check(width: width, height: height, of: .webp)

        var frames = 0
        var hasStill = false
        var offset = try endOfChunk(view, at: 12)
        while offset < view.count {
            let next = try endOfChunk(view, at: offset)
            if view.has("ANMF", at: offset) {
                frames += 1
                try limits.check(frames: frames, width: width, height: height)
                try checkFrame(view, at: offset, end: next, width: width, height: height)
            } else if let (streamWidth, streamHeight) = try bitStream(view, at: offset) {
                guard streamWidth == width, streamHeight == height else { throw .malformed(.webp) }
                hasStill = true
            }
            offset = next
        }
        guard hasAnimation ? frames > 0 : hasStill else { throw .malformed(.webp) }
        return ImageInfo(
            format: .webp, pixelWidth: width, pixelHeight: height, isAnimated: hasAnimation && frames > 1)
    }

    /// ANMF: x and y halved, width and height less one, duration, flags; then the chunks of the frame.
    private static func checkFrame(
        _ view: ByteView, at chunk: Int, end: Int, width: Int, height: Int
    ) throws(ImageError) {
        let data = chunk + 8
        let frameWidth = try view.little24(data + 6) + 1
        let frameHeight = try view.little24(data + 9) + 1
        guard try view.little24(data) * 2 + frameWidth <= width, try view.little24(data + 3) * 2 + frameHeight <= height
        else { throw .malformed(.webp) }
        var offset = data + 16
        while offset < end {
            if let (streamWidth, streamHeight) = try bitStream(view, at: offset) {
                guard streamWidth == frameWidth, streamHeight == frameHeight else { throw .malformed(.webp) }
                return
            }
            offset = try endOfChunk(view, at: offset)
        }
        throw .malformed(.webp)
    }

    /// Chunks are padded to an even length; the last one of a container may lack the padding.
    private static func endOfChunk(_ view: ByteView, at offset: Int) throws(ImageError) -> Int {
        let length = try view.little32(offset + 4)
        try view.require(length, at: offset + 8)
        return offset + 8 + length + length & 1
    }

    /// Width and height in the header of a `VP8 ` key frame (RFC 6386 §9.1) or a `VP8L` stream (RFC 9649 §3.4); `nil` for
    /// another chunk.
    private static func bitStream(_ view: ByteView, at chunk: Int) throws(ImageError) -> (width: Int, height: Int)? {
        let data = chunk + 8
        if view.has("VP8 ", at: chunk) {
            try view.require(try view.little32(chunk + 4), at: data)
            guard try view.byte(data) & 1 == 0, try view.little24(data + 3) == 0x2A019D else { throw .malformed(.webp) }
            return (try view.little16(data + 6) & 0x3FFF, try view.little16(data + 8) & 0x3FFF)
        }
        if view.has("VP8L", at: chunk) {
            try view.require(try view.little32(chunk + 4), at: data)
            guard try view.byte(data) == 0x2F else { throw .malformed(.webp) }
            let bits = try view.little32(data + 1)
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        }
        return nil
    }
}
