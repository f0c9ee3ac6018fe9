import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct CacheStatusTests {
    @Test(
        "RFC 9211 §2, parameters in the order of its sections",
        arguments: [
            (CacheStatus(.hit), "halcyon; hit"), (CacheStatus(.hit, timeToLive: 376), "halcyon; hit; ttl=376"),
            (CacheStatus(.hit, timeToLive: -412), "halcyon; hit; ttl=-412"),
            (CacheStatus(.forwarded(.miss), isStored: true), "halcyon; fwd=miss; stored"),
            (CacheStatus(.forwarded(.uriMiss)), "halcyon; fwd=uri-miss"),
            (CacheStatus(.forwarded(.varyMiss)), "halcyon; fwd=vary-miss"),
            (CacheStatus(.forwarded(.stale), forwardedStatus: 304), "halcyon; fwd=stale; fwd-status=304"),
            (
                CacheStatus(.forwarded(.uriMiss), timeToLive: 5, isStored: true, isCollapsed: true),
                "halcyon; fwd=uri-miss; ttl=5; stored; collapsed"
            ),
            (CacheStatus(.local, detail: "placeholder"), "halcyon; detail=placeholder"),
            // Only forwarded answers are stored or collapsed.
            (CacheStatus(.hit, forwardedStatus: 304, isStored: true, isCollapsed: true), "halcyon; hit"),
        ])
    func parametersAreWrittenInOrder(status: CacheStatus, text: String) {
        #expect("\(status)" == text)
    }

    @Test(
        "A detail is a token or else a string (RFC 8941 §3.3.3, §3.3.4)",
        arguments: [
            ("blocked-host", "blocked-host"), ("*", "*"), ("a/b:c", "a/b:c"), ("too large", "\"too large\""),
            ("", "\"\""),
            ("5xx", "\"5xx\""), ("say \"hi\\\"", "\"say \\\"hi\\\\\\\"\""), ("a\r\nb", "\"a??b\""), ("é", "\"??\""),
            ("a;b", "\"a;b\""), ("a,b", "\"a,b\""),
        ])
    func aDetailIsATokenOrAString(detail: String, written: String) {
        #expect(CacheStatus(.hit, detail: detail).description == "halcyon; hit; detail=\(written)")
    }
}
