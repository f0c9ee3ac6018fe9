internal import CVips

/// The steps from a picture of the planned scale to a variant's bytes.
struct VariantFinish {
    let vips: Vips
    let variant: ResolvedVariant

    /// Cuts, rounds, flattens and encodes.
    func bytes(
        _ decoded: Vips.Image, _ plan: VariantGeometry, within timeLimit: Duration
    ) throws(DrawingError) -> [UInt8] {
        var picture = decoded
        let frames = variant.isAnimated ? vips.frames(of: picture) : 1
        if plan.isCut {
            picture = try vips.cut(
                picture, frames: frames, frameHeight: plan.scaledHeight,
                left: plan.left, top: plan.top, width: plan.width, height: plan.height)
        }
        picture = try rounded(picture, frames: frames, width: plan.width, height: plan.height)
        if variant.format == .jpeg { picture = try vips.flattened(picture) }
        let bytes = try encoded(picture, frameHeight: plan.height, within: timeLimit)
        return variant.format == .webp ? WebPChunks.withoutMetadata(bytes) : bytes
    }

    private func rounded(
        _ picture: Vips.Image, frames: Int, width: Int, height: Int
    ) throws(DrawingError) -> Vips.Image {
        let half = Double(min(width, height)) / 2
        let radius: Double
        switch variant.corner {
        case .square: return picture
        case .radius(let pixels): radius = min(Double(pixels), half)
        case .max: radius = half
        }
        return try vips.rounded(picture, frames: frames, width: width, height: height, radius: radius)
    }

    private func encoded(
        _ picture: Vips.Image, frameHeight: Int, within timeLimit: Duration
    ) throws(DrawingError) -> [UInt8] {
        let quality = Int32(variant.quality ?? 0)
        return try vips.bytes(of: picture, within: timeLimit) { vips, bytes, count in
            switch variant.format {
            case .png: halcyon_vips_pngsave(vips, picture.pointer, 6, bytes, count)
            case .webp: halcyon_vips_webpsave(vips, picture.pointer, quality, Int32(frameHeight), bytes, count)
            case .avif: halcyon_vips_avifsave(vips, picture.pointer, quality, Vips.effortOfAVIF, bytes, count)
            default: halcyon_vips_jpegsave(vips, picture.pointer, quality, bytes, count)
            }
        }
    }

    /// - Throws: `tooLarge`.
    func check(_ plan: VariantGeometry) throws(RenderError) {
        let maximumSide = Self.maximumSide(of: variant.format)
        guard max(plan.width, plan.height) <= maximumSide else {
            throw .tooLarge(variant.format, maximumSide: maximumSide)
        }
    }

    private static func maximumSide(of format: ImageFormat) -> Int {
        switch format {
        case .webp, .avif: 16_383
        default: 65_500
        }
    }
}
