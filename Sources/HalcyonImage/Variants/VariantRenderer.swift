/// Makes variants: a function of bytes, variant and limits, on the caller's thread.
///
/// Upright, in sRGB of 8 bits, without any metadata. JPEG and WebP are decoded at the size that is nearest above. A picture
/// that cannot be decoded to its end is an error, never half a picture.
package enum VariantRenderer {
    package static let timeLimit: Duration = .seconds(10)

    /// Formats of originals; BMP, ICO and SVG have no decoder that strangers' bytes may be given.
    package static let decodable: Set<ImageFormat> = [.jpeg, .png, .gif, .webp, .avif, .heic, .tiff]

    /// - Parameters:
    ///   - limits: judged by the headers before anything is decoded.
    ///   - timeLimit: looked at between strips of the result. Decoders that must see all of a file first (interlaced,
    ///     progressive, AVIF) are not interrupted; `DecoderProcess` is.
    package static func render(
        _ bytes: [UInt8], as variant: ResolvedVariant, limits: ImageLimits = .init(), timeLimit: Duration = timeLimit
    ) throws(RenderError) -> RenderedImage {
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(RenderError) in
                try render(buffer, as: variant, limits: limits, timeLimit: timeLimit)
            }
        }
        return try result.get()
    }

    static func render(
        _ bytes: UnsafeRawBufferPointer, as variant: ResolvedVariant, limits: ImageLimits, timeLimit: Duration
    ) throws(RenderError) -> RenderedImage {
        let info: ImageInfo
        let reordered: [UInt8]?
        do throws(ImageError) {
            info = try ImageProbe.probe(bytes, limits: limits)
            reordered = info.format == .png ? try PNGOrientation.brought(forward: bytes) : nil
        } catch {
            throw .image(error)
        }
        guard decodable.contains(info.format) else { throw .image(.unsupported(info.format)) }
        let vips: Vips
        do throws(DrawingError) {
            vips = try Vips.shared()
        } catch {
            throw .library("\(error)")
        }
        guard variant.format != .avif || vips.writesAVIF else { throw .noEncoder(.avif) }
        func picture(_ bytes: UnsafeRawBufferPointer) -> VariantPicture {
            VariantPicture(vips: vips, bytes: bytes, format: info.format, variant: variant, limits: limits)
        }
        guard let reordered else { return try picture(bytes).rendered(within: timeLimit) }
        let result = reordered.withUnsafeBytes { buffer in
            Result { () throws(RenderError) in try picture(buffer).rendered(within: timeLimit) }
        }
        return try result.get()
    }
}
