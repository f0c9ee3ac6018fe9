/// A variant with nothing left to decide: the format is chosen and every size is in pixels. With the original's bytes it
/// says all that the result depends on.
package struct ResolvedVariant: Sendable, Hashable {
    /// The box in pixels, `dpr` applied; `nil` as in `Variant`.
    package let width: Int?
    package let height: Int?
    package let fit: Variant.Fit
    package let enlarge: Bool
    /// JPEG, PNG, WebP or AVIF.
    package let format: ImageFormat
    /// 1–100; `nil` for PNG.
    package let quality: Int?
    /// Pixels, `dpr` applied.
    package let corner: Variant.Corner
    /// All frames, as animated WebP; else the first one.
    package let isAnimated: Bool

    /// Every parameter and the recipe's version, in one way of writing: part of a cache's key, and the way to another process.
    package var key: String {
        var items = ["v=\(Variant.recipeVersion)"]
        if let width { items.append("w=\(width)") }
        if let height { items.append("h=\(height)") }
        if fit != .contain { items.append("fit=\(fit.rawValue)") }
        if enlarge { items.append("enlarge=1") }
        items.append("format=\(format.rawValue)")
        if let quality { items.append("q=\(quality)") }
        switch corner {
        case .square: break
        case .radius(let radius): items.append("round=\(radius)")
        case .max: items.append("round=max")
        }
        if isAnimated { items.append("frames=all") }
        return items.joined(separator: "&")
    }

    /// What `key` wrote; `nil` for anything else, another version's key among it.
    package init?(key: String) {
        var text = key[...]
        let isAnimated = text.hasSuffix("&frames=all")
        if isAnimated { text.removeLast("&frames=all".count) }
        let version = "v=\(Variant.recipeVersion)&"
        guard text.hasPrefix(version) else { return nil }
        let variant: Variant
        do throws(VariantError) {
            variant = try Variant(text: String(text.dropFirst(version.count)))
        } catch {
            // Not written by this version: the `nil` says it.
            return nil
        }
        guard let format = variant.format.flatMap({ ImageFormat(rawValue: $0.rawValue) }) else { return nil }
        self.init(variant, format: format, isAnimated: isAnimated)
        guard self.key == key else { return nil }
    }

    init(_ variant: Variant, format: ImageFormat, isAnimated: Bool) {
        let dpr = variant.dprHundredths
        let scaled = [variant.width, variant.height].map { $0.map { $0 * dpr } }
        // In hundredths of a pixel; `limit` of them is what the larger side may have.
        let limit = Variant.maximumSide * 100
        let largest = Swift.max(scaled.compactMap(\.self).max() ?? 0, limit)
        let sides = scaled.map { side in
            side.map { Swift.max(1, VariantGeometry.rounded($0 * Variant.maximumSide, over: largest)) }
        }
        width = sides[0]
        height = sides[1]
        enlarge =
            variant.enlarge && (width != nil || height != nil) && (variant.fit == .cover || variant.fit == .contain)
        // Equal results have equal keys: without enlargement `down` is `contain`, and one side alone leaves no choice.
        let isBox = width != nil && height != nil
        fit = isBox && variant.fit != .down ? variant.fit : .contain
        self.format = format
        quality = format == .png ? nil : variant.quality ?? Self.usualQuality(of: format)
        corner =
            switch variant.corner {
            case .radius(let radius):
                .radius(min(VariantGeometry.rounded(radius * dpr, over: 100), Variant.maximumSide))
            default: variant.corner
            }
        self.isAnimated = isAnimated
    }

    /// Chosen so that a portrait of 256 pixels looks alike in all of them.
    private static func usualQuality(of format: ImageFormat) -> Int {
        switch format {
        case .avif: 55
        case .webp: 78
        default: 80
        }
    }
}
