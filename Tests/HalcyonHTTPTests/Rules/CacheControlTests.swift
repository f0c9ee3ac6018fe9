import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct CacheControlTests {
    private func control(_ lines: String...) -> CacheControl {
        CacheControl(HTTPFields(lines.map { ("Cache-Control", $0) }))
    }

    @Test func nothingIsSaidWithoutTheField() {
        let none = CacheControl([("Pragma", "no-cache")])
        #expect(none == CacheControl([]))
        #expect(!none.isNoStore && !none.isNoCache && !none.isPrivate && !none.isPublic && !none.isImmutable)
        #expect(none.maxAge == nil && none.sharedMaxAge == nil)
        #expect(none.staleWhileRevalidate == nil && none.staleIfError == nil)
    }

    @Test("Every directive of RFC 9111 §5.2.2, RFC 5861 and RFC 8246 that is acted on is read")
    func everyDirectiveIsRead() {
        let all = control(
            "public, private, no-store, no-cache, must-revalidate, proxy-revalidate, immutable, max-age=1, s-maxage=2, "
                + "stale-while-revalidate=3, stale-if-error=4")
        #expect(all.isPublic && all.isPrivate && all.isNoStore && all.isNoCache && all.isImmutable)
        #expect(all.mustRevalidate && all.proxyRevalidate)
        #expect(all.maxAge == 1 && all.sharedMaxAge == 2)
        #expect(all.staleWhileRevalidate == 3 && all.staleIfError == 4)
    }

    @Test(
        "Numbers may be tokens or quoted, names in any case (RFC 9111 §5.2)",
        arguments: [
            ("max-age=60", 60), ("MAX-AGE=60", 60), ("Max-Age=\"60\"", 60), ("max-age=060", 60), ("max-age=0", 0),
            (" ,, max-age=60 ,", 60), ("foo=\"a, max-age=5, b\", max-age=60", 60),
            ("foo=\"a\\\", max-age=5, b\", max-age=60", 60),
            ("max-age = 60", 60), ("x-max-age=5, max-age=60", 60), ("max-age=\"6\\0\"", 60),
        ])
    func numbersMayBeTokensOrQuoted(value: String, seconds: Int) {
        #expect(control(value).maxAge == seconds)
    }

    @Test(
        "A lifetime that is no number makes the response stale (RFC 9111 §4.2.1)",
        arguments: [
            "max-age", "max-age=", "max-age=-1", "max-age=+60", "max-age=60.5", "max-age=6O", "max-age=\"60",
            "max-age=0x3c",
            "max-age=60s", "max-age=\"\"", "max-age='60'", "max-age=６０", "max-age=6 0", "max-age=60;", "max-age==60",
        ])
    func aMalformedLifetimeIsZero(value: String) {
        #expect(control(value).maxAge == 0)
    }

    @Test(
        "A number too great is 2^31 (RFC 9111 §1.2.2)",
        arguments: [
            ("max-age=2147483647", 2_147_483_647), ("max-age=2147483648", 2_147_483_648),
            ("max-age=2147483649", 2_147_483_648), ("max-age=9223372036854775807", 2_147_483_648),
            ("max-age=9223372036854775808", 2_147_483_648), ("max-age=184467440737095516160", 2_147_483_648),
            ("max-age=000000000000000000000000000007", 7),
            ("max-age=\(String(repeating: "9", count: 5000))", 2_147_483_648),
        ])
    func aNumberTooGreatIsCapped(value: String, seconds: Int) {
        #expect(control(value).maxAge == seconds)
    }

    @Test("Of two of the same name the first counts (RFC 9111 §4.2.1)")
    func theFirstOfTwoCounts() {
        #expect(control("max-age=10, max-age=20").maxAge == 10)
        #expect(control("max-age=10", "max-age=20").maxAge == 10)
        #expect(control("max-age=x, max-age=20").maxAge == 0)
        #expect(control("s-maxage=5, max-age=1, s-maxage=6").sharedMaxAge == 5)
    }

    @Test func fieldLinesAreReadTogether() {
        let both = CacheControl([("cache-control", "public"), ("Age", "1"), ("CACHE-CONTROL", "max-age=3")])
        #expect(both.isPublic && both.maxAge == 3)
    }

    @Test("no-cache and private that name fields count in full (RFC 9111 §5.2.2.4, §5.2.2.7)")
    func qualifiedDirectivesCountInFull() {
        let qualified = control("no-cache=\"Set-Cookie, X\", private=\"X\"")
        #expect(qualified.isNoCache && qualified.isPrivate)
    }

    @Test func directivesInsideQuotesAreNotDirectives() {
        #expect(!control("ext=\"a, no-store, b\", public").isNoStore)
        #expect(control("ext=\"a, no-store, b\", public").isPublic)
    }

    @Test func anUnclosedQuoteHidesNothing() {
        #expect(control("ext=\"abc, no-store").isNoStore)
        #expect(control("ext=\"abc\\", "no-store").isNoStore)
        #expect(control(String(repeating: "\"\\", count: 100_000) + ", no-store").isNoStore)
    }

    @Test(
        "A malformed stale window permits nothing (RFC 5861)",
        arguments: ["stale-if-error", "stale-if-error=-1", "stale-if-error=x"])
    func aMalformedStaleWindowPermitsNothing(value: String) {
        #expect(control(value).staleIfError == nil)
        #expect(control(value.replacing("if-error", with: "while-revalidate")).staleWhileRevalidate == nil)
    }

    @Test(
        "T-05 What the origin says against stale copies is heard (RFC 9111 §4.2.4, §5.2.2.10)",
        arguments: [
            ("max-age=1", false, false), ("must-revalidate", true, true), ("no-cache", true, true),
            ("no-store", true, true), ("proxy-revalidate", true, false), ("s-maxage=5", true, false),
            ("stale-if-error=60", false, false), ("stale-if-error=60, must-revalidate", true, true),
            ("Must-Revalidate", true, true),
        ])
    func theOriginMayForbidStaleCopies(value: String, shared: Bool, notShared: Bool) {
        #expect(control(value).forbidsStale(isShared: true) == shared)
        #expect(control(value).forbidsStale(isShared: false) == notShared)
    }
}
