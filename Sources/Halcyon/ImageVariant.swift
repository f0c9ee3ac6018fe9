package import HalcyonImage

/// A size and format of an image, made from the original when first asked for and kept beside it in both caches.
///
/// Composed step by step, in any order; a later step of one kind replaces an earlier one:
///
/// ```swift
/// let face = ImageVariant.resized(width: 128, height: 128, fit: .cover).rounded(.max).encoded(.webp, quality: 70)
/// let response = try await pipeline.image(for: ImageRequest(url: url, variant: face))
/// ```
///
/// What the fits do to a picture is shown in `docs/variants.md`. Variants are upright, in sRGB and without metadata. They
/// expire with their original and go when it is purged or replaced.
public struct ImageVariant: Sendable, Hashable {
    /// How the picture is brought to the box. With one side given all four scale to it.
    public enum Fit: String, Sendable, Hashable, CaseIterable {
        /// Fills the box and cuts off evenly what stands out.
        case cover
        /// All of the picture inside the box.
        case contain
        /// As `cover` where the picture is larger both ways, else cut to the box without scaling.
        case crop
        /// As `contain`, and never enlarged.
        case down
    }

    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// By ``ImageRequest/Options/acceptedTypes`` and the picture.
        case auto
        case jpeg, png, webp, avif
    }

    public enum Corner: Sendable, Hashable {
        case square
        /// Pixels before the pixel ratio, 1–4096; half of the shorter side at most.
        case radius(Int)
        /// Half of the shorter side: a circle of a square.
        case max
    }

    /// The original bytes, unchanged.
    public static let original = ImageVariant(.original)

    package let parameters: Variant

    package init(_ parameters: Variant) { self.parameters = parameters }

    /// Whether the format is chosen by what is accepted.
    package var isNegotiated: Bool { !isOriginal && (parameters.format ?? .auto) == .auto }

    /// Reads the parameters of an image route: `w=128&h=128&fit=cover`, or with commas.
    /// - Throws: `.invalidVariant` naming the parameter and what is accepted.
    public init(_ text: String) throws(ImagePipeline.Error) {
        do throws(VariantError) {
            parameters = try Variant(text: text)
        } catch {
            throw ImagePipeline.Error(.invalidVariant, "\(error)")
        }
    }

    /// The parameters in one way of writing; empty for the original.
    public var text: String { parameters.text }

    public var isOriginal: Bool { parameters.isOriginal }

    // MARK: Steps

    /// - Parameters:
    ///   - width: pixels before the pixel ratio, 1–4096; `nil` follows from the height.
    ///   - enlarge: lets `cover` and `contain` reach the box when the picture is smaller; nothing else enlarges.
    public static func resized(
        width: Int? = nil, height: Int? = nil, fit: Fit = .contain, enlarge: Bool = false
    ) -> ImageVariant { original.resized(width: width, height: height, fit: fit, enlarge: enlarge) }

    /// Sides out of 1–4096 are brought into it.
    public func resized(
        width: Int? = nil, height: Int? = nil, fit: Fit = .contain, enlarge: Bool = false
    ) -> ImageVariant {
        changed(
            width: width.map(Self.side), height: height.map(Self.side),
            fit: Variant.Fit(rawValue: fit.rawValue) ?? .contain, enlarge: enlarge)
    }

    /// Multiplies width, height and corner; 1–4, in hundredths. Others are brought into it.
    public func pixelRatio(_ ratio: Double) -> ImageVariant {
        changed(dprHundredths: ratio.isNaN ? 100 : Int((min(max(ratio, 1), 4) * 100).rounded()))
    }

    public func rounded(_ corner: Corner) -> ImageVariant {
        switch corner {
        case .square: changed(corner: .square)
        case .radius(let radius): changed(corner: .radius(Self.side(radius)))
        case .max: changed(corner: .max)
        }
    }

    /// - Parameter quality: 1–100; `nil` is what suits the format: 80 for JPEG, 78 for WebP, 55 for AVIF. PNG has none.
    public func encoded(_ format: Format, quality: Int? = nil) -> ImageVariant {
        changed(
            format: Variant.Format(rawValue: format.rawValue) ?? .auto,
            quality: .some(quality.map { min(max($0, 1), 100) }))
    }

    private static func side(_ pixels: Int) -> Int { min(max(pixels, 1), Variant.maximumSide) }

    private func changed(
        width: Int?? = nil, height: Int?? = nil, fit: Variant.Fit? = nil, enlarge: Bool? = nil,
        dprHundredths: Int? = nil, format: Variant.Format? = nil, quality: Int?? = nil, corner: Variant.Corner? = nil
    ) -> ImageVariant {
        ImageVariant(
            Variant(
                width: width ?? parameters.width, height: height ?? parameters.height, fit: fit ?? parameters.fit,
                enlarge: enlarge ?? parameters.enlarge, dprHundredths: dprHundredths ?? parameters.dprHundredths,
                format: format ?? parameters.format, quality: quality ?? parameters.quality,
                corner: corner ?? parameters.corner))
    }
}
