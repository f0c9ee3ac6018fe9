import Foundation
import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct ReuseTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT
    private static let start = Date(timeIntervalSince1970: 784_111_777)
    private static let policy = SharedCachePolicy()

    private func response(
        _ control: String, _ more: HTTPFields = [], made seconds: Double = 0, names: [String] = [],
        selection: [String] = []
    ) -> StoredResponse {
        let time = Self.start + seconds
        var fields: HTTPFields = [("Cache-Control", control), ("Date", HTTPDate.format(time))]
        fields.lines += more.lines
        return StoredResponse(
            status: 200, fields: fields, requestTime: time, responseTime: time, varyNames: names, selection: selection)
    }

    private func decide(
        _ stored: [StoredResponse], _ request: HTTPFields = [], at seconds: Double,
        policy: SharedCachePolicy = policy
    ) -> Reuse {
        Reuse.decide(stored: stored, request: request, policy: policy, now: Self.start + seconds)
    }

    private func decide(_ control: String, asked: String? = nil, at seconds: Double) -> Reuse {
        var request = HTTPFields()
        request["Cache-Control"] = asked
        return decide([response(control)], request, at: seconds)
    }

    @Test("RFC 9111 §4: without anything stored for the target, or for such a request, it is forwarded")
    func nothingIsStored() {
        #expect(decide([], at: 0) == .forward(.uriMiss))
        let other = response("max-age=60", names: ["foo"], selection: ["=1"])
        #expect(decide([other], [("Foo", "2")], at: 0) == .forward(.varyMiss))
        #expect(decide([other], [("Foo", "1")], at: 0) == .use(0, timeToLive: 60))
    }

    @Test("RFC 9111 §4.1: of several that fit the most recent is used")
    func theMostRecentCounts() {
        let stored = [response("max-age=60"), response("max-age=600", made: 5), response("max-age=60", made: 2)]
        #expect(decide(stored, at: 10) == .use(1, timeToLive: 595))
    }

    @Test("RFC 9111 §4.2: fresh while the lifetime exceeds the age, and no longer")
    func freshness() {
        #expect(decide("max-age=60", at: 59) == .use(0, timeToLive: 1))
        #expect(decide("max-age=60", at: 60) == .forward(.stale))
        #expect(decide("max-age=0", at: 0) == .forward(.stale))
        #expect(decide("max-age=60, s-maxage=10", at: 10) == .forward(.stale))
        #expect(decide("max-age=1, s-maxage=10", at: 5) == .use(0, timeToLive: 5))
    }

    @Test("RFC 9111 §4.2.3: the age that it came with counts")
    func ageCounts() {
        let old = response("max-age=60", [("Age", "50")])
        #expect(decide([old], at: 5) == .use(0, timeToLive: 5))
        #expect(decide([old], at: 10) == .forward(.stale))
    }

    @Test("RFC 9111 §4.2.3: a clock that goes back makes nothing fresh that was stale")
    func theClockGoesBack() {
        #expect(decide([response("max-age=60", [("Age", "60")])], at: -1000) == .forward(.stale))
    }

    @Test(
        "RFC 9111 §4.2.4: what forbids stale use is asked for",
        arguments: ["must-revalidate", "proxy-revalidate", "s-maxage=60", "no-cache", "MUST-REVALIDATE"])
    func staleIsForbidden(directive: String) {
        let control = "\(directive), max-age=60, stale-while-revalidate=600, stale-if-error=600"
        #expect(decide(control, asked: "max-stale", at: 70) == .forward(.stale))
        let stored = response(control)
        #expect(
            !Reuse.mayStandIn(stored, request: [], policy: Self.policy, now: Self.start + 70, limit: 600))
    }

    @Test("RFC 9111 §4.2.4: a stale response stands in for an origin that cannot be reached, for as long as is said")
    func disconnected() {
        func mayStandIn(_ control: String, asked: String? = nil, at seconds: Double, limit: Double = 100) -> Bool {
            var request = HTTPFields()
            request["Cache-Control"] = asked
            return Reuse.mayStandIn(
                response(control), request: request, policy: Self.policy, now: Self.start + seconds, limit: limit)
        }
        #expect(mayStandIn("max-age=60", at: 160))
        #expect(!mayStandIn("max-age=60", at: 161))
        #expect(!mayStandIn("max-age=60", at: 61, limit: -1))
        #expect(mayStandIn("max-age=60, stale-if-error=500", at: 560, limit: -1))
        #expect(!mayStandIn("max-age=60, stale-if-error=50", at: 111))
        #expect(!mayStandIn("max-age=60", asked: "no-cache", at: 61))
        #expect(!mayStandIn("max-age=60", asked: "max-age=10", at: 61))
        #expect(!mayStandIn("max-age=60", asked: "min-fresh=10", at: 61))
        #expect(mayStandIn("max-age=60", asked: "max-stale", at: 61))
    }

    @Test("RFC 9111 §4.3.1: validators are sent as they came; entity tags of the other stored responses too")
    func conditions() {
        let date = HTTPDate.format(Self.start - 1000)
        let one = response("max-age=1", [("ETag", "W/\"a\""), ("Last-Modified", date)], made: 1)
        let asked = decide([one], at: 10)
        #expect(
            asked
                == .validate(0, conditions: [("If-None-Match", "W/\"a\""), ("If-Modified-Since", date)], .stale))
        let other = response("max-age=600", [("ETag", "\"b\"")])
        let both = decide([one, other], at: 10)
        #expect(
            both
                == .validate(
                    0, conditions: [("If-None-Match", "W/\"a\", \"b\""), ("If-Modified-Since", date)], .stale))
        #expect(decide([response("max-age=1", [("Last-Modified", "gestern")])], at: 10) == .forward(.stale))
    }

    @Test(
        "RFC 9111 §5.2.1.1: max-age asks for no older one, unless it also takes stale ones",
        arguments: [
            ("max-age=10", 9, true), ("max-age=10", 10, true), ("max-age=10", 11, false), ("max-age=0", 1, false),
            ("max-age=10, max-stale=5", 15, true), ("max-age=10, max-stale=5", 16, false), ("MAX-AGE=10", 11, false),
            ("max-age=x", 1, false), ("max-age=\"20\"", 15, true), ("max-age=20, max-age=10", 15, false),
        ])
    func maxAge(asked: String, age: Double, isUsed: Bool) {
        #expect(
            decide("max-age=60", asked: asked, at: age)
                == (isUsed ? .use(0, timeToLive: 60 - Int(age)) : .forward(.request)))
    }

    @Test(
        "RFC 9111 §5.2.1.2: max-stale takes what is stale for no longer",
        arguments: [
            ("max-stale", 5000, true), ("max-stale=10", 70, true), ("max-stale=10", 71, false),
            ("max-stale=x", 61, false), ("max-stale=5, max-stale=10", 68, false), ("other", 61, false),
        ])
    func maxStale(asked: String, age: Double, isUsed: Bool) {
        #expect(
            decide("max-age=60", asked: asked, at: age)
                == (isUsed ? .use(0, timeToLive: 60 - Int(age)) : .forward(.stale)))
    }

    @Test("RFC 9111 §5.2.1.3: min-fresh asks for what stays fresh as long", arguments: [(10, true), (11, false)])
    func minFresh(seconds: Int, isUsed: Bool) {
        let decision = decide("max-age=60", asked: "min-fresh=\(seconds)", at: 50)
        #expect(decision == (isUsed ? .use(0, timeToLive: 10) : .forward(.request)))
    }

    @Test("RFC 9111 §5.2.1.4: no-cache is not answered unasked")
    func noCache() {
        #expect(decide("max-age=60", asked: "no-cache", at: 1) == .forward(.request))
        #expect(decide("max-age=60", asked: "No-Cache, max-stale", at: 1) == .forward(.request))
    }

    @Test("RFC 9111 §5.4: Pragma: no-cache counts where there is no Cache-Control")
    func pragma() {
        let stored = [response("max-age=60")]
        #expect(decide(stored, [("Pragma", "no-cache")], at: 1) == .forward(.request))
        #expect(decide(stored, [("Pragma", "other, No-Cache")], at: 1) == .forward(.request))
        #expect(
            decide(stored, [("Pragma", "no-cache"), ("Cache-Control", "max-age=9")], at: 1) == .use(0, timeToLive: 59))
        #expect(decide([response("max-age=60", [("Pragma", "no-cache")])], at: 1) == .use(0, timeToLive: 59))
    }

    @Test("RFC 9111 §5.2.1.7: only-if-cached is answered from here, or with 504")
    func onlyIfCached() {
        #expect(decide("max-age=60", asked: "only-if-cached", at: 1) == .use(0, timeToLive: 59))
        #expect(decide("max-age=60", asked: "only-if-cached", at: 61) == .gatewayTimeout)
        #expect(decide("max-age=60", asked: "only-if-cached, max-stale=5", at: 61) == .use(0, timeToLive: -1))
        #expect(decide("max-age=60, stale-while-revalidate=9", asked: "only-if-cached", at: 61) == .gatewayTimeout)
        #expect(decide([], [("Cache-Control", "only-if-cached")], at: 1) == .gatewayTimeout)
    }

    @Test("RFC 9111 §5.2.2.4: no-cache is used after validation alone; with names the rest is used freely")
    func noCacheInTheResponse() {
        let conditions: HTTPFields = [("If-None-Match", "\"a\"")]
        let stored = [response("no-cache, max-age=60", [("ETag", "\"a\"")])]
        #expect(decide(stored, at: 1) == .validate(0, conditions: conditions, .stale))
        #expect(decide("no-cache=\"set-cookie\", max-age=60", at: 1) == .use(0, timeToLive: 59))
    }

    @Test("RFC 5861 §3: stale while it is validated, for as long as is said")
    func staleWhileRevalidate() {
        let control = "max-age=60, stale-while-revalidate=10"
        #expect(decide(control, at: 70) == .useWhileRevalidating(0, timeToLive: -10))
        #expect(decide(control, at: 71) == .forward(.stale))
        #expect(decide(control, asked: "max-age=600", at: 61) == .forward(.stale))
        #expect(decide(control, asked: "no-cache", at: 61) == .forward(.request))
        #expect(decide("max-age=60, stale-while-revalidate=x", at: 61) == .forward(.stale))
    }

    @Test("RFC 9213 §2.2: a lifetime for caches like this one goes before all others, Expires among them")
    func targetedLifetime() {
        let date = HTTPDate.format(Self.start + 500)
        let stored = [response("max-age=5", [("CDN-Cache-Control", "max-age=60"), ("Expires", date)])]
        #expect(decide(stored, at: 10) == .use(0, timeToLive: 50))
        let silent = [response("max-age=500", [("CDN-Cache-Control", "public"), ("Expires", date)])]
        #expect(decide(silent, at: 10) == .forward(.stale))
        var policy = Self.policy
        policy.targets = ["Halcyon-Cache-Control", "CDN-Cache-Control"]
        let specific = [
            response("max-age=5", [("CDN-Cache-Control", "max-age=60"), ("Halcyon-Cache-Control", "max-age=9")])
        ]
        #expect(decide(specific, at: 10, policy: policy) == .forward(.stale))
        #expect(decide(specific, at: 10) == .use(0, timeToLive: 50))
    }

    @Test("The operator's expiry takes the place of the origin's, but for what forbids reuse")
    func expiryOfTheOperator() {
        var policy = Self.policy
        policy.expiry = 100
        #expect(decide([response("max-age=5")], at: 50, policy: policy) == .use(0, timeToLive: 50))
        #expect(decide([response("max-age=500")], at: 100, policy: policy) == .forward(.stale))
        #expect(decide([response("no-cache")], at: 1, policy: policy) == .forward(.stale))
    }
}
