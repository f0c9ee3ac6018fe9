import Foundation
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

    @Test(
        "RFC 9110 §12.5.4: what is in the language that a request wants most is for it, whatever else it would take",
        arguments: [
            ("fr;q=0.5, de;q=1.0", true), ("DE", true), ("de;q=0.1, fr;q=0.01", true), ("de, fr", true),
            ("en, de", true), ("fr, de;q=0.9", false), ("fr", false), ("*", false), ("de;q=0", false),
            ("de;q=2", false), ("de;level=1", false), ("de-AT", false), ("", false),
        ])
    func aLanguageSelects(request: String, isServed: Bool) {
        let stored: HTTPFields = [("Content-Language", "de"), ("Vary", "Accept-Language")]
        let response = StoredResponse(
            status: 200, fields: stored, requestTime: .distantPast, responseTime: .distantPast,
            varyNames: ["accept-language"],
            selection: Vary.selection(["accept-language"], [("Accept-Language", "en, de")], response: stored))
        #expect(response.isSelected(by: [("Accept-Language", request)]) == isServed)
        #expect(!response.isSelected(by: []))
    }

    @Test("RFC 9111 §4.1: a response in another language than the one wanted most is for the same text alone")
    func anotherLanguageSelectsNothing() {
        let names = ["accept-language", "foo"]
        let request: HTTPFields = [("Accept-Language", "en, de;q=0.5"), ("Foo", "1")]
        for language in ["de", "fr", "en, de", ""] {
            let selection = Vary.selection(names, request, response: [("Content-Language", language)])
            #expect(selection == Vary.selection(names, request))
        }
        let selection = Vary.selection(names, request, response: [("Content-Language", "en")])
        #expect(Vary.selections(names, [("Accept-Language", "EN"), ("Foo", "1")]).contains(selection))
        #expect(!Vary.selections(names, [("Accept-Language", "EN"), ("Foo", "2")]).contains(selection))
    }

    @Test("RFC 9110 §12.5.5: a star among other names is a star")
    func aStarIsForAnything() {
        #expect(Vary([("Vary", "a, *")]) == .anything)
        #expect(Vary([("Vary", "B, a"), ("Vary", "b")]) == .fields(["a", "b"]))
        #expect(Vary([]) == .fields([]))
    }
}
