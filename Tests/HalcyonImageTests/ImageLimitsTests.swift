import HalcyonImage
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ImageLimitsTests {
    @Test("D-01 HB-65 D-04 a small JPEG that claims 65535 pixels a side is refused by its header")
    func hugeJPEG() throws {
        var bytes = try Fixture.named("jpeg-baseline.jpg").bytes
        let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
        bytes.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: ImageError.tooManyPixels(limit: 50_000_000)) { try ImageProbe.probe(bytes) }
        // The header alone decides: the rest need not have come.
        #expect(throws: ImageError.tooManyPixels(limit: 50_000_000)) {
            try ImageProbe.probe(Array(bytes[..<(frame + 19)]))
        }
    }

    @Test(
        "HB-65 the largest sides that a format can claim neither pass nor overflow",
        arguments: [
            ("png-rgb.png", 16, 8), ("gif-still.gif", 6, 4), ("webp-alpha.webp", 24, 6), ("bmp-24-bit.bmp", 18, 3),
        ]
    )
    func hugeSides(name: String, offset: Int, length: Int) throws {
        var bytes = try Fixture.named(name).bytes
        bytes.replaceSubrange(offset..<offset + length, with: [UInt8](repeating: 0xFF, count: length))
        if name.hasSuffix(".png") { (bytes[16], bytes[20]) = (0x7F, 0x7F) }
        if name.hasSuffix(".bmp") { bytes.replaceSubrange(18..<26, with: [255, 255, 255, 127, 255, 255, 255, 127]) }
        #expect(throws: ImageError.tooManyPixels(limit: 50_000_000)) { try ImageProbe.probe(bytes) }
    }

    @Test func theLimitItselfIsAllowed() throws {
        let bytes = try Fixture.named("png-rgb.png").bytes
        #expect(try ImageProbe.probe(bytes, limits: .init(maximumPixels: 53 * 37)).pixelWidth == 53)
        #expect(throws: ImageError.tooManyPixels(limit: 53 * 37 - 1)) {
            try ImageProbe.probe(bytes, limits: .init(maximumPixels: 53 * 37 - 1))
        }
    }

    @Test("D-02 a GIF's canvas counts", arguments: [(65535, 65535), (10_000, 5_001)])
    func hugeCanvas(width: Int, height: Int) {
        let bytes = gif(width: width, height: height, frames: [Frame(0, 0, 1, 1)])
        #expect(throws: ImageError.tooManyPixels(limit: 50_000_000)) { try ImageProbe.probe(bytes) }
    }

    @Test(
        "D-02 every frame's rectangle counts, and where it lies",
        arguments: [Frame(0, 0, 65535, 65535), Frame(60_000, 60_000, 10, 10), Frame(0, 0, 10_000, 5_001)]
    )
    func hugeFrame(frame: Frame) {
        for frames in [[frame], [Frame(0, 0, 1, 1), Frame(0, 0, 1, 1), frame]] {
            let bytes = gif(width: 10, height: 10, frames: frames)
            #expect(bytes.count < 500)
            #expect(throws: ImageError.tooManyPixels(limit: 50_000_000)) { try ImageProbe.probe(bytes) }
        }
    }

    @Test("D-02 frames are counted") func tooManyFrames() throws {
        let full = gif(width: 10, height: 10, frames: Array(repeating: Frame(0, 0, 1, 1), count: 1_000))
        #expect(try ImageProbe.probe(full).isAnimated)
        let over = gif(width: 10, height: 10, frames: Array(repeating: Frame(0, 0, 1, 1), count: 1_001))
        #expect(throws: ImageError.tooManyFrames(limit: 1_000)) { try ImageProbe.probe(over) }
    }

    @Test("D-02 frames times canvas is bounded") func tooManyPixelsInAllFrames() throws {
        let frame = Frame(0, 0, 1, 1)
        // 25 million pixels each: 20 frames are ten times the limit of 50 million.
        #expect(
            try ImageProbe.probe(gif(width: 5_000, height: 5_000, frames: Array(repeating: frame, count: 20)))
                .isAnimated)
        #expect(throws: ImageError.tooManyFrames(limit: 1_000)) {
            try ImageProbe.probe(gif(width: 5_000, height: 5_000, frames: Array(repeating: frame, count: 21)))
        }
    }

    @Test("D-02 an animated PNG that announces too many frames is refused") func tooManyAnnouncedFrames() throws {
        var bytes = try Fixture.named("png-animated.png").bytes
        let control = try #require(bytes.indices.first { Array(bytes[$0...].prefix(4)) == Array("acTL".utf8) })
        bytes.replaceSubrange(control + 4..<control + 8, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: ImageError.tooManyFrames(limit: 1_000)) { try ImageProbe.probe(bytes) }
        bytes.replaceSubrange(control + 4..<control + 8, with: [0, 0, 0, 0])
        #expect(try !ImageProbe.probe(bytes).isAnimated)
    }

    @Test(arguments: [
        "png-animated.png", "gif-animated.gif", "webp-animated.webp", "avif-sequence.avif", "tiff-pages.tiff",
    ])
    func theFrameLimitHoldsForEveryFormat(name: String) throws {
        let bytes = try Fixture.named(name).bytes
        #expect(try ImageProbe.probe(bytes, limits: .init(maximumFrames: 3)).pixelWidth == 40)
        #expect(throws: ImageError.tooManyFrames(limit: 2)) {
            try ImageProbe.probe(bytes, limits: .init(maximumFrames: 2))
        }
    }

    @Test func aScreenWithoutSizeTakesThatOfItsFirstFrame() throws {
        let info = try ImageProbe.probe(gif(width: 0, height: 0, frames: [Frame(0, 0, 12, 9)]))
        #expect(info.pixelWidth == 12)
        #expect(info.pixelHeight == 9)
    }

    @Test func aDirectoryThatBitesItsTailEnds() throws {
        // One page, little-endian: width, height, one strip of one byte; the next page is the same one.
        let bytes: [UInt8] =
            [0x49, 0x49, 42, 0, 8, 0, 0, 0, 4, 0] + entry(256, 1) + entry(257, 1) + entry(273, 0) + entry(279, 1)
            + [8, 0, 0, 0]
        #expect(throws: ImageError.malformed(.tiff)) { try ImageProbe.probe(bytes, limits: .init(maximumFrames: .max)) }
        let ended = bytes.dropLast(4) + [0, 0, 0, 0]
        #expect(try ImageProbe.probe(Array(ended)).format == .tiff)
    }

    @Test func aBoxOfTheLargestLengthIsTruncated() throws {
        let bytes = try Fixture.named("avif-still.avif").bytes
        let box: [UInt8] = [0, 0, 0, 1] + Array("free".utf8) + [UInt8](repeating: 0xFF, count: 8)
        #expect(throws: ImageError.truncated) { try ImageProbe.probe(bytes + box) }
    }

    struct Frame: Sendable {
        let left, top, width, height: Int

        init(_ left: Int, _ top: Int, _ width: Int, _ height: Int) {
            (self.left, self.top, self.width, self.height) = (left, top, width, height)
        }
    }

    private func gif(width: Int, height: Int, frames: [Frame]) -> [UInt8] {
        var bytes = Array("GIF89a".utf8) + little16(width) + little16(height) + [0, 0, 0]
        for frame in frames {
            bytes +=
                [0x2C] + little16(frame.left) + little16(frame.top) + little16(frame.width) + little16(frame.height)
            bytes += [0, 2, 2, 0x4C, 0x01, 0]
        }
        return bytes + [0x3B]
    }

    private func entry(_ tag: Int, _ value: Int) -> [UInt8] {
        little16(tag) + [4, 0, 1, 0, 0, 0] + little16(value) + [0, 0]
    }

    private func little16(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
}
