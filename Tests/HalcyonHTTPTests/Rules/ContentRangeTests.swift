import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct ContentRangeTests {
    @Test(
        "The examples of RFC 9110 §14.4",
        arguments: [
            ("bytes 42-1233/1234", 42, 1233, 1234), ("bytes 42-1233/*", 42, 1233, nil), ("bytes 0-0/1", 0, 0, 1),
            ("Bytes 0-499/1234", 0, 499, 1234), ("bytes 734-1233/1234", 734, 1233, 1234),
        ] as [(String, Int, Int, Int?)])
    func rangesAreRead(text: String, first: Int, last: Int, complete: Int?) throws {
        let range = try #require(ContentRange(text))
        #expect(range.first == first && range.last == last && range.complete == complete)
        #expect(ContentRange(range.description) == range)
    }

    @Test(
        "What contradicts itself or overflows is refused (RFC 9110 §14.4)",
        arguments: [
            "", "bytes", "bytes 0-1", "bytes 0-1/", "bytes */10", "bytes */*", "bytes 5-4/10", "bytes 0-10/10",
            "bytes 10-20/10",
            "items 0-1/2", "bytes=0-1/2", "bytes  0-1/2", "bytes 0 -1/2", "bytes -1/2", "bytes 0-/2", "bytes 0-1/2/3",
            "bytes 0-1-2/3", "bytes +0-1/2", "bytes 0-1/-2", "bytes 0-9223372036854775807/*",
            "bytes 0-1/9223372036854775808", "bytes 0-1/18446744073709551618", "bytes 0-1/2, bytes 0-1/2",
            "bytes a-b/c",
        ])
    func whatContradictsItselfIsRefused(text: String) {
        #expect(ContentRange(text) == nil)
    }

    @Test func answersAreWrittenAsTheStandardShows() {
        #expect(ContentRange(42..<1234, of: 1234).description == "bytes 42-1233/1234")
        #expect(ContentRange.unsatisfied(complete: 1234) == "bytes */1234")
    }
}
