import Foundation
import HalcyonImage
import Testing

/// `Resources/Variants` holds one scene of 120 × 90 in many ways of storing it: red, green, blue and yellow corners of
/// 40 × 30, a white disc at (66, 43).
@Suite(.timeLimit(.minutes(1)))
struct VariantRendererTests {
    @Test(
        "sizes follow from the definition of each fit, to the pixel",
        arguments: [
            ("w=60", 60, 45), ("h=30", 40, 30), ("w=60&h=60", 60, 45), ("w=60&h=60&fit=down", 60, 45),
            ("w=60&h=60&fit=cover", 60, 60), ("w=60&h=60&fit=crop", 60, 60), ("w=7&h=90&fit=cover", 7, 90),
            // Rounded to the nearest, and never to nothing.
            ("w=41&dpr=1.5", 62, 47), ("w=1", 1, 1), ("h=1", 1, 1), ("w=50", 50, 38), ("w=40&dpr=2", 80, 60),
            // Smaller than asked.
            ("w=240", 120, 90), ("h=4096", 120, 90), ("w=240&h=240", 120, 90), ("w=240&h=240&fit=down", 120, 90),
            ("w=240&h=240&fit=cover", 90, 90), ("w=240&h=240&fit=crop", 120, 90),
            // Smaller one way alone.
            ("w=240&h=30", 40, 30), ("w=240&h=30&fit=down", 40, 30), ("w=240&h=30&fit=cover", 120, 15),
            ("w=240&h=30&fit=crop", 120, 30), ("w=30&h=240&fit=cover", 11, 90), ("w=30&h=240&fit=crop", 30, 90),
            // Enlargement, asked for.
            ("w=240&enlarge=1", 240, 180), ("w=240&h=240&enlarge=1", 240, 180),
            ("w=240&h=240&fit=cover&enlarge=1", 240, 240), ("w=240&h=30&fit=cover&enlarge=1", 240, 30),
            ("w=240&h=240&fit=crop&enlarge=1", 120, 90), ("w=240&h=240&fit=down&enlarge=1", 120, 90),
            ("format=jpeg", 120, 90), ("q=50", 120, 90), ("round=max", 120, 90),
        ]
    )
    func sizes(text: String, width: Int, height: Int) throws {
        for name in ["upright.png", "orientation-1.jpg", "orientation-6.jpg", "progressive.jpg", "gps.webp"] {
            let rendered = try render(name, text)
            #expect((rendered.width, rendered.height) == (width, height), "\(name)")
            let info = try ImageProbe.probe(rendered.bytes)
            #expect((info.pixelWidth, info.pixelHeight) == (width, height), "\(name)")
            #expect(info.format == rendered.format)
        }
    }

    @Test("what is cut off is halved") func centre() throws {
        let covered = try Pixels(render("upright.png", "w=30&h=90&fit=cover").bytes)
        // Columns 45 to 74: none of the corners, all of the disc's middle.
        #expect(Self.isNear(covered[21, 43], [245, 240, 235]))
        let cut = try Pixels(render("upright.png", "w=200&h=30&fit=crop").bytes)
        #expect(cut.height == 30)
        #expect(Self.isNear(cut[66, 13], [245, 240, 235]))
        #expect(try cut.meanDifference(from: Pixels(render("upright.png", "w=120&h=30&fit=cover").bytes)) < 0.01)
    }

    @Test("HB-100 all orientations come out upright, without a tag left", arguments: 1...8)
    func orientations(tag: Int) throws {
        let scene = try Pixels(Self.file("upright.png"))
        for format in ["png", "jpeg&q=95", "webp&q=95", "avif&q=90"] {
            let rendered = try render("orientation-\(tag).jpg", "format=\(format)")
            #expect(try Pixels(rendered.bytes).meanDifference(from: scene) < 3.5, "\(format)")
            #expect(!Self.contains(rendered.bytes, "Exif") && !Self.contains(rendered.bytes, "EXIF"), "\(format)")
        }
        let small = try Pixels(render("orientation-\(tag).jpg", "w=60&format=png").bytes)
        #expect(Self.isNear(small[5, 5], [220, 40, 40]) && Self.isNear(small[55, 5], [40, 190, 60]))
        #expect(Self.isNear(small[5, 40], [40, 70, 220]) && Self.isNear(small[55, 40], [240, 220, 60]))
    }

