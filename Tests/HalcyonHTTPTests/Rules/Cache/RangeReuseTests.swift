import Foundation
import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct RangeReuseTests {
    private func range(_ first: Int, _ last: Int, _ complete: Int = 100) -> ContentRange {
        ContentRange(first..<last + 1, of: complete)
    }

    @Test(
        "RFC 9111 §3.3: a kept part answers ranges that lie within it, and no others",
        arguments: [
            ("bytes=20-29", 20..<30), ("bytes=10-39", 10..<40), ("bytes=9-20", nil), ("bytes=20-40", nil),
            ("bytes=20-", nil), ("bytes=-10", nil), ("bytes=20-21,25-26", nil), ("bytes=200-", nil),
            ("seconds=20-29", nil), ("bytes=x", nil),
        ] as [(String, Range<Int>?)])
    func partsOfAPart(field: String, expected: Range<Int>?) {
        #expect(RangeReuse.part(field, of: range(10, 39)) == expected)
    }

    @Test(
        "RFC 9110 §14.1.2: a range that is open to the end, or counts from it, is answered by a part that reaches the end"
    )
    func partsAtTheEnd() {
        #expect(RangeReuse.part("bytes=90-", of: range(80, 99)) == 90..<100)
        #expect(RangeReuse.part("bytes=-5", of: range(80, 99)) == 95..<100)
        #expect(RangeReuse.part("bytes=-30", of: range(80, 99)) == nil)
    }

    private static let strong: HTTPFields = [("ETag", "\"a\"")]

    @Test("RFC 9111 §3.4: parts with the same strong validator that touch or overlap make one")
    func unions() {
        func union(_ old: ContentRange, _ new: ContentRange) -> ContentRange? {
            RangeReuse.union(old, Self.strong, new, Self.strong)
        }
        #expect(union(range(0, 9), range(10, 19)) == range(0, 19))
        #expect(union(range(10, 19), range(0, 9)) == range(0, 19))
        #expect(union(range(0, 9), range(5, 19)) == range(0, 19))
        #expect(union(range(0, 19), range(5, 9)) == range(0, 19))
        #expect(union(range(0, 9), range(11, 19)) == nil)
        #expect(union(range(0, 9, 100), range(10, 19, 101)) == nil)
    }

    @Test(
        "RFC 9111 §3.4: without a strong validator that is the same nothing is joined",
        arguments: [
            (nil, nil), ("\"a\"", "\"b\""), ("W/\"a\"", "W/\"a\""), ("\"a\"", nil), ("\"a\"", "W/\"a\""), ("a", "a"),
        ] as [(String?, String?)])
    func whatIsNotJoined(old: String?, new: String?) {
        var (left, right) = (HTTPFields(), HTTPFields())
        left["ETag"] = old
        right["ETag"] = new
        #expect(RangeReuse.union(range(0, 9), left, range(10, 19), right) == nil)
    }

    @Test("RFC 9110 §8.8.2.2: a date is a strong validator if it is a minute older than the response")
    func strongDates() {
        let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(
            RangeReuse.strongValidator([("Last-Modified", modified), ("Date", "Sun, 06 Nov 1994 08:50:37 GMT")])
                == modified)
        #expect(
            RangeReuse.strongValidator([("Last-Modified", modified), ("Date", "Sun, 06 Nov 1994 08:50:36 GMT")]) == nil)
        #expect(RangeReuse.strongValidator([("Last-Modified", modified)]) == nil)
        // The tag is what the origin distinguishes by, even if it is weak.
        #expect(
            RangeReuse.strongValidator([
                ("ETag", "W/\"a\""), ("Last-Modified", modified), ("Date", "Sun, 06 Nov 1994 09:50:36 GMT"),
            ]) == nil)
    }

    @Test("RFC 9111 §3.4: the rest of a part at either end is asked for by the strong validator, and only so")
    func whatIsMissing() {
        func missing(_ range: ContentRange, _ fields: HTTPFields) -> [String]? {
            let time = Date(timeIntervalSince1970: 0)
            let stored = StoredResponse(
                status: 206, fields: fields, requestTime: time, responseTime: time, range: range)
            return RangeReuse.missing(stored).map { [$0.range, $0.condition] }
        }
        #expect(missing(range(0, 9), Self.strong) == ["bytes=10-", "\"a\""])
        #expect(missing(range(90, 99), Self.strong) == ["bytes=0-89", "\"a\""])
        #expect(missing(range(10, 19), Self.strong) == nil)
        #expect(missing(range(0, 9), [("ETag", "W/\"a\"")]) == nil)
        #expect(missing(range(0, 9), []) == nil)
    }
}
