/// Made-up faces for `halcyon demo`: drawn from shapes, of nobody.
package enum SamplePortrait {
    package static let width = 480
    package static let height = 600

    /// Costly to make and the same for all: what tells the faces apart is drawn.
    private static let grain = Result { () throws(DrawingError) in
        try Vips.shared().grain(width: width, height: height, sigma: 3)
    }

    /// A JPEG of 480 × 600 pixels; the same seed gives the same face.
    /// - Parameter approximateBytes: aimed at by quality, between 50 and 95; what cannot be reached is missed.
    package static func jpeg(
        seed: UInt64, approximateBytes: Range<Int> = 20 * 1024..<60 * 1024
    ) throws(DrawingError) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        let traits = PortraitTraits(using: &random)
        let svg = PortraitDrawing(traits: traits).svg
        let grain = try Self.grain.get()
        var quality = random.number(78...90)
        var bytes: [UInt8] = []
        for step in [6, 4, 2, 0] {
            bytes = try Vips.shared().jpeg(drawing: svg, grain: grain, quality: quality)
            if approximateBytes.contains(bytes.count) || step == 0 { break }
            quality = min(max(quality + (bytes.count < approximateBytes.lowerBound ? step : -step), 50), 95)
        }
        return bytes
    }
}
