import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct ByteRangeTests {
    @Test(
        "The examples of RFC 9110 §14.1.2, of 10000 bytes",
        arguments: [
            ("bytes=0-499", 0..<500), ("bytes=500-999", 500..<1000), ("bytes=-500", 9500..<10_000),
            ("bytes=9500-", 9500..<10_000), ("bytes=0-0", 0..<1), ("bytes=-1", 9999..<10_000),
        ])
    func theExamplesOfTheStandard(field: String, range: Range<Int>) {
        #expect(ByteRange.resolve(field, length: 10_000) == .partial(range))
    }

    @Test(
        "E-05 R-09 Bounds are clamped to the length, however great",
        arguments: [
            ("bytes=5-99", 5..<10), ("bytes=-99", 0..<10), ("bytes=-10", 0..<10), ("bytes=0-9", 0..<10),
            ("bytes=0-", 0..<10),
            ("bytes=9-9", 9..<10), ("bytes=1-9223372036854775807", 1..<10), ("bytes=1-18446744073709551615", 1..<10),
            ("bytes=1-18446744073709551618", 1..<10), ("bytes=-9223372036854775808", 0..<10),
            ("bytes=-18446744073709551617", 0..<10), ("bytes=-99999999999999999999999999", 0..<10),
            ("bytes=0000000000000000000000000001-2", 1..<3),
        ])
    func boundsAreClamped(field: String, range: Range<Int>) {
        #expect(ByteRange.resolve(field, length: 10) == .partial(range))
    }

    @Test(
        "What begins behind the end, and an empty suffix, is 416 (RFC 9110 §15.5.17)",
        arguments: [
            "bytes=10-", "bytes=10-10", "bytes=99-", "bytes=-0", "bytes=-000", "bytes=9223372036854775807-",
            "bytes=18446744073709551616-", "bytes=18446744073709551616-18446744073709551617",
        ])
    func whatBeginsBehindTheEndIsUnsatisfiable(field: String) {
        #expect(ByteRange.resolve(field, length: 10) == .unsatisfiable)
    }

    @Test(
        "What is not understood is ignored: reversed bounds, other units, other text (RFC 9110 §14.2)",
        arguments: [
            nil, "", "bytes", "bytes=", "bytes=-", "bytes=,", "bytes=5-4", "bytes=9-0", "bytes=a-b", "bytes=1-b",
            "bytes=a-",
            "bytes=1", "bytes=--1", "bytes=1--2", "bytes=+1-2", "bytes=1-+2", "bytes=1-2-3", "bytes=0x1-2",
            "bytes=1.0-2",
            "bytes=1 -2", "bytes= 1- 2", "bytes =1-2", "bytes:1-2", "items=0-1", "seconds=0-1", "none", "xbytes=0-1",
            "0-1",
            "bytes=1-2;q=1", "bytes=１-2", "bytes=\"1-2\"", "bytes=18446744073709551616-1",
        ] as [String?])
    func whatIsNotUnderstoodIsIgnored(field: String?) {
        #expect(ByteRange.resolve(field, length: 10) == .whole)
    }

    @Test("The unit is read in any case, empty list elements are none (RFC 9110 §14.1, §5.6.1)")
    func unitAndListAreReadLeniently() {
        for field in ["Bytes=1-2", "BYTES=1-2", "bytes= 1-2 ", "bytes=1-2,", "bytes=,\t1-2 , ,"] {
            #expect(ByteRange.resolve(field, length: 10) == .partial(1..<3))
        }
    }

    @Test(
        "E-06 More than one range is the whole",
        arguments: [
            "bytes=0-0,-1", "bytes=0-1, 2-3", "bytes=0-,0-,0-", "bytes=0-1,99-", "bytes=0-1, bytes=2-3", "bytes=0-1,x",
            "bytes=" + Array(repeating: "0-", count: 10_000).joined(separator: ","),
        ])
    func moreThanOneRangeIsTheWhole(field: String) {
        #expect(ByteRange.resolve(field, length: 10) == .whole)
    }

    @Test func nothingCanBeCutFromNothing() {
        #expect(ByteRange.resolve("bytes=0-", length: 0) == .unsatisfiable)
        #expect(ByteRange.resolve("bytes=0-0", length: 0) == .unsatisfiable)
        #expect(ByteRange.resolve("bytes=-1", length: 0) == .whole)
        #expect(ByteRange.resolve("bytes=-0", length: 0) == .unsatisfiable)
    }

    @Test("E-05 Small ranges are the bytes that the definition of RFC 9110 §14.1.2 selects")
    func smallRangesAreTheBytesOfTheDefinition() {
        for length in 1...6 {
            for first in 0...8 {
                for last in first...8 {
                    let selected = (0..<length).filter { first <= $0 && $0 <= last }
                    #expect(bytes("bytes=\(first)-\(last)", length) == (selected.isEmpty ? nil : selected))
                }
                let open = (0..<length).filter { first <= $0 }
                #expect(bytes("bytes=\(first)-", length) == (open.isEmpty ? nil : open))
                let suffix = Array((0..<length).suffix(first))
                #expect(bytes("bytes=-\(first)", length) == (suffix.isEmpty ? nil : suffix))
            }
        }
    }

    @Test("E-05 Whatever is asked, the answer is 200, 206 or 416 and a part of the photo")
    func whateverIsAskedTheAnswerIsAPartOfThePhoto() {
        var generator = SplitMix(seed: 2017_7529)
        let pieces = [
            "bytes", "=", "-", ",", " ", "0", "1", "9", "10", "-1", "9223372036854775807", "9223372036854775808",
            "18446744073709551615", "18446744073709551616", "4294967296", "x", "\t", "=-", "０",
        ]
        var outcomes: Set<String> = []
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...5, using: &generator)
            let start = Int.random(in: 0...9, using: &generator) == 0 ? "" : "bytes="
            let field = start + (0..<count).compactMap { _ in pieces.randomElement(using: &generator) }.joined()
            let length = [0, 1, 10, 24_576, Int.max].randomElement(using: &generator) ?? 0
            switch ByteRange.resolve(field, length: length) {
            case .whole: outcomes.insert("200")
            case .unsatisfiable: outcomes.insert("416")
            case .partial(let range):
                outcomes.insert("206")
                #expect(!range.isEmpty && range.lowerBound >= 0 && range.upperBound <= length, "\(field) of \(length)")
            }
        }
        #expect(outcomes == ["200", "206", "416"])
    }

    /// The indices that a satisfiable range selects, `nil` for 416.
    private func bytes(_ field: String, _ length: Int) -> [Int]? {
        switch ByteRange.resolve(field, length: length) {
        case .whole: []
        case .partial(let range): Array(range)
        case .unsatisfiable: nil
        }
    }
}
