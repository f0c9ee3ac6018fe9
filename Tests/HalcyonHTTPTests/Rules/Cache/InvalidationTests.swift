import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct InvalidationTests {
    private func targets(_ method: String, _ status: Int, _ fields: HTTPFields = []) throws -> [String] {
        let url = try CanonicalURL("http://a.example/dir/p?q")
        return Invalidation.targets(method: method, url: url, status: status, fields: fields).map(\.text)
    }

    private static let own = "http://a.example/dir/p?q"

    @Test(
        "RFC 9111 §4.4: a non-error answer to an unsafe method, or to one that is not known, makes the target invalid",
        arguments: ["POST", "PUT", "DELETE", "PATCH", "FOO", "get"])
    func unsafeMethods(method: String) throws {
        for status in [200, 201, 204, 299, 301, 303, 399] { #expect(try targets(method, status) == [Self.own]) }
        for status in [400, 404, 412, 500, 503, 199] { #expect(try targets(method, status).isEmpty) }
    }

    @Test("RFC 9111 §4.4: safe methods make nothing invalid", arguments: ["GET", "HEAD", "OPTIONS", "TRACE"])
    func safeMethods(method: String) throws {
        #expect(try targets(method, 200, [("Location", "/x")]).isEmpty)
    }

    @Test(
        "RFC 9111 §4.4: what Location and Content-Location name goes too, of the same origin and no other",
        arguments: ["Location", "Content-Location"])
    func locations(name: String) throws {
        #expect(try targets("POST", 201, [(name, "n")]) == [Self.own, "http://a.example/dir/n"])
        #expect(try targets("POST", 201, [(name, "http://A.example:80/x")]) == [Self.own, "http://a.example/x"])
        #expect(try targets("POST", 201, [(name, Self.own)]) == [Self.own])
        for other in [
            "https://a.example/x", "http://b.example/x", "http://a.example:8080/x", "//b.example/x", "http://[", "",
        ] {
            #expect(try targets("POST", 201, [(name, other)]) == [Self.own])
        }
    }
}
