import HalcyonImage
import Testing

@Suite(.timeLimit(.minutes(1)))
struct VariantTests {
    @Test(
        "every parameter is read, and written in one order without what is taken anyway",
        arguments: [
            ("", ""), ("w=128", "w=128"), ("h=96,w=128", "w=128&h=96"), ("w=0128", "w=128"),
            ("w=1&h=4096&fit=cover", "w=1&h=4096&fit=cover"), ("w=9&h=9&fit=contain", "w=9&h=9"),
            ("w=9&fit=crop", "w=9"), ("fit=cover", ""), ("dpr=2", ""), ("enlarge=1", ""),
            ("dpr=1.5&w=9", "w=9&dpr=1.5"), ("dpr=2.0&w=9", "w=9&dpr=2"), ("dpr=2.625&w=9", "w=9&dpr=2.63"),
            ("dpr=1.05&w=9", "w=9&dpr=1.05"), ("dpr=4&h=9", "h=9&dpr=4"), ("dpr=1&h=9", "h=9"),
            ("format=auto", "format=auto"), ("format=auto&w=9", "w=9"), ("q=100&format=webp", "format=webp&q=100"),
            ("round=max", "round=max"), ("round=0", ""), ("round=12&dpr=2", "dpr=2&round=12"),
            ("w=9&enlarge=true", "w=9&enlarge=1"), ("w=9&enlarge=0", "w=9"),
        ]
    )
    func canonicalText(given: String, text: String) throws {
        let variant = try Variant(text: given)
        #expect(variant.text == text)
        #expect(variant.isOriginal == text.isEmpty)
        #expect(try Variant(text: text).text == text)
    }

    @Test(
        "D-09 what is not of the kind is told apart from what is out of range",
        arguments: [
            ("w", "", true), ("w", "big", true), ("w", "+5", true), ("w", "-5", false), ("w", "1.5", true),
            ("w", " 5", true), ("w", "٣", true), ("w", "0", false), ("w", "4097", false),
            ("h", "99999999999999999999999", false), ("dpr", "two", true), ("dpr", "1.", true), ("dpr", ".5", true),
            ("dpr", "1.5.5", true), ("dpr", "1e1", true), ("dpr", "NaN", true), ("dpr", "0.99", false),
            ("dpr", "4.001", false), ("dpr", "5", false), ("fit", "stretch", false), ("fit", "Cover", false),
            ("format", "gif", false), ("format", "", false), ("q", "0", false), ("q", "101", false), ("q", "x", true),
            ("round", "min", true), ("round", "4097", false), ("enlarge", "yes", false),
        ]
    )
    func refusals(parameter: String, value: String, isWrongType: Bool) throws {
        let error = #expect(throws: VariantError.self) { try Variant(items: [(parameter, value)]) }
        switch try #require(error) {
        case .wrongType(let named, let accepted):
            #expect(named == parameter && !accepted.isEmpty && isWrongType)
        case .outOfRange(let named, let accepted):
            #expect(named == parameter && !accepted.isEmpty && !isWrongType)
        default:
            Issue.record("another error")
        }
    }

    @Test func parametersOfOthersAreLeftAlone() throws {
        #expect(try Variant(items: [("url", "w=1"), ("w", "7"), ("placeholder", "none"), ("W", "x")]).text == "w=7")
    }

    @Test func whatIsGivenTwiceIsRefusedEvenIfEqual() {
        #expect(throws: VariantError.repeated(parameter: "w")) { try Variant(items: [("w", "7"), ("w", "7")]) }
    }

    @Test(arguments: ["wd=5", "w", "=5", "w=1&x=2"])
    func onACommandLineUnknownNamesAreRefused(text: String) {
        #expect(throws: VariantError.unknown) { try Variant(text: text) }
    }

    @Test(
        "K-07 equal results have equal keys",
        arguments: [
            ("w=64&dpr=2", "w=128"), ("w=9&fit=crop", "w=9"), ("w=9&h=9&fit=down", "w=9&h=9"),
            ("w=9&h=9&fit=crop&enlarge=1", "w=9&h=9&fit=crop"), ("w=9&format=png&q=5", "w=9&format=png"),
            ("w=4096&dpr=3", "w=4096"), ("w=4000&h=2000&dpr=4", "w=4096&h=2048"),
            ("w=9&format=jpeg&q=80", "w=9&format=jpeg"),
            ("w=50&h=50&round=10&dpr=1.5", "w=75&h=75&round=15"),
        ])
    func equalKeys(one: String, other: String) throws {
        #expect(try resolved(one).key == resolved(other).key)
    }

    @Test func differentResultsHaveDifferentKeys() throws {
        let texts = [
            "w=9", "h=9", "w=9&h=9", "w=9&h=9&fit=cover", "w=9&h=9&fit=crop", "w=9&h=9&enlarge=1", "w=9&q=3",
            "w=9&format=png", "w=9&format=webp", "w=9&format=avif", "w=9&round=3", "w=9&round=max", "w=18",
            "format=jpeg",
        ]
        #expect(Set(try texts.map { try resolved($0).key }).count == texts.count)
    }

    @Test func keysCanBeReadAgainAndNameTheRecipe() throws {
        for text in ["w=9&h=8&fit=cover&enlarge=1&round=max", "round=4096&dpr=4&q=3", "format=avif", "w=4096&dpr=4"] {
            let variant = try resolved(text)
            #expect(ResolvedVariant(key: variant.key) == variant)
            #expect(variant.key.hasPrefix("v=\(Variant.recipeVersion)&"))
        }
        let moving = try Variant(text: "w=9&format=webp").resolved(
            accept: .unknown, source: source(.gif, isAnimated: true))
        #expect(moving.isAnimated)
        #expect(ResolvedVariant(key: moving.key) == moving)
        for key in [
            "", "w=9&format=png", "v=0&format=png", "v=1&w=9", "v=1&format=png&w=9", "v=1&format=auto",
            "v=1&format=png&x=1",
        ] {
            #expect(ResolvedVariant(key: key) == nil)
        }
    }

    private func resolved(_ text: String) throws -> ResolvedVariant {
        try Variant(text: text).resolved(accept: .unknown, source: source(.jpeg))
    }
}

func source(
    _ format: ImageFormat, _ width: Int = 3000, _ height: Int = 4000, isAnimated: Bool = false, hasAlpha: Bool = false
) -> VariantSource {
    VariantSource(
        info: ImageInfo(format: format, pixelWidth: width, pixelHeight: height, isAnimated: isAnimated),
        hasAlpha: hasAlpha)
}
