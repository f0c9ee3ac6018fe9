/// What libvips is to make of some bytes, in a form that another process can be given.
package enum RenderJob: Sendable, Hashable {
    /// A variant of an original.
    case variant(ResolvedVariant)
    /// A variant of a drawing of ours, which comes as SVG in the size that the variant needs.
    case drawing(ResolvedVariant)
    /// A contact sheet, which comes as SVG.
    case page(ContactSheet.Format)

    /// How a job is done: here, or by a `DecoderPool`.
    package typealias Performer =
        @Sendable (RenderJob, [UInt8], ImageLimits, Duration) throws(RenderError) -> RenderedImage

    /// On the caller's thread.
    package static let here: Performer = { (job, bytes, limits, timeLimit) throws(RenderError) in
        try bytes.withUnsafeBytes { buffer in
            Result { () throws(RenderError) in try job.perform(on: buffer, limits: limits, timeLimit: timeLimit) }
        }.get()
    }

    func perform(
        on bytes: UnsafeRawBufferPointer, limits: ImageLimits, timeLimit: Duration
    ) throws(RenderError) -> RenderedImage {
        switch self {
        case .variant(let variant):
            return try VariantRenderer.render(bytes, as: variant, limits: limits, timeLimit: timeLimit)
        case .drawing(let variant):
            return try Placeholder.render(String(decoding: bytes, as: UTF8.self), as: variant, timeLimit: timeLimit)
        case .page(let format):
            return try ContactSheet.render(String(decoding: bytes, as: UTF8.self), as: format)
        }
    }

    /// Of what comes of it.
    var format: ImageFormat {
        switch self {
        case .variant(let variant), .drawing(let variant): variant.format
        case .page(.png): .png
        case .page(.jpeg), .page(.pdf): .jpeg
        }
    }

    // MARK: The way to another process

    var text: String {
        switch self {
        case .variant(let variant): "variant " + variant.key
        case .drawing(let variant): "drawing " + variant.key
        case .page(let format): "page " + format.rawValue
        }
    }

    /// `nil` for what `text` does not write.
    init?(text: String) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return nil }
        switch words[0] {
        case "variant":
            guard let variant = ResolvedVariant(key: words[1]) else { return nil }
            self = .variant(variant)
        case "drawing":
            guard let variant = ResolvedVariant(key: words[1]) else { return nil }
            self = .drawing(variant)
        case "page":
            guard let format = ContactSheet.Format(rawValue: words[1]) else { return nil }
            self = .page(format)
        default: return nil
        }
    }
}
