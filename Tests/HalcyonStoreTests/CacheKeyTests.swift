import Foundation
import Testing

@testable import HalcyonStore

@Suite(.timeLimit(.minutes(1)))
struct CacheKeyTests {
    @Test("K-04 HB-39 keys are equal only if every field is, whatever delimiters the fields hold")
    func fieldsDoNotRunTogether() {
        // Few letters and short fields, so that joined fields would collide all the time.
        let letters = ["a", "b", "|", "\u{0}", "/", "=", "\u{1}", "é", "e\u{301}", ""]
        var generator = SeededGenerator(seed: 42)
        func text() -> String {
            (0..<Int.random(in: 0...3, using: &generator)).map { _ in letters.randomElement(using: &generator) ?? "" }
                .joined()
        }
        var byEncoding: [[UInt8]: [[UInt8]]] = [:]
        for _ in 0..<50_000 {
            let (url, scope, variant) = (text(), text(), text())
            let isExplicit = Bool.random(using: &generator)
            let key =
                isExplicit
                ? CacheKey.explicit(url, variant: variant) : CacheKey(url: url, scope: scope, variant: variant)
            let fields = [
                [isExplicit ? 1 : 0], Array(url.utf8), isExplicit ? [] : Array(scope.utf8), Array(variant.utf8),
            ]
            if let known = byEncoding[key.encoded] {
                #expect(known == fields)
            } else {
                byEncoding[key.encoded] = fields
            }
            let again = CacheKey(encoded: key.encoded)
            #expect(again == key)
            #expect(again?.precomputedHash == key.precomputedHash)
        }
        #expect(Set(byEncoding.values).count == byEncoding.count)
        #expect(byEncoding.count > 10_000)
    }

    @Test func twoSpellingsOfOneTextAreTwoKeys() {
        #expect(CacheKey(url: "é") != CacheKey(url: "e\u{301}"))
        #expect(Set([CacheKey(url: "é"), CacheKey(url: "e\u{301}"), CacheKey(url: "é")]).count == 2)
    }

    @Test func aVariantKnowsItsOriginal() {
        let key = CacheKey(url: "u", scope: "s", variant: "w=1")
        #expect(key.original == CacheKey(url: "u", scope: "s"))
        #expect(key.original.original == key.original)
        #expect(CacheKey.explicit("n", variant: "v").original == .explicit("n"))
    }

    @Test("K-09 the version is the first byte, and another one is not read")
    func versionIsExplicit() {
        var bytes = CacheKey(url: "u").encoded
        #expect(bytes[0] == CacheKey.formatVersion)
        bytes[0] += 1
        #expect(CacheKey(encoded: bytes) == nil)
    }

    @Test func everyCutOrLengthenedEncodingIsRefused() {
        let bytes = CacheKey(url: "https://a/b", scope: "s", variant: "w=1").encoded
        for count in 0..<bytes.count { #expect(CacheKey(encoded: Array(bytes.prefix(count))) == nil) }
        #expect(CacheKey(encoded: bytes + [0]) == nil)
    }

    @Test func selectorsSurviveTheirJSON() throws {
        let selectors: [PurgeSelector] = [
            .expired, .all, .url("u"), .host("h"), .tags(["a", "b"]), .olderThan(1.5), .toSize(7),
            .key(CacheKey(url: "u", scope: "é", variant: "v")), .key(.explicit("n")),
        ]
        let data = try JSONEncoder().encode(selectors)
        #expect(try JSONDecoder().decode([PurgeSelector].self, from: data) == selectors)
    }
}
