import HalcyonCrypto
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MessageAuthenticatorTests {
    /// From Python's `hashlib.blake2b(message, digest_size=32, key=key)`, key and message counting up from zero.
    @Test(arguments: [
        (0, "2fa9fbd9be36437de204e139e97d402bce68c828f43391608c891b5faed8a98a"),
        (1, "34758b647135628297fb09c7930cd04e9528e5669112f5b1318493e14de77e55"),
        (127, "7c0bfe069b3ba04e2c88bac200999e2b1c9ef2f96f9ffa69b665efca9230c9ab"),
        (128, "6a591b356f19ca93ae2bcc7406653ff34aea53cea58bec62803e571d94944165"),
        (129, "20f607da31ed9652deecf4ef78905d4916ba6f5df37bfc4b610d50ba5447623a"),
        (255, "fe7b76a61787c089141f9e10fca1e5092488d89c62ea793fb2c5b1f849b4f2cb"),
    ])
    func codesAreKeyedBLAKE2b(messageBytes: Int, expected: String) throws {
        let authenticator = try MessageAuthenticator(key: counting(64))
        #expect(Hex.encode(authenticator.code(for: counting(messageBytes))) == expected)
    }

    @Test func codesOfTheShortestKeyAreKeyedBLAKE2bToo() throws {
        let authenticator = try MessageAuthenticator(key: counting(32))
        let code = authenticator.code(for: Array("halcyon".utf8))
        #expect(Hex.encode(code) == "ab59f93fcff367666665d320e9ffe7805e1072b0986a00c31d94755c2c4546ad")
    }

    /// From `hashlib.blake2b(b"abc", digest_size=32)`.
    @Test func digestsAreBLAKE2bWithoutKey() {
        let digest = Digest(of: Array("abc".utf8))
        #expect(digest.hex == "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319")
    }

    @Test func anyChangeOfCodeOrMessageIsNoticed() throws {
        let authenticator = try MessageAuthenticator(key: counting(32))
        let message = Array("url".utf8)
        let code = authenticator.code(for: message)
        #expect(authenticator.isValid(code, for: message))
        #expect(!authenticator.isValid(code, for: message + [0]))
        #expect(!authenticator.isValid(Array(code.dropLast()), for: message))
        #expect(!authenticator.isValid(code + [0], for: message))
        #expect(!authenticator.isValid([], for: message))
        for bit in 0..<256 {
            var altered = code
            altered[bit / 8] ^= 1 << (bit % 8)
            #expect(!authenticator.isValid(altered, for: message))
        }
    }

    @Test(arguments: [0, 1, 31])
    func shortKeysAreRefused(bytes: Int) {
        #expect(throws: CryptoError.keyTooShort(bytes: bytes)) { try MessageAuthenticator(key: counting(bytes)) }
    }

    @Test func keysLongerThanBLAKE2bTakesAreRefused() {
        #expect(throws: CryptoError.keyTooLong(bytes: 65)) { try MessageAuthenticator(key: counting(65)) }
    }

    @Test func equalityLooksAtEveryByteAndTheLength() {
        #expect(constantTimeEquals([], []))
        #expect(constantTimeEquals([1, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEquals([1, 2, 3], [1, 2, 4]))
        #expect(!constantTimeEquals([0, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEquals([1, 2], [1, 2, 3]))
    }

    @Test func randomBytesDoNotRepeat() {
        let drawn = Set((0..<100).map { _ in SecureRandom.bytes(16) })
        #expect(drawn.count == 100)
        #expect(SecureRandom.bytes(0).isEmpty)
    }

    private func counting(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0) } }
}
