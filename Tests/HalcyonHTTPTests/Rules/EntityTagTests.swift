import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct EntityTagTests {
    @Test(
        "RFC 9110 §8.8.3",
        arguments: [
            ("\"xyzzy\"", "xyzzy", false), ("W/\"xyzzy\"", "xyzzy", true), ("\"\"", "", false), (" \"a\" ", "a", false),
            ("\"a,b\"", "a,b", false), ("\"a\\\"", "a\\", false), ("\"W/\"", "W/", false), ("\"사진\"", "사진", false),
        ])
    func tagsAreRead(text: String, opaque: String, isWeak: Bool) throws {
        let tag = try #require(EntityTag(text))
        #expect(tag.opaque == opaque)
        #expect(tag.isWeak == isWeak)
        #expect(EntityTag(tag.description) == tag)
    }

    @Test(arguments: [
        "", "xyzzy", "*", "'a'", "w/\"a\"", "W\"a\"", "W/", "W/a", "W /\"a\"", "\"", "\"a", "a\"", "\"a\"b",
        "\"a\" \"b\"",
        "\"a b\"", "\"a\tb\"", "\"a\u{7F}\"", "\"a\"\"",
    ])
    func whatIsNoTagIsRefused(text: String) {
        #expect(EntityTag(text) == nil)
    }

    @Test(
        "The table of RFC 9110 §8.8.3.2",
        arguments: [
            ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false),
            ("W/\"1\"", "\"1\"", false, true),
            ("\"1\"", "\"1\"", true, true),
        ])
    func comparison(left: String, right: String, strong: Bool, weak: Bool) throws {
        let (left, right) = (try #require(EntityTag(left)), try #require(EntityTag(right)))
        #expect(left.strongEquals(right) == strong && right.strongEquals(left) == strong)
        #expect(left.weakEquals(right) == weak && right.weakEquals(left) == weak)
    }

    @Test(
        "RFC 9110 §13.1.1, §13.1.2",
        arguments: [
            ("\"a\"", ["\"a\""]),
            ("\"xyzzy\", W/\"r2d2xxxx\" , \"c3piozzzz\"", ["\"xyzzy\"", "W/\"r2d2xxxx\"", "\"c3piozzzz\""]),
            ("\"a\",\"b\"", ["\"a\"", "\"b\""]), (", \"a\",, ,\t\"b\",", ["\"a\"", "\"b\""]), ("\"a,b\"", ["\"a,b\""]),
            ("\"a\\\", \"b\"", ["\"a\\\"", "\"b\""]), ("", []), ("*", []), ("a, \"b\"", ["\"b\""]),
            ("\"a\" x, \"b\"", ["\"b\""]), ("\"a", []), ("*, \"b\"", ["\"b\""]),
        ])
    func listsAreRead(text: String, tags: [String]) {
        #expect(EntityTag.list(text).map(\.description) == tags)
    }
}
