import Foundation
import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct FresheningTests {
    private static let then = Date(timeIntervalSince1970: 784_111_777)

    private func response(_ fields: HTTPFields, made seconds: Double = 0) -> StoredResponse {
        var fields = fields
        fields.append("Date", HTTPDate.format(Self.then + seconds))
        return StoredResponse(
            status: 200, fields: fields, requestTime: Self.then + seconds, responseTime: Self.then + seconds)
    }

    private func freshened(_ old: HTTPFields, by new: HTTPFields) -> StoredResponse {
        response(old).freshened(by: new, requestTime: Self.then + 9, responseTime: Self.then + 10)
    }

    @Test("RFC 9111 §3.2: what a 304 says takes the place of what was stored, and the rest stays")
    func fieldsAreReplaced() {
        let fresh = freshened(
            [("Cache-Control", "max-age=1"), ("A", "1"), ("A", "2"), ("B", "3"), ("Set-Cookie", "old=1")],
            by: [
                ("cache-control", "max-age=600"), ("a", "4"), ("C", "5"), ("Set-Cookie", "n=1"), ("Set-Cookie", "m=2"),
            ])
        #expect(fresh.fields["Cache-Control"] == "max-age=600")
        #expect(fresh.fields.values(of: "A") == ["4"])
        #expect(fresh.fields["B"] == "3")
        #expect(fresh.fields["C"] == "5")
        #expect(fresh.fields.values(of: "Set-Cookie") == ["n=1", "m=2"])
    }

    @Test(
        "RFC 9111 §3.2: what describes the stored bytes never changes",
        arguments: ["Content-Encoding", "Content-Type", "Content-Range", "Content-Length"])
    func fieldsOfTheContentStay(name: String) {
        #expect(freshened([(name, "old")], by: [(name, "new")]).fields[name] == "old")
        #expect(freshened([], by: [(name, "new")]).fields[name] == nil)
    }

    @Test("RFC 9111 §4.2.3: the age starts anew with the 304")
    func theAgeStartsAnew() {
        let fresh = freshened([("Age", "500"), ("Cache-Control", "max-age=600")], by: [])
        #expect(fresh.age(at: Self.then + 10) == 1)
        #expect(fresh.fields["Date"] == HTTPDate.format(Self.then + 10))
        #expect(freshened([("Age", "500")], by: [("Age", "7")]).age(at: Self.then + 10) == 8)
    }

    @Test(
        "RFC 9111 §4.3.4: a strong tag selects the responses that have it, a weak one the most recent, none the one asked for",
        arguments: [
            ("\"a\"", 0), ("\"b\"", 1), ("W/\"c\"", 3), ("\"z\"", nil), (nil, 0),
        ] as [(String?, Int?)])
    func selection(tag: String?, index: Int?) {
        let stored = [
            response([("ETag", "\"a\"")], made: 4), response([("ETag", "\"b\"")]), response([("ETag", "W/\"c\"")]),
            response([("ETag", "W/\"c\"")], made: 2),
        ]
        var fields = HTTPFields()
        fields["ETag"] = tag
        #expect(StoredResponse.selected(by: fields, of: stored, asked: 0) == index)
    }

    @Test("RFC 9111 §4.3.4: a date selects what has it; with a single response without a tag it is that one")
    func selectionByDate() {
        let date = HTTPDate.format(Self.then - 100)
        let other = HTTPDate.format(Self.then - 50)
        let stored = [response([("Last-Modified", date)]), response([("Last-Modified", other)])]
        #expect(StoredResponse.selected(by: [("Last-Modified", date)], of: stored, asked: 0) == 0)
        #expect(StoredResponse.selected(by: [("Last-Modified", other)], of: stored, asked: 0) == nil)
        #expect(StoredResponse.selected(by: [("ETag", "\"n\"")], of: [response([])], asked: 0) == 0)
        #expect(StoredResponse.selected(by: [("ETag", "\"n\"")], of: [response([("ETag", "\"o\"")])], asked: 0) == nil)
    }

    @Test(
        "RFC 9111 §4.3.5: a HEAD whose tag, date or length differ shows another representation",
        arguments: [
            ([("ETag", "\"a\""), ("Content-Length", "5")], true), ([("ETag", "\"b\"")], false),
            ([("Content-Length", "6")], false), ([("Last-Modified", "x")], false), ([], true),
            ([("X-New", "1")], true),
        ] as [([(String, String)], Bool)])
    func comparedWithAHead(lines: [(String, String)], isSame: Bool) {
        let stored = response([("ETag", "\"a\""), ("Content-Length", "5"), ("Last-Modified", "y")])
        #expect(stored.isSame(asHead: HTTPFields(lines)) == isSame)
    }
}
