import Testing

@testable import HalcyonRecords

@Suite(.timeLimit(.minutes(1)))
struct NoticeIDTests {
    private func isBefore(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    @Test func countsMillisecondsInTheAlphabetOfTheOlderDatabase() {
        // The example of "The 2^120 Ways to Ensure Unique Identifiers" (Firebase): -JhLeOlGIEjaIOFHR0xd is of 2015-02-03.
        let milliseconds = "-JhLeOlG".reduce(0) { sum, letter in
            sum * 64
                + (Array("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz").firstIndex(of: letter) ?? 0)
        }
        #expect(NoticeID.make(milliseconds: milliseconds).hasPrefix("-JhLeOlG"))
        #expect(NoticeID.make(milliseconds: milliseconds).utf8.count == 20)
    }

    @Test func growWithinAMillisecondAndWhenTheClockStepsBack() {
        var ids = [NoticeID.make(milliseconds: 1_772_409_600_000)]
        for milliseconds in [1_772_409_600_000, 1_772_409_600_000, 1_772_409_599_000, 0, 1_772_409_600_001] {
            ids.append(NoticeID.make(milliseconds: milliseconds, after: ids.last))
        }
        for (earlier, later) in zip(ids, ids.dropFirst()) { #expect(isBefore(earlier, later)) }
    }

    @Test(arguments: [
        ("00000000zzzzzzzzzzzz", "00000001------------"), ("0000000zzzzzzzzzzzzz", "0000001-------------"),
        ("00000000-----------9", "00000000-----------A"), ("00000000----------Zz", "00000000----------_-"),
    ])
    func theSuccessorCarries(last: String, next: String) {
        #expect(NoticeID.make(milliseconds: 0, after: last) == next)
    }
}
