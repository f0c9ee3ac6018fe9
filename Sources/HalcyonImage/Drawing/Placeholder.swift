internal import Glibc

/// What is shown where there is no photo.
package enum Placeholder {
    /// The operator's file may be this large; it is kept in memory and sent often.
    package static let fileLimitBytes = 1024 * 1024

    /// A neutral head and shoulders on a soft ground, square, as PNG of a few KiB. Shapes only: no font is needed.
    /// - Parameter size: pixels a side, from 1; 4096 at most.
    package static func silhouette(size: Int = 256) throws(DrawingError) -> [UInt8] {
        try Vips.shared().png(drawing: PlaceholderDrawing.silhouette.svg(side: min(max(size, 1), 4096)))
    }

    /// What a variant of the drawn placeholder is resolved with: drawn at any size, it is never too small.
    package static let source = VariantSource(
        info: ImageInfo(format: .png, pixelWidth: Variant.maximumSide, pixelHeight: Variant.maximumSide),
        hasAlpha: false)

    /// Draws the placeholder in the variant's size, 256 pixels if it names none, and encodes it.
    package static func rendered(
        _ drawing: PlaceholderDrawing, as variant: ResolvedVariant, timeLimit: Duration = VariantRenderer.timeLimit,
        by performer: RenderJob.Performer = RenderJob.here
    ) throws(RenderError) -> RenderedImage {
        let svg = drawing.svg(side: plan(variant).scaledWidth)
        return try performer(.drawing(variant), Array(svg.utf8), ImageLimits(), timeLimit)
    }

    private static func plan(_ variant: ResolvedVariant) -> VariantGeometry {
        let side = variant.width == nil && variant.height == nil ? 256 : Variant.maximumSide
        return VariantGeometry(variant, width: side, height: side)
    }

    static func render(
        _ svg: String, as variant: ResolvedVariant, timeLimit: Duration
    ) throws(RenderError) -> RenderedImage {
        let plan = plan(variant)
        do throws(DrawingError) {
            let vips = try Vips.shared()
            let finish = VariantFinish(vips: vips, variant: variant)
            let drawn = try vips.image(drawing: svg)
            let opaque = try vips.opaque(drawn)
            let bytes = try finish.bytes(opaque, plan, within: timeLimit)
            return RenderedImage(bytes: bytes, format: variant.format, width: plan.width, height: plan.height)
        } catch .deadline {
            throw .tooSlow
        } catch {
            if variant.format == .avif, case .success(let vips) = Vips.opened, !vips.writesAVIF {
                throw .noEncoder(.avif)
            }
            throw .library("\(error)")
        }
    }

    /// The operator's file, probed. Blocks.
    /// - Throws: `unreadableFile`, `fileTooLarge`, `unusableFile`; the last also for formats that browsers do not show.
    package static func file(
        _ path: String, limits: ImageLimits = .init()
    ) throws(DrawingError) -> (bytes: [UInt8], info: ImageInfo) {
        let bytes = try contents(of: path)
        let info: ImageInfo
        do throws(ImageError) {
            info = try ImageProbe.probe(bytes, limits: limits)
        } catch {
            throw .unusableFile(path: path, error)
        }
        guard [.jpeg, .png, .gif, .webp, .avif].contains(info.format) else {
            throw .unusableFile(path: path, .unsupported(info.format))
        }
        return (bytes, info)
    }

    private static func contents(of path: String) throws(DrawingError) -> [UInt8] {
        func failure() -> DrawingError { .unreadableFile(path: path, reason: String(cString: strerror(errno))) }

        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: fileLimitBytes + 1)
        var filled = 0
        while filled < bytes.count {
            let received = bytes.withUnsafeMutableBytes { buffer in
                read(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
            }
            if received < 0, errno == EINTR { continue }
            guard received >= 0 else { throw failure() }
            if received == 0 { return Array(bytes[..<filled]) }
            filled += received
        }
        throw .fileTooLarge(path: path, limitBytes: fileLimitBytes)
    }
}
