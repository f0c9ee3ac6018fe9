/// The variant parameters of an image route. This release checks them and says that it makes no variants.
enum VariantParameters {
    static let pixels = 1...4096
    static let fits = ["cover", "contain", "crop", "down"]
    static let formats = ["auto", "jpeg", "png", "webp", "avif"]

    /// Returns if the query holds no variant parameter.
    static func refuse(_ target: RequestTarget) throws(Problem) {
        for name in ["w", "h"] { _ = try target.number(name, in: pixels) }
        _ = try target.number("dpr", in: 1...4)
        _ = try target.number("q", in: 1...100)
        if let round = try target.single("round"), round != "max" { _ = try target.number("round", in: 1...4096) }
        _ = try target.choice("fit", of: fits)
        _ = try target.choice("format", of: formats)
        for name in ["w", "h", "dpr", "q", "round", "fit", "format"] where try target.single(name) != nil {
            throw .notAllowed(name, "variants are not available in this release; without it the original is sent")
        }
    }
}
