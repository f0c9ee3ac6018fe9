import Foundation
import HalcyonCrypto
import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct ImageURLSignerTests {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let keys = (1...3).map { number in (0..<32).map { UInt8(truncatingIfNeeded: $0 * 7 + number) } }

    static func signer(_ keys: [UInt8]...) throws -> ImageURLSigner {
        ImageURLSigner(keyring: try SigningKeyring(keys: keys))
    }

    /// The two segments after `/images/`, and the query.
    static func parts(_ path: String) throws -> (signature: String, url: String, query: String) {
        let halves = path.split(separator: "?", maxSplits: 1)
        let segments = halves[0].split(separator: "/").map(String.init)
        try #require(segments.count == 3 && segments[0] == "images")
        return (segments[1], segments[2], halves.count == 2 ? String(halves[1]) : "")
    }

    /// RFC 4648 §5 alphabet: nothing in the path needs escaping, so every form of a URL survives byte for byte.
    @Test(
        "K-11 signer and verifier agree on every form of a URL",
        arguments: [
            "https://h.example/a.jpg", "https://h.example/a b.jpg", "https://h.example/a%20b.jpg",
            "https://h.example/a+b.jpg",
            "https://h.example/a%2Bb.jpg", "https://h.example/%e3%81%82", "https://h.example/%E3%81%82",
            "https://h.example/김.jpg",
            "https://h.example/e\u{301}.jpg", "https://h.example/\u{e9}.jpg", "https://h.example/?a=",
            "https://h.example/?a",
            "https://h.example/?a=1&a=2", "https://h.example/?a=2&a=1", "https://h.example/?", "https://h.example/#x",
            "https://h.example:443/", "https://H.EXAMPLE/", "https://h.example", "https://h.example/a/../b",
            "https://h.example/a//b", "https://h.example/?q=a%26b", "https://h.example/?q=a&b",
            "https://h.example/?q=a;b",
            "https://h.example/~u", "https://h.example/%7Eu", "https://[::1]/",
            "http://h.example/?url=https%3A%2F%2Fx%2F",
            "https://h.example/?q=%00", "https://h.example/v1.0.AAAA",
        ])
    func urlsRoundTrip(url: String) throws {
        let signer = try Self.signer(Self.keys[0])
        let path = signer.path(forURL: url, expiresAt: Self.now.addingTimeInterval(60))
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./")
        #expect(path.allSatisfy { allowed.contains($0) })
        let parts = try Self.parts(path)
        let verified = try signer.verify(signature: parts.signature, encodedURL: parts.url, now: Self.now)
        #expect(Array(verified.url.utf8) == Array(url.utf8))
        #expect(verified.validUntil == 1_800_000_060)
        // Another spelling of the same place is another URL.
        let other = Base64URL.encode(Array((url + "/").utf8))
        #expect(throws: ImageURLSigner.Refusal.invalid) {
            try signer.verify(signature: parts.signature, encodedURL: other, now: Self.now)
        }
    }

    /// Computed with Python's hashlib: blake2b(message, digest_size=32, key=key), fields with 4-byte lengths before them.
    @Test func theCodeIsKeyedBlake2bOverLengthDelimitedFields() throws {
        let signer = try Self.signer(Self.keys[0])
        let path = signer.path(
            forURL: "https://h.example/a.jpg", variant: "w=128", expiresAt: Date(timeIntervalSince1970: 1_800_000_060))
        #expect(path == ImageURLSignerTests.expectedPath)
    }

    static let expectedPath =
        "/images/v1.1800000060.AEVVOkzHzjp8m3HbuCKBXfrJkin4lh4QZ2HYiOho0bA/aHR0cHM6Ly9oLmV4YW1wbGUvYS5qcGc?w=128"

    @Test("R-12 nothing moves from one signed field to the next")
    func fieldsAreDelimited() throws {
        let signer = try Self.signer(Self.keys[0])
        let parts = try Self.parts(signer.path(forURL: "https://h.example/ab", variant: "w=1", expiresAt: nil))
        for (url, variant) in [
            ("https://h.example/a", "bw=1"), ("https://h.example/abw", "=1"), ("https://h.example/ab", ""),
        ] {
            #expect(throws: ImageURLSigner.Refusal.invalid) {
                try signer.verify(
                    signature: parts.signature, encodedURL: Base64URL.encode(Array(url.utf8)), variant: variant,
                    now: Self.now)
            }
        }
        #expect(
            try signer.verify(signature: parts.signature, encodedURL: parts.url, variant: "w=1", now: Self.now)
                .validUntil == .max)
    }

    @Test func expiryIsPartOfWhatIsSigned() throws {
        let signer = try Self.signer(Self.keys[0])
        let parts = try Self.parts(signer.path(forURL: "https://h.example/", expiresAt: Self.now))
        #expect(throws: ImageURLSigner.Refusal.expired) {
            try signer.verify(signature: parts.signature, encodedURL: parts.url, now: Self.now)
        }
        let later = parts.signature.replacingOccurrences(of: "1800000000", with: "1900000000")
        for forged in [
            later, later.replacingOccurrences(of: "v1.", with: "v1.0"), "v1.0." + parts.signature.suffix(43),
        ] {
            #expect(throws: ImageURLSigner.Refusal.invalid) {
                try signer.verify(signature: forged, encodedURL: parts.url, now: Self.now)
            }
        }
    }

    @Test func keysRotate() throws {
        let url = "https://h.example/a"
        let old = try Self.parts(Self.signer(Self.keys[0]).path(forURL: url, expiresAt: nil))
        let rotated = try Self.signer(Self.keys[1], Self.keys[0])
        #expect(try rotated.verify(signature: old.signature, encodedURL: old.url, now: Self.now).url == url)
        let new = try Self.parts(rotated.path(forURL: url, expiresAt: nil))
        #expect(
            try Self.signer(Self.keys[1]).verify(signature: new.signature, encodedURL: new.url, now: Self.now).url
                == url)
        #expect(throws: ImageURLSigner.Refusal.invalid) {
            try Self.signer(Self.keys[2]).verify(signature: new.signature, encodedURL: new.url, now: Self.now)
        }
    }

    @Test(arguments: [
        "", "v1", "v1.0", "v1..", "v2.0.AAAA", "v1.0.", "v1.-1.AAAA", "v1.+1.AAAA", "v1.01.AAAA", "v1.0.A.B",
    ])
    func malformedSignaturesAreRefused(signature: String) throws {
        let signer = try Self.signer(Self.keys[0])
        #expect(throws: ImageURLSigner.Refusal.invalid) {
            try signer.verify(signature: signature, encodedURL: "aHR0cDovL2g", now: Self.now)
        }
    }
}
