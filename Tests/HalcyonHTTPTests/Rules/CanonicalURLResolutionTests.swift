import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct CanonicalURLResolutionTests {
    /// The tables of RFC 3986 §5.4 stand on `http://a/b/c/d;p?q`. Fragments are dropped here, and `g:h`, an absolute
    /// URL of another scheme, is refused.
    @Test(
        "HB-56 Relative references, RFC 3986 §5.4.1 and §5.4.2",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
            ("//g", "http://g/"),
            ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
            ("g#s", "http://a/b/c/g"),
            ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
            ("g;x?y#s", "http://a/b/c/g;x?y"),
            ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
            ("../", "http://a/b/"),
            ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
            ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
            ("..g", "http://a/b/c/..g"),
            ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
            ("g/../h", "http://a/b/c/h"),
            ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/./x", "http://a/b/c/g?y/./x"),
            ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g"), ("g#s/../x", "http://a/b/c/g"),
        ])
    func theTablesOfTheStandard(reference: String, expected: String) throws {
        let base = try CanonicalURL("http://a/b/c/d;p?q")
        #expect(try base.resolving(reference).text == expected)
    }

    @Test(
        "HB-56 What origins put into Location",
        arguments: [
            ("https://cdn.example/x?y#z", "https://cdn.example/x?y"),
            ("//CDN.example:8443/x", "https://cdn.example:8443/x"),
            ("/사진 1.jpg", "https://photos.example:8443/%EC%82%AC%EC%A7%84%201.jpg"),
            (" /x ", "https://photos.example:8443/x"),
            ("../s/%7e", "https://photos.example:8443/s/~"), ("HTTP://photos.example/", "http://photos.example/"),
            ("x@y", "https://photos.example:8443/a/x@y"),
            ("?next=https://h/", "https://photos.example:8443/a/b?next=https://h/"),
            ("./g:h", "https://photos.example:8443/a/g:h"), ("/a//b", "https://photos.example:8443/a//b"),
        ])
    func whatOriginsPutIntoLocation(reference: String, expected: String) throws {
        let base = try CanonicalURL("https://photos.example:8443/a/b?token=1")
        #expect(try base.resolving(reference).text == expected)
    }

    @Test(
        "HB-56 A Location is held to the same rules as any URL",
        arguments: [
            ("g:h", URLProblem.unsupportedScheme), ("file:///etc/passwd", .unsupportedScheme), ("http:g", .notAbsolute),
            ("//u@evil.example/", .userInformation), ("/\\evil.example/", .backslash),
            ("\\\\evil.example/", .backslash),
            ("/a\r\nX: y", .controlCharacter), ("///evil.example/", .missingHost), ("//0x7f.1/", .ambiguousAddress),
            ("//2130706433/", .ambiguousAddress), ("/%zz", .invalidPercentEncoding), ("//h:0/", .invalidPort),
        ])
    func aLocationIsHeldToTheSameRules(reference: String, problem: URLProblem) throws {
        let base = try CanonicalURL("https://photos.example/a/b")
        #expect(throws: problem) { try base.resolving(reference) }
    }
}
