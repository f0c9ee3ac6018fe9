import HalcyonCrypto
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EncodingTests {
    /// RFC 4648 §10 without padding.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func base64URLFollowsTheVectorsOfRFC4648(plain: String, encoded: String) {
        #expect(Base64URL.encode(Array(plain.utf8)) == encoded)
        #expect(Base64URL.decode(encoded) == Array(plain.utf8))
    }

    /// RFC 4648 §5: the 62nd and 63rd characters.
    @Test func base64URLUsesTheURLSafeAlphabet() {
        #expect(Base64URL.encode([0xFB, 0xFF, 0xBF]) == "-_-_")
        #expect(Base64URL.decode("-_-_") == [0xFB, 0xFF, 0xBF])
    }

    @Test(
        "a second spelling of the same bytes is refused",
        arguments: ["Zg==", "Zg=", "Zh", "Zm9", "Z", "Zm9vY", "Zm 9v", "Zm9v\n", "+/+/", "Zé"]
    )
    func base64URLDecodesOneSpellingOnly(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func everyByteSurvivesTheWayThroughBase64URLAndHex() {
        for length in 0...70 {
            let bytes = SecureRandom.bytes(length)
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
            #expect(Hex.decode(Hex.encode(bytes)) == bytes)
        }
    }

    @Test(arguments: ["0", "0g", "0x00", " 00", "é"])
    func hexRefusesWhatIsNotPairsOfDigits(text: String) {
        #expect(Hex.decode(text) == nil)
    }

    @Test func lengthDelimitedFieldsAreFramedBigEndian() {
        #expect(LengthDelimited.encode([]) == [])
        #expect(LengthDelimited.encode([[], [7, 8]]) == [0, 0, 0, 0, 0, 0, 0, 2, 7, 8])
        #expect(LengthDelimited.encode([[UInt8](repeating: 9, count: 0x102)]).prefix(4) == [0, 0, 1, 2])
    }

    @Test("R-12 moving bytes from one field to the next gives another message")
    func lengthDelimitedIsInjective() {
        let spellings: [[String]] = [
            ["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""], ["", "abc"], ["a", "b", "c"], [], [""], ["", ""],
        ]
        let encoded = Set(spellings.map { LengthDelimited.encode($0.map { Array($0.utf8) }) })
        #expect(encoded.count == spellings.count)
    }
}
