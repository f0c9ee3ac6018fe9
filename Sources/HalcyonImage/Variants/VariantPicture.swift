internal import CVips

/// The steps from an original's bytes to a variant's. libvips reads the bytes until the last step is done.
struct VariantPicture {
    let vips: Vips
    let bytes: UnsafeRawBufferPointer
    let format: ImageFormat
    let variant: ResolvedVariant
    let limits: ImageLimits

    func rendered(within timeLimit: Duration) throws(RenderError) -> RenderedImage {
        let plan = try plan()
        let maximumSide = Self.maximumSide(of: variant.format)
        guard max(plan.width, plan.height) <= maximumSide else {
            throw .tooLarge(variant.format, maximumSide: maximumSide)
        }
        do throws(DrawingError) {
            var picture = try vips.thumbnail(
                bytes, width: plan.scaledWidth, height: plan.scaledHeight, frames: variant.isAnimated)
            let frames = variant.isAnimated ? vips.frames(of: picture) : 1
            if plan.isCut {
                picture = try vips.cut(
                    picture, frames: frames, frameHeight: plan.scaledHeight,
                    left: plan.left, top: plan.top, width: plan.width, height: plan.height)
            }
            picture = try rounded(picture, frames: frames, width: plan.width, height: plan.height)
            if variant.format == .jpeg { picture = try vips.flattened(picture) }
            let bytes = try encoded(picture, frameHeight: plan.height, within: timeLimit)
            return RenderedImage(bytes: bytes, format: variant.format, width: plan.width, height: plan.height)
        } catch .deadline {
            throw .tooSlow
        } catch {
            throw .image(.malformed(format))
        }
    }

    /// By the decoder's own idea of the size, which must pass the limits as the probe's did.
    private func plan() throws(RenderError) -> VariantGeometry {
        let size: (width: Int, height: Int)
        do throws(DrawingError) {
            size = try vips.uprightSize(of: bytes)
        } catch {
            throw .image(.malformed(format))
        }
        do throws(ImageError) {
            try limits.check(width: size.width, height: size.height, of: format)
        } catch {
            throw .image(error)
        }
        return VariantGeometry(variant, width: size.width, height: size.height)
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

    private static func maximumSide(of format: ImageFormat) -> Int {
        switch format {
        case .webp, .avif: 16_383
        default: 65_500
        }
    }
}
