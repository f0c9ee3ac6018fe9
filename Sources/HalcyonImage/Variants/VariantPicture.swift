internal import CVips

/// The steps from an original's bytes to a variant's. libvips reads the bytes until the last step is done.
struct VariantPicture {
    let vips: Vips
    let bytes: UnsafeRawBufferPointer
    let format: ImageFormat
    let variant: ResolvedVariant
    let limits: ImageLimits

    private var finish: VariantFinish { VariantFinish(vips: vips, variant: variant) }

    func rendered(within timeLimit: Duration) throws(RenderError) -> RenderedImage {
        let header = try header()
        let plan = VariantGeometry(variant, width: header.width, height: header.height)
        try finish.check(plan)
        do throws(DrawingError) {
            let bytes = try bytes(plan, hasProfile: header.hasProfile, within: timeLimit)
            return RenderedImage(bytes: bytes, format: variant.format, width: plan.width, height: plan.height)
        } catch .deadline {
            throw .tooSlow
        } catch {
            throw .image(.malformed(format))
        }
    }

    /// What ends a scan too early is a mere warning to libjpeg, as is what many cameras write: rubbish between segments
    /// and odd version numbers. The first would give half a picture; the others are forgiven at a second try, and so is
    /// a colour profile that is not for this kind of picture: it then counts as sRGB, as in browsers.
    private func bytes(
        _ plan: VariantGeometry, hasProfile: Bool, within timeLimit: Duration
    ) throws(DrawingError) -> [UInt8] {
        var (isStrict, usesProfile) = (format == .jpeg, hasProfile)
        while true {
            do throws(DrawingError) {
                return try finish.bytes(
                    decoded(plan, hasProfile: usesProfile, isStrict: isStrict), plan, within: timeLimit)
            } catch .library(let message) where isStrict && Self.forgiven.contains(where: message.contains) {
                isStrict = false
            } catch .library(let message) where usesProfile && message.contains("profile") {
                usesProfile = false
            }
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
}
