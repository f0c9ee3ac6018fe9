import Foundation
import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct StorabilityTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT
    private static let now = Date(timeIntervalSince1970: 784_111_777)

    private func decide(
        _ fields: HTTPFields, method: String = "GET", request: HTTPFields = [], status: Int = 200,
        policy: SharedCachePolicy = SharedCachePolicy(), url: CanonicalURL? = nil
    ) -> Storability {
        Storability.decide(
            method: method, request: request, status: status, fields: fields, policy: policy, responseTime: Self.now,
            url: url)
    }

    private func isStored(_ control: String, request: HTTPFields = [], status: Int = 200) -> Bool {
        if case .store = decide([("Cache-Control", control)], request: request, status: status) { true } else { false }
    }

    private func stored(_ decision: Storability) -> HTTPFields? {
        if case .store(let fields) = decision { fields } else { nil }
    }

    @Test(
        "RFC 9111 §3: the method must be one whose answers are understood", arguments: ["HEAD", "PUT", "FOO", "POST"])
    func otherMethodsAreNotStored(method: String) {
        #expect(decide([("Cache-Control", "public, max-age=60")], method: method) == .refuse(.method))
    }

    @Test("RFC 9110 §15.5.13, §15.5.17: what answers a condition or a range is not for requests without")
    func answersToConditionsAreNotStored() {
        #expect(!isStored("max-age=60", request: [("If-Match", "\"a\"")], status: 412))
        #expect(!isStored("max-age=60", request: [("If-Unmodified-Since", "x")], status: 412))
        #expect(!isStored("max-age=60", request: [("Range", "bytes=9-")], status: 416))
        #expect(isStored("max-age=60", status: 412))
        #expect(isStored("max-age=60", status: 416))
        #expect(isStored("max-age=60", request: [("If-Match", "\"a\"")]))
    }

    @Test("The operator's expiry keeps no error of a moment")
    func expiryOfTheOperatorIsForWhatMayBeKeptAnyway() {
        var policy = SharedCachePolicy()
        policy.expiry = 600
        for status in [200, 204, 301, 404, 410] { #expect(stored(decide([], status: status, policy: policy)) != nil) }
        for status in [302, 401, 403, 500, 502, 503] {
            #expect(decide([], status: status, policy: policy) == .refuse(.unusable))
        }
        let error = StoredResponse(
            status: 503, fields: [("Cache-Control", "max-age=5")], requestTime: Self.now, responseTime: Self.now)
        #expect(error.lifetime(policy) == 5)
    }

    @Test("RFC 9110 §9.3.3: a POST is stored if it says how long it holds and that it is what its URL stands for")
    func aPostMayBeStored() throws {
        let url = try CanonicalURL("http://a.example/p?q=1")
        func isStored(_ fields: HTTPFields, status: Int = 200) -> Bool {
            stored(decide(fields, method: "POST", status: status, url: url)) != nil
        }
        let fresh = ("Cache-Control", "max-age=60")
        for location in ["/p?q=1", "http://A.example:80/p?q=1", "?q=1"] {
            #expect(isStored([fresh, ("Content-Location", location)]))
        }
        for location in ["/p", "/p?q=2", "https://a.example/p?q=1", "http://b.example/p?q=1", "http://["] {
            #expect(!isStored([fresh, ("Content-Location", location)]))
        }
        let own = ("Content-Location", "/p?q=1")
        #expect(!isStored([fresh]))
        #expect(!isStored([fresh, own], status: 201))
        #expect(!isStored([own, ("Cache-Control", "public"), ("Last-Modified", HTTPDate.format(Self.now))]))
        #expect(!isStored([own, ("Cache-Control", "no-cache"), ("ETag", "\"a\"")]))
        #expect(isStored([own, ("Expires", HTTPDate.format(Self.now + 60))]))
    }

    @Test("RFC 9111 §3: the status must be final, and 304 is not for storing", arguments: [100, 102, 103, 304])
    func statusesThatAreNotStored(status: Int) {
        #expect(!isStored("max-age=60", status: status))
    }

    @Test(
        "RFC 9111 §3: any final status is stored if it says how long it holds",
        arguments: [200, 201, 204, 299, 301, 302, 307, 400, 403, 404, 410, 499, 500, 503, 599])
    func anyStatusMayBeExplicit(status: Int) {
        #expect(isStored("max-age=60", status: status))
        #expect(isStored("s-maxage=60", status: status))
        #expect(isStored("public", status: status))
    }

    @Test("RFC 9111 §5.2.2.3: must-understand sets no-store aside for statuses that are understood, and only those")
    func mustUnderstand() {
        #expect(isStored("max-age=60, must-understand", status: 200))
        #expect(isStored("max-age=60, no-store, must-understand", status: 200))
        #expect(isStored("max-age=60, no-store, must-understand", status: 404))
        #expect(!isStored("max-age=60, must-understand", status: 299))
        #expect(!isStored("max-age=60, no-store, must-understand", status: 499))
        #expect(!isStored("max-age=60, no-store", status: 200))
    }

    @Test(
        "RFC 9111 §5.2.2.5: no-store forbids, in any case and among anything",
        arguments: ["no-store", "NO-STORE", "max-age=60,no-store", "no-store=\"x\"", "public , No-Store"])
    func noStore(control: String) {
        #expect(decide([("Cache-Control", control), ("Expires", "x")]) == .refuse(.noStore))
    }

    @Test("RFC 9111 §5.2.1.5: a request with no-store leaves nothing behind")
    func noStoreInTheRequest() {
        #expect(!isStored("max-age=60", request: [("Cache-Control", "no-store")]))
    }

    @Test("RFC 9111 §5.2.2.7: private is for private caches; with names it is those fields alone")
    func privateResponses() throws {
        #expect(decide([("Cache-Control", "private, max-age=60")]) == .refuse(.private))
        #expect(decide([("Cache-Control", "private=\"\", max-age=60")]) == .refuse(.private))
        #expect(decide([("Cache-Control", "private=\"a\", private, max-age=60")]) == .refuse(.private))
        let fields = try #require(
            stored(
                decide([
                    ("Cache-Control", "private=\"Own, other\", max-age=60"), ("own", "1"), ("OTHER", "2"),
                    ("Third", "3"),
                ])))
        #expect(fields["Own"] == nil && fields["Other"] == nil && fields["Third"] == "3")
    }

    @Test("RFC 9111 §5.2.2.4: of no-cache with names the fields are not stored, the rest is")
    func noCacheWithNames() throws {
        let fields = try #require(
            stored(decide([("Cache-Control", "no-cache=\"own\", max-age=60"), ("Own", "1"), ("Other", "2")])))
        #expect(fields["Own"] == nil && fields["Other"] == "2")
    }

    @Test(
        "RFC 9111 §3.5: with Authorization only what is allowed to be shared",
        arguments: [
            ("max-age=60", false), ("public, max-age=60", true), ("must-revalidate, max-age=60", true),
            ("s-maxage=60", true), ("s-maxage=0", true), ("proxy-revalidate, max-age=60", false), ("no-cache", false),
            ("private, public, max-age=60", false),
        ])
    func authorization(control: String, isKept: Bool) {
        #expect(isStored(control, request: [("Authorization", "Bearer x")]) == isKept)
    }

    @Test(
        "RFC 9111 §3, §4.2.2: without a lifetime only statuses that allow the heuristic, and only with a validator",
        arguments: [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501])
    func heuristics(status: Int) {
        let changed = ("Last-Modified", HTTPDate.format(Self.now - 1000))
        #expect(stored(decide([changed], status: status)) != nil)
        #expect(stored(decide([("ETag", "\"a\"")], status: status)) != nil)
        #expect(decide([], status: status) == .refuse(.unusable))
        #expect(decide([changed], status: 302) == .refuse(.unusable))
        #expect(decide([changed], status: 299) == .refuse(.unusable))
    }

    @Test("RFC 9111 §3.1: every field is stored, unknown ones too, but those of the connection")
    func whichFieldsAreStored() throws {
        let received: HTTPFields = [
            ("Cache-Control", "max-age=60"), ("Date", HTTPDate.format(Self.now)), ("X-Unknown", "1"),
            ("Connection", "X-Named, close"), ("X-Named", "2"), ("Keep-Alive", "3"), ("Transfer-Encoding", "chunked"),
            ("Upgrade", "4"), ("TE", "5"), ("Proxy-Authenticate", "6"), ("Proxy-Authentication-Info", "7"),
            ("Proxy-Authorization", "8"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"), ("ETag", "W/\"x\""),
        ]
        let fields = try #require(stored(decide(Intermediary.endToEnd(received))))
        #expect(
            fields.lines.map(\.name) == ["Cache-Control", "Date", "X-Unknown", "Set-Cookie", "Set-Cookie", "ETag"])
    }

    @Test("RFC 9111 §7.3: Set-Cookie does not forbid storing; the operator may")
    func cookies() {
        let fields: HTTPFields = [("Cache-Control", "max-age=60"), ("Set-Cookie", "a=1")]
        #expect(stored(decide(fields))?["Set-Cookie"] == "a=1")
        var policy = SharedCachePolicy()
        policy.refusesCookies = true
        #expect(decide(fields, policy: policy) == .refuse(.cookies))
    }

    @Test("RFC 9110 §6.6.1: what comes without a Date gets that of its coming")
    func aDateIsAdded() {
        #expect(stored(decide([("Cache-Control", "max-age=60")]))?["Date"] == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test("RFC 9111 §4.1: Vary with a star matches no request, so it is not stored", arguments: ["*", "a, *", "*, *"])
    func varyAnything(value: String) {
        #expect(decide([("Cache-Control", "max-age=60"), ("Vary", value)]) == .refuse(.varyAnything))
    }

    @Test(
        "RFC 9111 §3.3: a part is stored if it says which",
        arguments: [
            ("bytes 0-4/10", true), ("bytes 0-4/*", true), (nil, false), ("bytes 4-0/10", false),
            ("bytes 0-10/10", false), ("seconds 0-4/10", false),
        ])
    func parts(range: String?, isKept: Bool) {
        var fields: HTTPFields = [("Cache-Control", "max-age=60")]
        fields["Content-Range"] = range
        #expect((stored(decide(fields, status: 206)) != nil) == isKept)
    }

    @Test("RFC 9213 §2.2: the targeted field alone decides where it is valid")
    func targetedControl() {
        func isStored(_ targeted: String) -> Bool {
            stored(decide([("Cache-Control", "no-store"), ("CDN-Cache-Control", targeted)])) != nil
        }
        #expect(isStored("max-age=60"))
        #expect(!isStored("max-age=60,"))
        #expect(!isStored("max-age=60, no-store"))
        #expect(!isStored(""))
        let targeted: HTTPFields = [
            ("Cache-Control", "max-age=60"), ("CDN-Cache-Control", "no-store"), ("Expires", HTTPDate.format(Self.now)),
        ]
        #expect(decide(targeted) == .refuse(.noStore))
    }
}
