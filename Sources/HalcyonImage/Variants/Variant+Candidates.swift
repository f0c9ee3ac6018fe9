extension Variant {
    /// What the variant may come down to while nothing is known of the original, what the client likes best first: a kept
    /// one of these answers without the original.
    package func candidates(accept: AcceptedFormats) -> [ResolvedVariant] {
        let formats: [ImageFormat]
        switch format {
        case .jpeg: formats = [.jpeg]
        case .png: formats = [.png]
        case .webp: formats = [.webp]
        case .avif: formats = [.avif]
        case .auto, nil:
            let weighed = [
                (ImageFormat.avif, accept.avif), (.webp, accept.webp), (.jpeg, accept.jpeg), (.png, accept.png),
            ].enumerated().filter { $0.element.1 > 0 }
            formats = weighed.sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }.map(\.element.0)
        }
        return formats.flatMap { format in
            (format == .webp ? [true, false] : [false]).map {
                ResolvedVariant(self, format: format, isAnimated: $0)
            }
        }
    }
}
