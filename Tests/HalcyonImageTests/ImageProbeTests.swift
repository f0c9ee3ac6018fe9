import HalcyonImage
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ImageProbeTests {
    @Test("HB-51 the type is what the bytes say", arguments: try Fixture.all().filter { $0.name != "tiff-big.tiff" })
    func sizesAreThoseOtherReadersFind(fixture: Fixture) throws {
        let info = try ImageProbe.probe(fixture.bytes)
        #expect(info.format == fixture.format)
        #expect(info.pixelWidth == fixture.width)
        #expect(info.pixelHeight == fixture.height)
        let hasPages = info.format == .tiff || info.format == .ico
        #expect(info.isAnimated == (fixture.frames > 1 && !hasPages))
    }

    @Test func everyFormatButSVGHasFixtures() throws {
        try #expect(Set(Fixture.all().compactMap(\.format)) == Set(ImageFormat.allCases).subtracting([.svg]))
    }

    @Test func bigTIFFIsNamedAndRefused() throws {
        let fixture = try Fixture.named("tiff-big.tiff")
        #expect(throws: ImageError.unsupported(.tiff)) { try ImageProbe.probe(fixture.bytes) }
    }

    @Test("HB-20 every prefix of an image is an error", arguments: try Fixture.all())
    func prefixesAreErrors(fixture: Fixture) throws {
        // The bytes that a camera appended may be missing.
        let length =
            fixture.name == "jpeg-trailing-bytes.jpg" ? try Fixture.named("jpeg-baseline.jpg").bytes.count : nil
        let accepted = (0..<(length ?? fixture.bytes.count)).filter { outcome(fixture.bytes.prefix($0)) == nil }
        #expect(accepted.isEmpty)
    }

    @Test(
        "HB-20 photos cut anywhere after their first bytes are called truncated",
        arguments: [
            "jpeg-baseline.jpg", "jpeg-progressive.jpg", "jpeg-restart-markers.jpg", "png-rgb.png", "png-animated.png",
            "gif-still.gif", "gif-animated.gif", "webp-lossy.webp", "webp-animated.webp", "avif-still.avif",
            "avif-sequence.avif", "heic-still.heic", "tiff-lzw.tiff", "bmp-24-bit.bmp",
        ])
    func cutsAreTruncations(name: String) throws {
        let fixture = try Fixture.named(name)
        let others = (32..<fixture.bytes.count).filter { outcome(fixture.bytes.prefix($0)) != .truncated }
        #expect(others.isEmpty)
    }

    /// `nil` for what is taken for an image.
    private func outcome(_ bytes: some Sequence<UInt8>) -> ImageError? {
        do throws(ImageError) {
            _ = try ImageProbe.probe(Array(bytes))
            return nil
        } catch {
            return error
        }
    }

    /// Reads beyond the end, overflows and endless loops would end the process or run into the time limit.
    @Test("HB-20 damaged images never crash the probe and never pass the limits", arguments: try Fixture.all())
    func damageIsSurvived(fixture: Fixture) throws {
        var random = SeededGenerator(seed: 20)
        let limits = ImageLimits(maximumPixels: 1_000_000, maximumFrames: 50)
        var survivors = 0
        var refusals: [String: Int] = [:]
        for _ in 0..<2_000 {
            var bytes = fixture.bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                // Headers more often than data; extreme values more often than others.
                let reach = Bool.random(using: &random) ? min(bytes.count, 256) : bytes.count
                let place = Int.random(in: 0..<reach, using: &random)
                bytes[place] =
                    [0, 1, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &random)]
                    .randomElement(using: &random) ?? 0
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                bytes.removeLast(.random(in: 0..<bytes.count, using: &random))
            }
            do throws(ImageError) {
                let info = try ImageProbe.probe(bytes, limits: limits)
                guard info.pixelWidth > 0, info.pixelHeight > 0, info.pixelWidth <= 1_000_000 / info.pixelHeight else {
                    Issue.record("\(info) passed the limits")
                    return
                }
                survivors += 1
            } catch {
                refusals[error.token, default: 0] += 1
            }
        }
        // Damage must have been done, and found.
        #expect(survivors + refusals.values.reduce(0, +) == 2_000)
        #expect(!refusals.isEmpty && Self.tokens.isSuperset(of: refusals.keys))
    }

    @Test("HB-50 no bytes are no image")
    func nothingIsEmpty() {
        #expect(throws: ImageError.empty) { try ImageProbe.probe([]) }
    }

    @Test(
        "HB-48 I-07 what is not an image is said to be none",
        arguments: [
            "<!DOCTYPE html><html><body><svg></svg></body></html>", "<html>", "  <HTML><head>",
            "{\"error\": \"login\"}",
            "[]", "not found", "%PDF-1.7\n1 0 obj", "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>",
            "BMW drives well, said the text that was not a bitmap.", "II and MM are initials", "GIF",
            "RIFF1234WAVEfmt ",
            "Traceback (most recent call last):", "\u{0}\u{0}\u{0}\u{18}ftypisom\u{0}\u{0}\u{0}\u{0}isommp42", "\u{0}",
            "PK\u{3}\u{4}",
            "#!/bin/sh", "svg", "<svgx/>", "<!-- <svg> -->", "<?xml version=\"1.0\"?>",
        ])
    func otherBytesAreNotImages(text: String) {
        #expect(throws: ImageError.notAnImage) { try ImageProbe.probe(Array(text.utf8)) }
        let limits = ImageLimits(allowsSVG: true)
        #expect(throws: ImageError.notAnImage) { try ImageProbe.probe(Array(text.utf8), limits: limits) }
    }

    @Test(arguments: ImageFormat.allCases)
    func contentTypesAreImageTypes(format: ImageFormat) {
        #expect(format.contentType.hasPrefix("image/"))
    }

    @Test func tokensAreThoseOfTheClosedList() {
        let errors: [ImageError] = [
            .empty, .notAnImage, .truncated, .tooManyPixels(limit: 1), .tooManyFrames(limit: 1), .unsupported(.svg),
            .malformed(.png),
        ]
        #expect(Set(errors.map(\.token)) == Self.tokens)
    }

    private static let tokens: Set = [
        "empty", "not-an-image", "truncated", "too-many-pixels", "too-many-frames", "unsupported-image",
        "malformed-image",
    ]
}
