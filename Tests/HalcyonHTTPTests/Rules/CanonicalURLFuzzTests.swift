import CCurl
import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct CanonicalURLFuzzTests {
    private static let pieces = [
        "http", "https", "://", ":", "/", "//", "?", "#", "@", "\\", "\t", "\0", "\n", " ", ".", "..", "/./", "/../",
        "%", "%2e", "%2E",
        "%2f", "%41", "%25", "%zz", "%E0", "a", "B", "example.com", "EXAMPLE", "xn--", "-", "_", "~", "1", "0x7f",
        "127.0.0.1", "0177",
        ":80", ":443", ":0", ":65536", "[::1]", "[", "]", "[2001:DB8::]", "사진", "é", "\u{FF0F}", "\u{2028}", "&", "=",
        "a=b", "+", "|",
        "\"", "<", "{", ";", ",", "'", "*", "$",
    ]

    private func text(_ generator: inout SplitMix) -> String {
        if Int.random(in: 0...3, using: &generator) == 0 {
            let count = Int.random(in: 0...40, using: &generator)
            return String(
                decoding: (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }, as: UTF8.self)
        }
        let start =
            ["http://", "https://", "http://h/", "https://photos.example/", ""].randomElement(using: &generator) ?? ""
        let count = Int.random(in: 0...7, using: &generator)
        return start + (0..<count).compactMap { _ in Self.pieces.randomElement(using: &generator) }.joined()
    }

    @Test("HB-45 The canonical form of a canonical form is itself, and printable ASCII")
    func canonicalFormsAreFixedPoints() throws {
        var generator = SplitMix(seed: 3986)
        var accepted: [CanonicalURL] = []
        for _ in 0..<8000 {
            let given = text(&generator)
            guard let url = url(given) else { continue }
            accepted.append(url)
            #expect(url.text.utf8.allSatisfy { 0x21..<0x7F ~= $0 }, "\(given)")
            #expect(url.target.hasPrefix("/") && !url.text.contains("#") && !url.host.contains("@"), "\(given)")
            let again = try CanonicalURL(url.text)
            #expect(again == url && again.host == url.host && again.port == url.port && again.target == url.target)
            #expect(try CanonicalURL(url.origin + url.target) == url)
            #expect(try url.resolving("") == url && url.resolving(url.text) == url)
        }
        #expect(accepted.count > 1500, "the test would prove little")
    }

    @Test("HB-56 Resolving any text on any URL gives a fixed point or a refusal")
    func resolvingGivesAFixedPointOrARefusal() throws {
        var generator = SplitMix(seed: 54)
        let bases = try ["http://a/b/c/d;p?q", "https://[2001:db8::1]:8443/", "http://h//x//?y"].map {
            try CanonicalURL($0)
        }
        var resolved = 0
        for _ in 0..<6000 {
            guard let base = bases.randomElement(using: &generator) else { continue }
            let reference = text(&generator)
            do throws(URLProblem) {
                let url = try base.resolving(reference)
                resolved += 1
                #expect(try CanonicalURL(url.text) == url, "\(reference)")
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
        #expect(resolved > 1000, "the test would prove little")
    }

    @Test("R-01 libcurl, which connects, reads the same host, port and path from every canonical form")
    func libcurlReadsTheSameHost() throws {
        var generator = SplitMix(seed: 1)
        let handle = try #require(curl_url())
        defer { curl_url_cleanup(handle) }
        var compared = 0
        for _ in 0..<8000 {
            guard let url = url(text(&generator)) else { continue }
            compared += 1
            #expect(curl_url_set(handle, CURLUPART_URL, url.text, UInt32(CURLU_PATH_AS_IS)) == CURLUE_OK, "\(url.text)")
            let host = part(CURLUPART_HOST, of: handle)
            #expect(host == (url.host.contains(":") ? "[\(url.host)]" : url.host), "\(url.text)")
            #expect(part(CURLUPART_PORT, of: handle, flags: CURLU_DEFAULT_PORT) == "\(url.port)", "\(url.text)")
            #expect(part(CURLUPART_SCHEME, of: handle) == url.scheme, "\(url.text)")
            let path = url.target.prefix { $0 != "?" }
            #expect(part(CURLUPART_PATH, of: handle) ?? "" == path, "\(url.text)")
        }
        #expect(compared > 1500, "the test would prove little")
    }

    private func url(_ text: String) -> CanonicalURL? {
        do throws(URLProblem) { return try CanonicalURL(text) } catch { return nil }
    }

    private func part(_ part: CURLUPart, of handle: OpaquePointer, flags: Int32 = 0) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &value, UInt32(flags)) == CURLUE_OK, let value else { return nil }
        defer { curl_free(value) }
        return String(cString: value)
    }
}
