import HalcyonImage
import Testing

/// Oddities that ITU-T T.81 allows, or that decoders forgive, and those that they do not.
@Suite(.timeLimit(.minutes(1)))
struct JPEGProbeTests {
    private let start: [UInt8] = [0xFF, 0xD8]
    private let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 16, 0, 24, 1, 1, 0x11, 0]
    private let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
    private let end: [UInt8] = [0xFF, 0xD9]
    private let image = ImageInfo(format: .jpeg, pixelWidth: 24, pixelHeight: 16)

    @Test func fillBytesBeforeMarkersAreAllowed() throws {
        let fill: [UInt8] = [0xFF, 0xFF, 0xFF]
        #expect(try ImageProbe.probe(start + fill + frame + fill + scan + [1, 2] + fill + end) == image)
    }

    @Test func stuffedBytesAndRestartMarkersBelongToTheScan() throws {
        let data: [UInt8] = [7, 0xFF, 0x00, 7, 0xFF, 0xD0, 7, 0xFF, 0xD7, 0xFF, 0x00]
        #expect(try ImageProbe.probe(start + frame + scan + data + end) == image)
    }

    @Test func aMarkerInsideASegmentIsData() throws {
        let comment: [UInt8] = [0xFF, 0xFE, 0, 6] + end + start
        #expect(try ImageProbe.probe(start + comment + frame + scan + [1] + end) == image)
    }

    @Test(arguments: [0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF] as [UInt8])
    func everyStartOfFrameIsRead(marker: UInt8) throws {
        let other: [UInt8] = [0xFF, marker] + frame.dropFirst(2)
        #expect(try ImageProbe.probe(start + other + scan + [1] + end) == image)
    }

    @Test func contradictionsAreMalformed() {
        let noSides: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 0, 0, 24, 1, 1, 0x11, 0]
        let cases = [
            start + end,
            start + frame + end,
            start + scan + [1] + end,
            start + frame + frame + scan + [1] + end,
            start + frame + scan + end,
            start + noSides + scan + [1] + end,
            start + [0xFF, 0xE0, 0, 1] + frame + scan + [1] + end,
            start + frame + start + scan + [1] + end,
        ]
        for bytes in cases {
            #expect(throws: ImageError.malformed(.jpeg)) { try ImageProbe.probe(bytes) }
        }
    }
}
