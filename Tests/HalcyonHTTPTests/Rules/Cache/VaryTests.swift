import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct VaryTests {
    private func selection(_ name: String, _ values: String...) -> [String] {
        Vary.selection([name], HTTPFields(values.map { (name, $0) }))
    }

    @Test("RFC 9111 §4.1: lines of a field are one list, and whitespace between its members says nothing")
    func linesAreJoined() {
        #expect(selection("foo", "1, 2") == selection("foo", "1", " 2"))
        #expect(selection("foo", "1, 2") != selection("foo", "2, 1"))
        #expect(selection("foo", "a") != selection("foo", "A"))
        #expect(selection("foo") != selection("foo", ""))
    }

    @Test("RFC 9110 §12.5.4: languages have no case, and weights alone say which is preferred")
    func languagesHaveNeitherCaseNorOrder() {
        let one = selection("accept-language", "en, de;q=0.5")
        #expect(one == selection("accept-language", "DE ; q=0.5,  eN"))
        #expect(one != selection("accept-language", "en;q=0.5, de"))
        #expect(one != selection("accept-language", "en"))
    }

    @Test("RFC 9110 §12.5.5: a star among other names is a star")
    func aStarIsForAnything() {
        #expect(Vary([("Vary", "a, *")]) == .anything)
        #expect(Vary([("Vary", "B, a"), ("Vary", "b")]) == .fields(["a", "b"]))
        #expect(Vary([]) == .fields([]))
    }
}