    @Test("HB-100 an orientation counts in other formats too", arguments: ["png", "webp", "tiff"])
    func orientedFormats(ending: String) throws {
        let rendered = try render("orientation-6.\(ending)", "w=120&format=png")
        #expect(try Pixels(rendered.bytes).meanDifference(from: Pixels(Self.file("upright.png"))) < 3.5)
    }

    @Test("HB-100 the orientation of a PNG may stand behind its pixels") func lateOrientation() throws {
        let bytes = try Self.file("orientation-6.png")
        func chunk(_ name: String) throws -> Range<Int> {
            let type = try #require(bytes.indices.first { Array(bytes[$0...].prefix(4)) == Array(name.utf8) })
            let length = bytes[type - 4..<type].reduce(0) { $0 << 8 | Int($1) }
            return type - 4..<type + 8 + length
        }
        let (exif, end) = (try chunk("eXIf"), try chunk("IEND"))
        let late =
            Array(bytes[..<exif.lowerBound]) + bytes[exif.upperBound..<end.lowerBound] + bytes[exif] + bytes[end]
        let variant = try Variant(text: "w=120&format=png").resolved(accept: .unknown, source: VariantSource(late))
        let rendered = try VariantRenderer.render(late, as: variant)
        #expect((rendered.width, rendered.height) == (120, 90))
        #expect(try Pixels(rendered.bytes).meanDifference(from: Pixels(Self.file("upright.png"))) < 0.5)
        #expect(!Self.contains(rendered.bytes, "eXIf"))
    }

    @Test("a profile that does not fit is left out, as in browsers") func wrongProfile() throws {
        let gray = try Pixels(Self.file("gray.jpg"))
        let rendered = try render("gray-wrong-profile.jpg", "format=png")
        #expect(try Pixels(rendered.bytes).meanDifference(from: gray) < 3.5)
    }

    @Test("X-06 no metadata is left, the place least of all", arguments: ["jpeg", "png", "webp", "avif"])
    func metadata(format: String) throws {
        for name in ["gps.jpg", "gps.png", "gps.webp", "display-p3.jpg", "moving.gif"] {
            let rendered = try render(name, "w=64&format=\(format)")
            for mark in ["GPS", "Exif", "EXIF", "XMP", "xmp", "ICC", "acsp", "Display P3"] {
                #expect(!Self.contains(rendered.bytes, mark), "\(mark) of \(name)")
            }
        }
    }

    @Test(
        "every way of storing the scene gives its colours",
        arguments: [
            ("16-bit.png", 0.5), ("interlaced.png", 0.5), ("gps.png", 0.5), ("progressive.jpg", 3.5), ("gps.webp", 3.5),
            ("still.avif", 3.5), ("broken-profile.jpg", 3.5),
            // Sixteen colours, and a blue corner that is transparent.
            ("palette-trns.png", 18),
        ])
    func storage(name: String, difference: Double) throws {
        let scene = try Pixels(Self.file("upright.png"))
        #expect(try Pixels(render(name, "format=png").bytes).meanDifference(from: scene) < difference)
    }

    @Test("grey stays grey", arguments: ["gray.jpg", "gray-alpha.png", "one-bit.png"])
    func grey(name: String) throws {
        let pixels = try Pixels(render(name, "w=60&format=png").bytes)
        for (x, y) in [(5, 5), (55, 5), (33, 21)] {
            let pixel = pixels[x, y]
            #expect(abs(pixel[0] - pixel[1]) <= 1 && abs(pixel[1] - pixel[2]) <= 1)
        }
    }

