import Foundation
import HalcyonImage
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PlaceholderTests {
    @Test(arguments: [1, 40, 256, 1024])
    func silhouettesAreSquarePNGsOfTheSizeAskedFor(size: Int) throws {
        let bytes = try Placeholder.silhouette(size: size)
        let info = try ImageProbe.probe(bytes)
        #expect(info == ImageInfo(format: .png, pixelWidth: size, pixelHeight: size))
        #expect(bytes.count < 64 * 1024)
    }

    @Test func silhouettesAreTheSameEachTime() throws {
        #expect(try Placeholder.silhouette() == Placeholder.silhouette())
    }

    @Test(arguments: [(0, 1), (-5, 1), (100_000, 4096)])
    func sizesOutOfRangeAreBroughtIntoIt(asked: Int, drawn: Int) throws {
        #expect(try ImageProbe.probe(Placeholder.silhouette(size: asked)).pixelWidth == drawn)
    }

    @Test func anOperatorsFileIsTakenAsItIs() throws {
        let fixture = try Fixture.named("webp-lossy.webp")
        try withFile(fixture.bytes) { path in
            let placeholder = try Placeholder.file(path)
            #expect(placeholder.bytes == fixture.bytes)
            #expect(placeholder.info.format == .webp)
            #expect(placeholder.info.pixelWidth == fixture.width)
        }
    }

    @Test func whatIsNoImageForBrowsersIsRefused() throws {
        let cases: [([UInt8], ImageError)] = [
            ([], .empty),
            (Array("<html></html>".utf8), .notAnImage),
            (Array("<svg/>".utf8), .unsupported(.svg)),
            (Array(try Fixture.named("jpeg-baseline.jpg").bytes.dropLast(9)), .truncated),
            (try Fixture.named("tiff-lzw.tiff").bytes, .unsupported(.tiff)),
            (try Fixture.named("heic-still.heic").bytes, .unsupported(.heic)),
        ]
        for (bytes, expected) in cases {
            try withFile(bytes) { path in
                #expect(throws: DrawingError.unusableFile(path: path, expected)) { try Placeholder.file(path) }
            }
        }
    }

    @Test func limitsHoldForTheOperatorsFileToo() throws {
        try withFile(try Fixture.named("png-rgb.png").bytes) { path in
            #expect(throws: DrawingError.unusableFile(path: path, .tooManyPixels(limit: 100))) {
                try Placeholder.file(path, limits: .init(maximumPixels: 100))
            }
        }
        try withFile([UInt8](repeating: 0xFF, count: Placeholder.fileLimitBytes + 1)) { path in
            #expect(throws: DrawingError.fileTooLarge(path: path, limitBytes: Placeholder.fileLimitBytes)) {
                try Placeholder.file(path)
            }
        }
    }

    @Test func aMissingFileIsNamed() throws {
        let error = DrawingError.unreadableFile(path: "/nowhere/face.png", reason: "No such file or directory")
        #expect(throws: error) { try Placeholder.file("/nowhere/face.png") }
        #expect(error.description.contains("/nowhere/face.png"))
    }

    private func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("halcyon-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
        try body(file.path)
    }
}
