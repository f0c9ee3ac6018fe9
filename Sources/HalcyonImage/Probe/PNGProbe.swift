/// PNG, third edition: a signature, then chunks of length, type, data and check sum, from IHDR to IEND.
enum PNGProbe {
    /// The walk ends with IEND; what follows is not looked at. Check sums are left to the decoder.
    static func probe(_ view: ByteView, limits: ImageLimits) throws(ImageError) -> ImageInfo {
        try view.require(16, at: 0)
        guard view.isBig32(0x0D0A_1A0A, at: 4) else { throw .malformed(.png) }
        guard try view.big32(8) == 13, view.has("IHDR", at: 12) else { throw .malformed(.png) }
        let width = try view.big32(16)
        let height = try view.big32(20)
        guard width <= Int(Int32.max), height <= Int(Int32.max) else { throw .malformed(.png) }
        try limits.check(width: width, height: height, of: .png)

        var announcedFrames = 1
        var frames = 0
        var hasData = false
        var offset = 33
        while true {
            let length = try view.big32(offset)
            let type = offset + 4
            let data = offset + 8
            guard length <= Int(Int32.max) else { throw .malformed(.png) }
            try view.require(length + 4, at: data)
            if view.has("IDAT", at: type) {
                hasData = hasData || length > 0
            } else if view.has("acTL", at: type), length >= 8, !hasData {
                // Zero is no number of frames, and the picture a still one to those who show it.
                announcedFrames = max(try view.big32(data), 1)
                try limits.check(frames: announcedFrames, width: width, height: height)
            } else if view.has("fcTL", at: type), length >= 20 {
                frames += 1
                try limits.check(frames: frames, width: width, height: height)
                try checkFrame(view, at: data, width: width, height: height)
            } else if view.has("IEND", at: type) {
                guard hasData else { throw .malformed(.png) }
                break
            }
            offset = data + length + 4
        }
        return ImageInfo(format: .png, pixelWidth: width, pixelHeight: height, isAnimated: announcedFrames > 1)
    }

    /// fcTL: sequence number, width, height, x, y. The frame must lie inside the canvas.
    private static func checkFrame(_ view: ByteView, at data: Int, width: Int, height: Int) throws(ImageError) {
        let frameWidth = try view.big32(data + 4)
        let frameHeight = try view.big32(data + 8)
        guard frameWidth > 0, try frameWidth + view.big32(data + 12) <= width else { throw .malformed(.png) }
        guard frameHeight > 0, try frameHeight + view.big32(data + 16) <= height else { throw .malformed(.png) }
    }
}
