extension Variant {
    /// AVIF takes many times as long to write as WebP and saves little of a small file: it is chosen between 64 × 64 and
    /// 512 × 512 pixels of result.
    static let pixelsWorthAVIF = 64 * 64...512 * 512

    /// Decides `auto`: the format that `accept` weighs highest among AVIF (if it pays), WebP and the original's family, in
    /// this order where they weigh the same. The family is PNG for originals without loss and wherever transparency or
    /// round corners need it, JPEG for all else. A client that refuses all of them gets the family (RFC 9110 §12.5.1).
    ///
    /// An animated GIF or WebP stays animated as WebP; every other format takes its first frame.
    package func resolved(accept: AcceptedFormats, source: VariantSource) -> ResolvedVariant {
        let isAnimated = source.info.isAnimated && [.gif, .webp].contains(source.info.format)
        let format: ImageFormat =
            switch format {
            case .jpeg: .jpeg
            case .png: .png
            case .webp: .webp
            case .avif: .avif
            case .auto, nil: chosen(accept, source: source, isAnimated: isAnimated)
            }
        return ResolvedVariant(self, format: format, isAnimated: isAnimated && format == .webp)
    }

    private func chosen(_ accept: AcceptedFormats, source: VariantSource, isAnimated: Bool) -> ImageFormat {
        let isLossless = [.png, .gif, .ico].contains(source.info.format)
        let family: ImageFormat = isLossless || source.hasAlpha || corner != .square ? .png : .jpeg
        var candidates: [(format: ImageFormat, quality: UInt16)] = [(.webp, accept.webp)]
        if !isAnimated, Self.pixelsWorthAVIF.contains(pixels(of: source.info)) {
            candidates.insert((.avif, accept.avif), at: 0)
        }
        candidates.append((family, family == .png ? accept.png : accept.jpeg))
        // Better the other of the two than one that the client refuses.
        if candidates.allSatisfy({ $0.quality == 0 }) {
            candidates.append(family == .png ? (.jpeg, accept.jpeg) : (.png, accept.png))
        }
        let best = candidates.map(\.quality).max() ?? 0
        return best == 0 ? family : candidates.first { $0.quality == best }?.format ?? family
    }

    /// Of the result, an orientation that swaps the sides apart.
    private func pixels(of info: ImageInfo) -> Int {
        let plan = VariantGeometry(
            ResolvedVariant(self, format: .png, isAnimated: false), width: info.pixelWidth, height: info.pixelHeight)
        return plan.width * plan.height
    }
}
