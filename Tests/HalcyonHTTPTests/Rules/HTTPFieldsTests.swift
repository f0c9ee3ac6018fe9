import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct HTTPFieldsTests {
    @Test("Names are found in any case (RFC 9110 §5.1)")
    func namesAreFoundInAnyCase() {
        let fields: HTTPFields = [("ETag", "\"a\"")]
        #expect(fields["etag"] == "\"a\"")
        #expect(fields["ETAG"] == "\"a\"")
        #expect(fields["e-tag"] == nil)
        #expect(fields == [("eTaG", "\"a\"")])
        #expect(Set([fields, [("ETAG", "\"a\"")]]).count == 1)
    }

    @Test("Field lines are joined in order with a comma and a space (RFC 9110 §5.3)")
    func fieldLinesAreJoinedInOrder() {
        let fields: HTTPFields = [("Vary", "Accept"), ("Age", "1"), ("vary", "Accept-Language")]
        #expect(fields["Vary"] == "Accept, Accept-Language")
        #expect(fields.values(of: "VARY") == ["Accept", "Accept-Language"])
        #expect(fields.first("vary") == "Accept")
    }

    @Test func settingReplacesAllLinesWhereTheFirstStood() {
        var fields: HTTPFields = [("A", "1"), ("B", "2"), ("a", "3"), ("C", "4")]
        fields["a"] = "5"
        #expect(fields == [("a", "5"), ("B", "2"), ("C", "4")])
        fields["A"] = nil
        #expect(fields == [("B", "2"), ("C", "4")])
        fields["D"] = "6"
        fields.append("b", "7")
        #expect(fields.lines.map(\.name) == ["B", "C", "D", "b"])
        fields.remove("B")
        #expect(!fields.contains("b"))
    }

    @Test(
        "Whitespace round a value is not part of it; CR, LF and NUL become spaces (RFC 9110 §5.5)",
        arguments: [
            (" \t a b \t", "a b"), ("", ""), ("  ", ""), ("a\r\nSet-Cookie: x", "a  Set-Cookie: x"), ("a\0b", "a b"),
            ("a\n", "a"), ("사진", "사진"),
        ])
    func valuesCannotBeginAnotherLine(given: String, kept: String) {
        #expect(HTTPFields([("X", given)])["X"] == kept)
    }
}