    @Test(
        "a wide gamut becomes sRGB by the formula of both colour spaces",
        arguments: ["display-p3.png", "display-p3.jpg"])
    func displayP3(name: String) throws {
        let pixels = try Pixels(render(name, "w=60&format=png").bytes)
        // The matrices of SMPTE EG 432-1 and IEC 61966-2-1 applied to the corners, clipped.
        #expect(Self.isNear(pixels[5, 5], [240, 0, 21]))
        #expect(Self.isNear(pixels[55, 5], [0, 193, 23]))
        #expect(Self.isNear(pixels[5, 40], [29, 71, 229]))
        #expect(Self.isNear(pixels[55, 40], [244, 219, 0]))
    }

    @Test(
        "HB-102 transparency is kept where the format has it and white where not",
        arguments: ["alpha.png", "palette-trns.png"])
    func transparency(name: String) throws {
        for format in ["png", "webp", "avif"] {
            let pixels = try Pixels(render(name, "w=64&format=\(format)").bytes)
            try #require(pixels.bands == 4)
            #expect(pixels[5, 45][3] < 8 && pixels[60, 5][3] > 247, "\(format)")
        }
        let pixels = try Pixels(render(name, "w=60&format=jpeg").bytes)
        #expect(pixels.bands == 3 && Self.isNear(pixels[5, 41], [255, 255, 255]))
    }

    @Test("corners are round, and white where the format has no transparency", arguments: ["upright.png", "alpha.png"])
    func corners(name: String) throws {
        let circle = try Pixels(render(name, "w=60&h=60&fit=cover&round=max&format=png").bytes)
        #expect(circle[0, 0][3] == 0 && circle[59, 59][3] == 0 && circle[30, 30][3] == 255 && circle[30, 1][3] == 255)
        let visible = (0..<60).reduce(0) { sum, y in sum + (0..<60).reduce(0) { $0 + circle[$1, y][3] } }
        if name == "upright.png" { #expect(abs(Double(visible) / 255 - Double.pi * 900) < 15) }
        let slight = try Pixels(render(name, "w=60&round=4&dpr=2&format=png").bytes)
        #expect(slight[0, 0][3] == 0 && slight[8, 0][3] == 255 && slight[0, 8][3] == 255)
        let white = try Pixels(render(name, "w=60&round=max&format=jpeg&q=95").bytes)
        #expect(Self.isNear(white[0, 0], [255, 255, 255]))
    }

    @Test("HB-97 animations stay animated as WebP, frame by frame", arguments: ["moving.gif", "moving.webp"])
    func animations(name: String) throws {
        let moving = try render(name, "w=20&h=20&fit=cover&format=webp")
        #expect(
            try ImageProbe.probe(moving.bytes)
                == ImageInfo(format: .webp, pixelWidth: 20, pixelHeight: 20, isAnimated: true))
        // ANMF: 24 bits of duration after position and size (RFC 9649 §2.7.1.2).
        let frames = moving.bytes.indices.filter { Self.stands("ANMF", in: moving.bytes, at: $0) }
        #expect(frames.map { Int(moving.bytes[$0 + 20]) | Int(moving.bytes[$0 + 21]) << 8 } == [100, 200, 300])
        let still = try Pixels(render(name, "w=30&format=png").bytes)
        #expect((still.width, still.height) == (30, 20))
        #expect(Self.isNear(still[15, 10], [220, 40, 40]))
    }

    private func render(_ name: String, _ text: String) throws -> RenderedImage {
        let bytes = try Self.file(name)
        let variant = try Variant(text: text).resolved(accept: .unknown, source: VariantSource(bytes))
        return try VariantRenderer.render(bytes, as: variant)
    }

    static func file(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: Bundle.module.bundleURL.appendingPathComponent("Resources/Variants/\(name)")))
    }

    private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        Data(bytes).range(of: Data(text.utf8)) != nil
    }

    private static func stands(_ text: String, in bytes: [UInt8], at index: Int) -> Bool {
        bytes[index...].prefix(4).elementsEqual(text.utf8)
    }

    /// Within what coding at the default quality does to a flat colour.
    private static func isNear(_ pixel: [Int], _ colour: [Int]) -> Bool {
        zip(pixel, colour).allSatisfy { abs($0 - $1) <= 8 }
    }
}
