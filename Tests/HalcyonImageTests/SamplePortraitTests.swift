import HalcyonImage
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SamplePortraitTests {
    @Test func portraitsAreDistinctPhotosOfRealisticSize() throws {
        var portraits: Set<[UInt8]> = []
        for seed in 0..<24 as Range<UInt64> {
            let bytes = try SamplePortrait.jpeg(seed: seed)
            #expect(try ImageProbe.probe(bytes) == ImageInfo(format: .jpeg, pixelWidth: 480, pixelHeight: 600))
            #expect((20 * 1024..<60 * 1024).contains(bytes.count), "seed \(seed)")
            portraits.insert(bytes)
        }
        #expect(portraits.count == 24)
    }

    @Test func theSameSeedGivesTheSameFace() throws {
        #expect(try SamplePortrait.jpeg(seed: .max) == SamplePortrait.jpeg(seed: .max))
    }

    @Test func theSizeIsAimedAt() throws {
        let bytes = try SamplePortrait.jpeg(seed: 7, approximateBytes: 14_000..<22_000)
        #expect((14_000..<22_000).contains(bytes.count))
    }

    @Test func facesAreDrawnFromSeveralThreadsAtOnce() async throws {
        let expected = try (0..<4).map { try SamplePortrait.jpeg(seed: $0) }
        try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
            for index in 0..<16 {
                group.addTask { (index % 4, try SamplePortrait.jpeg(seed: UInt64(index % 4))) }
            }
            for try await (seed, bytes) in group { #expect(bytes == expected[seed]) }
        }
    }
}
