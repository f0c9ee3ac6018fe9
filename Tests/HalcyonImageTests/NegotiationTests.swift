import HalcyonImage
import Testing

/// `format=auto`, by RFC 9110 §12.5.1 and §12.4.2.
@Suite(.timeLimit(.minutes(1)))
struct NegotiationTests {
    @Test(
        "the format that is accepted most, AVIF and WebP only by name",
        arguments: [
            // Chrome, Firefox and Safari; curl; nothing; an empty field.
            ("image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", ImageFormat.avif),
            ("image/webp,image/png,image/*;q=0.8,video/*;q=0.8,*/*;q=0.5", .webp),
            ("*/*", .jpeg), (nil, .jpeg), ("", .jpeg), ("image/*", .jpeg),
            ("image/avif;q=0.5, image/webp;q=0.9", .webp), ("image/avif;q=0, image/webp", .webp),
            ("image/webp;q=0, */*", .jpeg), ("image/webp;q=0.5, image/jpeg", .jpeg),
            ("image/webp;q=0.5, image/jpeg;q=0.4", .webp), ("IMAGE/WebP ; Q=0.5", .webp),
            ("image/png", .png), ("image/jpeg;q=0, image/*", .png), ("text/html", .jpeg),
            ("image/jpeg;q=0, image/png;q=0", .jpeg), ("image/webp;q=2", .jpeg), ("image/webp;q=0.1234", .jpeg),
            ("image/webp;q=0.001, image/jpeg;q=0", .webp), (",, ;q=1,image/webp", .webp),
        ] as [(String?, ImageFormat)]
    )
    func stillPhotos(accept: String?, format: ImageFormat) throws {
        #expect(try chosen("w=128", accept, source(.jpeg)) == format)
    }

    @Test(
        "V-01 without a named format, the original's family",
        arguments: [
            (source(.jpeg), "w=9", ImageFormat.jpeg), (source(.webp), "w=9", .jpeg), (source(.heic), "w=9", .jpeg),
            (source(.tiff), "w=9", .jpeg), (source(.avif, hasAlpha: true), "w=9", .png), (source(.png), "w=9", .png),
            (source(.webp, hasAlpha: true), "w=9", .png), (source(.gif), "w=9", .png),
            (source(.jpeg), "w=9&round=max", .png),
            (source(.jpeg), "w=9&format=avif", .avif), (source(.png), "w=9&format=jpeg", .jpeg),
        ])
    func families(source: VariantSource, text: String, format: ImageFormat) throws {
        #expect(try chosen(text, "*/*", source) == format)
    }

    @Test(arguments: [
        ("w=63", 63, 64, false), ("w=64", 64, 64, true), ("w=512", 4000, 4000, true), ("w=513", 4000, 4000, false),
    ])
    func avifIsChosenWhereItPays(text: String, width: Int, height: Int, isAVIF: Bool) throws {
        let format = try chosen(text, "image/avif,image/webp", source(.jpeg, width, height))
        #expect(format == (isAVIF ? .avif : .webp))
    }

    @Test func animationsStayAnimatedAsWebPOnly() throws {
        let gif = source(.gif, 80, 80, isAnimated: true)
        let accepted = try Variant(text: "w=70").resolved(accept: .init("image/avif,image/webp"), source: gif)
        #expect(accepted.format == .webp && accepted.isAnimated)
        let still = try Variant(text: "w=70").resolved(accept: .unknown, source: gif)
        #expect(still.format == .png && !still.isAnimated)
        let asked = try Variant(text: "w=70&format=jpeg").resolved(accept: .init("image/webp"), source: gif)
        #expect(asked.format == .jpeg && !asked.isAnimated)
    }

    @Test("K-07 ten thousand different fields make few variants") func fewVariants() throws {
        var random = SeededGenerator(seed: 7)
        let names = ["image/avif", "image/webp", "image/png", "image/jpeg", "image/*", "*/*", "text/html", "x"]
        let variant = try Variant(text: "w=128")
        let keys = Set(
            (0..<10_000).map { number in
                let members = names.shuffled(using: &random).prefix(4).map {
                    "\($0);q=0.\(Int.random(in: 0...999, using: &random))"
                }
                let field = members.joined(separator: ",") + ",x/\(number)"
                return variant.resolved(accept: .init(field), source: source(.jpeg)).key
            })
        #expect(keys.count == 4)
    }

    @Test(arguments: [
        ("png-rgba.png", true), ("png-rgb.png", false), ("png-palette.png", false), ("gif-still.gif", true),
        ("webp-alpha.webp", true), ("webp-lossy.webp", false), ("jpeg-cmyk.jpg", false), ("avif-still.avif", false),
    ])
    func transparencyIsSeenInTheHeaders(name: String, hasAlpha: Bool) throws {
        #expect(try VariantSource(Fixture.named(name).bytes).hasAlpha == hasAlpha)
    }

    private func chosen(_ text: String, _ accept: String?, _ source: VariantSource) throws -> ImageFormat {
        try Variant(text: text).resolved(accept: AcceptedFormats(accept), source: source).format
    }
}
