import HalcyonImage
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SVGProbeTests {
    private static let spellings = [
        "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        "<svg></svg>",
        "\u{FEFF}<svg></svg>",
        "\r\n\t  <svg></svg>",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg></svg>",
        "\u{FEFF} <?xml version='1.0'?><!-- <html> -- > --><!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"svg11.dtd\"><svg></svg>",
        "<!DOCTYPE svg [ <!ENTITY x \"<svg>\"> ]>\n<svg></svg>",
        "<!-- a --><?xml-stylesheet href='a.css'?><!-- b --><svg><script>alert(1)</script></svg>",
        "<svg:svg xmlns:svg=\"http://www.w3.org/2000/svg\"></svg:svg>",
        "<svg\n\twidth='1'></svg >",
    ]

    @Test("S-21 X-02 SVG is refused however it begins", arguments: spellings)
    func svgIsRefused(text: String) {
        #expect(throws: ImageError.unsupported(.svg)) { try ImageProbe.probe(Array(text.utf8)) }
    }

    @Test("S-21 SVG in UTF-16 or compressed is no image", arguments: [true, false])
    func otherCodingsAreNoImages(allowsSVG: Bool) {
        let limits = ImageLimits(allowsSVG: allowsSVG)
        let wide: [UInt8] = [0xFF, 0xFE] + "<svg></svg>".utf8.flatMap { [$0, 0] as [UInt8] }
        #expect(throws: ImageError.notAnImage) { try ImageProbe.probe(wide, limits: limits) }
        #expect(throws: ImageError.notAnImage) { try ImageProbe.probe([0x1F, 0x8B, 8, 0, 0, 0, 0, 0], limits: limits) }
    }

    @Test("HB-67 allowed SVG is SVG", arguments: spellings)
    func svgCanBeAllowed(text: String) throws {
        let info = try ImageProbe.probe(Array(text.utf8), limits: .init(allowsSVG: true))
        #expect(info.format == .svg)
        #expect(info.format.contentType == "image/svg+xml")
        #expect(!info.isAnimated)
    }

    @Test(
        "HB-20 the end tag of the root must be there",
        arguments: ["<svg>", "<svg width='4'", "<svg><g></g>", "<svg></sv"])
    func unfinishedSVG(text: String) {
        #expect(throws: ImageError.truncated) { try ImageProbe.probe(Array(text.utf8), limits: .init(allowsSVG: true)) }
    }

    @Test(arguments: [
        ("<svg width=\"120\" height='80'/>", 120, 80),
        ("<svg width=\"120px\" height=\"80.5px\"></svg>", 120, 81),
        ("<svg viewBox=\"0 0 24 48\"/>", 24, 48),
        ("<svg viewBox='0,0,24,48' width='100%' height='100%'/>", 24, 48),
        ("<svg stroke-width=\"9\" data-height=\"9\" width=\"3\" height=\"4\"/>", 3, 4),
        ("<svg title='width=\"7\" > height=\"7\"' width=\"3\" height=\"4\"/>", 3, 4),
        ("<svg width=\"2cm\" height=\"3cm\"/>", 0, 0),
        ("<svg width=\"-5\" height=\"nan\"/>", 0, 0),
        ("<svg><rect width=\"5\" height=\"5\"/></svg>", 0, 0),
    ])
    func sizesAreReadFromTheRoot(text: String, width: Int, height: Int) throws {
        let info = try ImageProbe.probe(Array(text.utf8), limits: .init(allowsSVG: true))
        #expect(info.pixelWidth == width)
        #expect(info.pixelHeight == height)
    }

    @Test func theLimitHoldsForSVG() {
        let text = "<svg width=\"1e12\" height=\"1e12\"/>"
        #expect(throws: ImageError.tooManyPixels(limit: 50_000_000)) {
            try ImageProbe.probe(Array(text.utf8), limits: .init(allowsSVG: true))
        }
    }
}
