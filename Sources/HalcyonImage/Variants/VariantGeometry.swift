/// The arithmetic of `Variant.Fit`: first scale the upright original, then cut.
struct VariantGeometry: Sendable, Hashable {
    private(set) var scaledWidth: Int
    private(set) var scaledHeight: Int
    /// Of the result. What is cut off is halved; an odd pixel goes at the right or the bottom.
    private(set) var width: Int
    private(set) var height: Int

    var left: Int { (scaledWidth - width) / 2 }
    var top: Int { (scaledHeight - height) / 2 }
    var isCut: Bool { width != scaledWidth || height != scaledHeight }

    /// - Parameters: the size of the upright original, at least 1 × 1.
    init(_ variant: ResolvedVariant, width sourceWidth: Int, height sourceHeight: Int) {
        let (source, enlarge) = ((width: max(sourceWidth, 1), height: max(sourceHeight, 1)), variant.enlarge)
        (scaledWidth, scaledHeight, width, height) = (source.width, source.height, source.width, source.height)
        guard variant.width != nil || variant.height != nil else { return }
        // What is enlarged by one side alone ends where the other side reaches the limit.
        let box = (
            width: variant.width ?? (enlarge ? max(source.width, Variant.maximumSide) : .max),
            height: variant.height ?? (enlarge ? max(source.height, Variant.maximumSide) : .max)
        )
        // Whether the width is what limits the picture: width / source.width <= height / source.height.
        let (across, acrossOverflows) = box.width.multipliedReportingOverflow(by: source.height)
        let (down, downOverflows) = box.height.multipliedReportingOverflow(by: source.width)
        let isWidthTighter = !acrossOverflows && (downOverflows || across <= down)

        switch variant.fit {
        case .contain, .down:
            guard enlarge || (isWidthTighter ? box.width < source.width : box.height < source.height) else { return }
            scale(source, toWidth: isWidthTighter, of: box)
            (width, height) = (scaledWidth, scaledHeight)
        case .cover, .crop:
            let isLarger = source.width >= box.width && source.height >= box.height
            if isLarger || enlarge {
                scale(source, toWidth: !isWidthTighter, of: box)
                (width, height) = box
            } else if variant.fit == .crop {
                (width, height) = (min(source.width, box.width), min(source.height, box.height))
            } else if isWidthTighter {
                width = max(1, Self.rounded(source.height * box.width, over: box.height))
            } else {
                height = max(1, Self.rounded(source.width * box.height, over: box.width))
            }
        }
        // Rounding of a ratio never takes more than there is.
        (scaledWidth, scaledHeight) = (max(scaledWidth, width), max(scaledHeight, height))
    }

    private mutating func scale(
        _ source: (width: Int, height: Int), toWidth: Bool, of box: (width: Int, height: Int)
    ) {
        if toWidth {
            scaledWidth = box.width
            scaledHeight = max(1, Self.rounded(source.height * box.width, over: source.width))
        } else {
            scaledHeight = box.height
            scaledWidth = max(1, Self.rounded(source.width * box.height, over: source.height))
        }
    }

    /// A quotient of positive numbers, halves up.
    static func rounded(_ dividend: Int, over divisor: Int) -> Int { (dividend + divisor / 2) / divisor }
}
