import Foundation
import HalcyonImage
import Testing

@Suite(.timeLimit(.minutes(1)))
struct VariantSafetyTests {
    private static let decodable = [
        "avif-still.avif", "gif-animated.gif", "heic-still.heic", "jpeg-baseline.jpg",
        "jpeg-cmyk.jpg", "jpeg-progressive.jpg", "png-16-bit.png", "png-interlaced.png", "png-palette.png",
        "tiff-lzw.tiff",
        "webp-alpha.webp", "webp-animated.webp", "webp-lossy.webp",
    ]

    @Test(
        "every fixture comes out in every format at the right size, or is refused by its format",
        arguments: try Fixture.all())
    func fixtures(fixture: Fixture) throws {
        for format in ["jpeg", "png", "webp", "avif"] {
            let variant = try variant("w=20&h=20&format=\(format)")
            switch outcome(fixture.bytes, variant) {
            case .success(let rendered):
                #expect(
                    max(rendered.width, rendered.height) == min(20, max(fixture.width, fixture.height)), "\(format)")
                #expect(try ImageProbe.probe(rendered.bytes).format.rawValue == format)
            case .failure(let error):
                let refused = ["avif-sequence.avif", "tiff-big.tiff"]
                let isKnown = fixture.format == .bmp || fixture.format == .ico || refused.contains(fixture.name)
                #expect(isKnown, "\(error)")
            }
        }
    }

    @Test("HB-103 what is cut off at any quarter is refused", arguments: decodable)
    func truncated(name: String) throws {
        let bytes = try Fixture.named(name).bytes
        for quarter in 0..<4 {
            let part = Array(bytes[..<(bytes.count * quarter / 4)])
            #expect(throws: RenderError.self, "\(quarter)") {
                try VariantRenderer.render(part, as: variant("w=20&format=png"))
            }
        }
    }

    @Test(
        "HB-103 a scan that ends early behind a whole frame is no half picture",
        arguments: ["jpeg-baseline.jpg", "jpeg-gray.jpg", "jpeg-cmyk.jpg"])
    func endedScan(name: String) throws {
        let bytes = try Fixture.named(name).bytes
        let scan = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
        for eighths in [2, 4, 6] {
            let ended = Array(bytes[..<(scan + 12 + (bytes.count - scan - 12) * eighths / 8)]) + [0xFF, 0xD9]
            #expect(throws: RenderError.image(.malformed(.jpeg))) {
                try VariantRenderer.render(ended, as: variant("w=20&format=png"))
            }
        }
    }

    @Test func rubbishBetweenSegmentsIsForgiven() throws {
        let bytes = try Fixture.named("jpeg-baseline.jpg").bytes
        let odd = Array(bytes.dropLast(2)) + [0x00, 0x01, 0x02] + [0xFF, 0xD9]
        #expect(try VariantRenderer.render(odd, as: variant("w=20&format=png")).width == 20)
    }

    @Test("HB-103 nor is a PNG whose check sum is wrong", arguments: ["png-rgb.png", "png-interlaced.png"])
    func brokenCheckSum(name: String) throws {
        var bytes = try Fixture.named(name).bytes
        let data = try #require(bytes.indices.first { bytes[$0...].prefix(4).elementsEqual("IDAT".utf8) })
        bytes[data + 4 + 900] ^= 0x10
        #expect(throws: RenderError.image(.malformed(.png))) {
            try VariantRenderer.render(bytes, as: variant("w=20&format=png"))
        }
    }

    @Test("damaged bytes give the right size or an error", arguments: decodable)
    func damaged(name: String) throws {
        let bytes = try Fixture.named(name).bytes
        var random = SeededGenerator(seed: 11)
        for _ in 0..<60 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                damaged[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            switch outcome(damaged, try variant("w=20&h=20&format=webp"), limits: .init(maximumPixels: 1_000_000)) {
            case .success(let rendered):
                #expect(rendered.width <= 20 && rendered.height <= 20)
                #expect(try ImageProbe.probe(rendered.bytes).pixelWidth == rendered.width)
            case .failure(.image): break
            case .failure(let error): Issue.record("\(error)")
            }
        }
    }

    @Test("D-01 HB-65 limits are judged before anything is decoded") func limits() throws {
        let bytes = try Fixture.named("png-rgb.png").bytes
        #expect(throws: RenderError.image(.tooManyPixels(limit: 100))) {
            try VariantRenderer.render(bytes, as: variant("w=20"), limits: .init(maximumPixels: 100))
        }
        #expect(throws: RenderError.image(.notAnImage)) {
            try VariantRenderer.render(Array("<html>".utf8), as: variant("w=20"))
        }
    }

    @Test(
        "formats without a decoder for strangers' bytes are named",
        arguments: [("bmp-24-bit.bmp", ImageFormat.bmp), ("ico-png.ico", .ico)])
    func undecodable(name: String, format: ImageFormat) throws {
        let bytes = try Fixture.named(name).bytes
        #expect(throws: RenderError.image(.unsupported(format))) {
            try VariantRenderer.render(bytes, as: variant("w=20"))
        }
    }

    @Test("X-02 SVG is drawn for nobody, even where it may be passed on") func svg() throws {
        let svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>".utf8)
        #expect(throws: RenderError.image(.unsupported(.svg))) {
            try VariantRenderer.render(svg, as: variant("w=5"), limits: .init(allowsSVG: true))
        }
    }

    @Test("time is up for one image alone", arguments: ["jpeg", "png", "webp"]) func timeLimit(format: String) throws {
        let bytes = try Fixture.named("jpeg-baseline.jpg").bytes
        let variant = try variant("w=2000&enlarge=1&format=\(format)")
        #expect(throws: RenderError.tooSlow) { try VariantRenderer.render(bytes, as: variant, timeLimit: .zero) }
        #expect(try VariantRenderer.render(bytes, as: variant).width == 2000)
    }

    @Test func aSideThatTheFormatCannotHoldIsNamed() throws {
        let strip = try VariantRenderer.render(
            Fixture.named("png-rgb.png").bytes, as: variant("w=4096&h=1&fit=cover&enlarge=1&format=png"))
        #expect((strip.width, strip.height) == (4096, 1))
        let tall = tiff(width: 1, height: 20_000)
        #expect(throws: RenderError.tooLarge(.webp, maximumSide: 16_383)) {
            try VariantRenderer.render(tall, as: variant("format=webp"))
        }
        #expect(try VariantRenderer.render(tall, as: variant("format=jpeg")).height == 20_000)
    }

    /// Grey, in one strip without compression, little-endian.
    private func tiff(width: Int, height: Int) -> [UInt8] {
        let fields = [
            (256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, 122), (277, 1), (278, height),
            (279, width * height),
        ]
        func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
        return [0x49, 0x49, 42, 0] + little(8, 4) + little(fields.count, 2)
            + fields.flatMap { little($0.0, 2) + little(4, 2) + little(1, 4) + little($0.1, 4) } + little(0, 4)
            + [UInt8](repeating: 128, count: width * height)
    }

    private func outcome(
        _ bytes: [UInt8], _ variant: ResolvedVariant, limits: ImageLimits = .init()
    ) -> Result<RenderedImage, RenderError> {
        Result { () throws(RenderError) in try VariantRenderer.render(bytes, as: variant, limits: limits) }
    }

    private func variant(_ text: String) throws -> ResolvedVariant {
        let info = ImageInfo(format: .jpeg, pixelWidth: 1, pixelHeight: 1)
        return try Variant(text: text).resolved(accept: .unknown, source: VariantSource(info: info, hasAlpha: false))
    }
}
