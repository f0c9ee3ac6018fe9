import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct StructuredDictionaryTests {
    private typealias Value = StructuredDictionary.Value

    private func members(_ text: String) -> [String]? {
        StructuredDictionary(text)?.members.map { "\($0.name)=\($0.value)" }
    }

    @Test(
        "RFC 8941 §4.2.2: what a dictionary holds",
        arguments: [
            ("", []), ("  a  ", ["a=boolean(true)"]), ("a=1,b=?0", ["a=integer(1)", "b=boolean(false)"]),
            ("a=-5\t,\tb;x=1;y", ["a=integer(-5)", "b=boolean(true)"]),
            ("a=1, b=2, a=3", ["b=integer(2)", "a=integer(3)"]),
            ("a=\"x\\\"y\\\\\"", ["a=string(\"x\\\"y\\\\\")"]),
            (
                "a=1.5, b=tok/en, c=:aGk=:, d=(1 \"x\";q=1)",
                [
                    "a=other", "b=other", "c=other", "d=other",
                ]
            ), ("*k_-.*=999999999999999", ["*k_-.*=integer(999999999999999)"]), ("a=()", ["a=other"]),
        ])
    func whatIsRead(text: String, expected: [String]) {
        #expect(members(text) == expected)
    }

    @Test(
        "RFC 8941 §4.2: what is not all valid is nothing",
        arguments: [
            "a,", "a=", "A", "A=1", "a b", "a=1 b=2", ",a", "a,,b", "a=1;", "a=1;B", "a=\"x", "a=\"\\x\"",
            "a=\"\u{e9}\"",
            "a=1.", "a=.5", "a=1.2345", "a=1234567890123456", "a=?2", "a=:x", "a=(1", "a=(1\t2)", "a=(1,2)", "a==1",
            "a = 1",
            "1=a", "a=--1", "a=1234567890123.1",
        ])
    func whatIsRefused(text: String) {
        #expect(members(text) == nil)
    }
}
