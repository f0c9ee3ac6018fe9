/// A size and format of an image, as asked for. Valid once made; `docs/variants.md` shows what each parameter does.
package struct Variant: Sendable, Hashable {
    /// Bumped when the same parameters give other pixels, so that no cache serves what an older recipe made.
    package static let recipeVersion = 1
    /// Pixels, after `dpr`; a larger box is brought down to it in its ratio.
    package static let maximumSide = 4096

    /// How the picture is brought to the box of `width` and `height`. With one of them alone all four scale to it.
    package enum Fit: String, Sendable, CaseIterable {
        /// Fills the box and cuts off evenly what stands out. Too small a picture gives the largest part of the box's ratio.
        case cover
        /// All of the picture inside the box; one side may come out smaller than asked.
        case contain
        /// As `cover` where the picture is larger than the box both ways; else each side is cut to the box, without scaling.
        case crop
        /// As `contain`, and never enlarged, not even by `enlarge`.
        case down
    }

    package enum Format: String, Sendable, CaseIterable {
        /// What the client accepts and suits the picture: see `resolved(accept:source:)`.
        case auto
        case jpeg, png, webp, avif
    }

    package enum Corner: Sendable, Hashable {
        case square
        /// 1–4096 pixels before `dpr`; half of the shorter side at most.
        case radius(Int)
        /// Half of the shorter side: a circle of a square.
        case max
    }

    /// 1–4096 pixels before `dpr`; `nil` follows from the other side, or leaves the size.
    package let width: Int?
    package let height: Int?
    package let fit: Fit
    /// Makes `cover` and `contain` reach the box when the picture is smaller. Nothing else enlarges.
    package let enlarge: Bool
    /// What `width`, `height` and the corner are multiplied with, in hundredths: 100–400.
    package let dprHundredths: Int
    /// `nil` if not given: `auto` as soon as something else asks for new pixels.
    package let format: Format?
    /// 1–100; `nil` is what suits the format. PNG has none.
    package let quality: Int?
    package let corner: Corner

    package static let original = Variant()

    /// - Precondition: the ranges above.
    package init(
        width: Int? = nil, height: Int? = nil, fit: Fit = .contain, enlarge: Bool = false, dprHundredths: Int = 100,
        format: Format? = nil, quality: Int? = nil, corner: Corner = .square
    ) {
        let sides = 1...Self.maximumSide
        precondition(width.map(sides.contains) ?? true && height.map(sides.contains) ?? true, "w or h out of range")
        precondition((100...400).contains(dprHundredths), "dpr out of range")
        precondition(quality.map((1...100).contains) ?? true, "q out of range")
        if case .radius(let radius) = corner { precondition(sides.contains(radius), "round out of range") }
        self.width = width
        self.height = height
        self.fit = fit
        self.enlarge = enlarge
        self.dprHundredths = dprHundredths
        self.format = format
        self.quality = quality
        self.corner = corner
    }

    /// Nothing is asked of the pixels: the original bytes are the answer. `fit`, `enlarge` and `dpr` alone change nothing.
    package var isOriginal: Bool {
        width == nil && height == nil && format == nil && quality == nil && corner == .square
    }
}
