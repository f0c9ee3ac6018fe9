import Testing

@testable import HalcyonCLI

@Suite(.timeLimit(.minutes(1)))
struct ValueTests {
    @Test(arguments: [
        ("0", 0), ("1", 1), ("10240", 10_240), ("1KiB", 1024), ("256MiB", 268_435_456), ("2GiB", 2_147_483_648),
        ("512mib", 536_870_912), ("7B", 7),
    ])
    func sizesAreReadInBinaryUnits(text: String, bytes: Int) {
        #expect(ByteSize.parse(text) == bytes)
        #expect(ByteSize.parse(ByteSize.exact(bytes)) == bytes)
    }

    @Test(arguments: [
        "", "MiB", "-1", "+1", "1.5GiB", "10MB", "10 MiB", "0x10", "9223372036854775808", "9007199254740992GiB", "١MiB",
    ])
    func otherSizesAreRefused(text: String) {
        #expect(ByteSize.parse(text) == nil)
    }

    @Test(arguments: [
        ("0", Duration.zero), ("0s", .zero), ("250ms", .milliseconds(250)), ("15s", .seconds(15)),
        ("10m", .seconds(600)), ("1h", .seconds(3600)), ("30d", .seconds(2_592_000)), ("1h30m", .seconds(5400)),
    ])
    func durationsAreReadWithTheirUnit(text: String, duration: Duration) {
        #expect(DurationText.parse(text) == duration)
        #expect(DurationText.parse(DurationText.exact(duration)) == duration)
    }

    @Test(arguments: ["", "15", "s", "-1s", "1.5h", "10 m", "1w", "1s2", "99999999999999999999d", "40000d", "never"])
    func otherDurationsAreRefused(text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(
        "HB-06 negative periods are refused with option, value and what is accepted",
        arguments: [
            ("--disk-expiry", "-1d"), ("--memory-expiry", "-1s"), ("--negative-expiry", "-60s"),
            ("--stale-if-error", "-7d"),
            ("--timeout", "-1s"), ("--connect-timeout", "0"), ("--timeout", "0s"), ("--purge-every", "0"),
            ("--disk-limit", "-1"), ("--per-host", "0"),
        ])
    func negativesAreRefusedWithNameValueAndWhatIsAccepted(flag: String, value: String) async {
        let buffer = BufferConsole()
        #expect(await buffer.run("serve", flag, value) == .usage)
        #expect(buffer.err.contains("\(flag): \"\(value)\" is not accepted: expected"))
        #expect(buffer.out.isEmpty)
    }

    @Test(
        "HB-06 zero is accepted where it means expired at once",
        arguments: ["disk-expiry", "memory-expiry", "negative-expiry"])
    func zeroIsAccepted(flag: String) throws {
        let spec = try #require(Options.all.first { $0.flag == flag })
        #expect(throws: Never.self) { try spec.read(["0"]) }
        #expect(spec.help.contains("0: expired at once") || flag == "negative-expiry")
    }

    @Test(arguments: [
        ("prefetc", "prefetch"), ("purg", "purge"), ("sevre", "serve"), ("zzzzzz", nil), ("x", nil),
    ])
    func theNearestWordIsSuggested(word: String, expected: String?) {
        #expect(Suggestion.nearest(to: word, in: ["serve", "prefetch", "purge", "get"]) == expected)
    }

    @Test(arguments: [("", "abc", 3), ("abc", "abc", 0), ("kitten", "sitting", 3), ("ab", "ba", 1), ("abc", "", 3)])
    func distanceCountsEditsAndSwaps(left: String, right: String, distance: Int) {
        #expect(Suggestion.distance(left, right) == distance)
    }
}
