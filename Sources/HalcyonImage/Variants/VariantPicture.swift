internal import CVips

/// The steps from an original's bytes to a variant's. libvips reads the bytes until the last step is done.
struct VariantPicture {
    let vips: Vips
    let bytes: UnsafeRawBufferPointer
    let format: ImageFormat
    let variant: ResolvedVariant
    let limits: ImageLimits

    func rendered(within timeLimit: Duration) throws(RenderError) -> RenderedImage {
        let header = try header()
        let plan = VariantGeometry(variant, width: header.width, height: header.height)
        let maximumSide = Self.maximumSide(of: variant.format)
        guard max(plan.width, plan.height) <= maximumSide else {
            throw .tooLarge(variant.format, maximumSide: maximumSide)
        }
        do throws(DrawingError) {
            let bytes = try bytes(plan, hasProfile: header.hasProfile, isStrict: format == .jpeg, within: timeLimit)
            return RenderedImage(bytes: bytes, format: variant.format, width: plan.width, height: plan.height)
        } catch .deadline {
            throw .tooSlow
        } catch {
            throw .image(.malformed(format))
        }
    }

    /// What ends a scan too early is a mere warning to libjpeg, as is what many cameras write: rubbish between segments
    /// and odd version numbers. The first would give half a picture; the others are forgiven at a second try.
    private func bytes(
        _ plan: VariantGeometry, hasProfile: Bool, isStrict: Bool, within timeLimit: Duration
    ) throws(DrawingError) -> [UInt8] {
        do throws(DrawingError) {
            return try bytes(decoded(plan, hasProfile: hasProfile, isStrict: isStrict), plan, within: timeLimit)
        } catch .library(let message) where isStrict && Self.forgiven.contains(where: message.contains) {
            return try bytes(decoded(plan, hasProfile: hasProfile, isStrict: false), plan, within: timeLimit)
        }
    }

    private static let forgiven = [
        "extraneous bytes before marker", "Unknown Adobe color transform", "JFIF major revision",
    ]

    private func decoded(
        _ plan: VariantGeometry, hasProfile: Bool, isStrict: Bool
    ) throws(DrawingError) -> Vips.Image {
        try vips.thumbnail(
            bytes, width: plan.scaledWidth, height: plan.scaledHeight, hasProfile: hasProfile,
            frames: variant.isAnimated, isStrict: isStrict)
    }

    private func bytes(
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

    /// The decoder's own idea of the size must pass the limits as the probe's did.
    private func header() throws(RenderError) -> Vips.Header {
        let header: Vips.Header
        do throws(DrawingError) {
            header = try vips.header(of: bytes)
        } catch {
            throw .image(.malformed(format))
        }
        do throws(ImageError) {
            try limits.check(width: header.width, height: header.height, of: format)
        } catch {
            throw .image(error)
        }
        return header
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
