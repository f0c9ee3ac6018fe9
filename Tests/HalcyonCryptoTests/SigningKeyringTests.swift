import Foundation
import HalcyonCrypto
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SigningKeyringTests {
    private let old = SecureRandom.bytes(32)
    private let new = SecureRandom.bytes(48)
    private let message = Array("https://photos.school.example/1.jpg".utf8)

    @Test func theFirstKeySignsAndEveryKeyVerifies() throws {
        let before = try SigningKeyring(keys: [old])
        let during = try SigningKeyring(keys: [new, old])
        let after = try SigningKeyring(keys: [new])

        #expect(during.isValid(before.sign(message), for: message))
        #expect(during.sign(message) == after.sign(message))
        #expect(!after.isValid(before.sign(message), for: message))
        #expect(!before.isValid(after.sign(message), for: message))
    }

    @Test func hexadecimalAndBase64URLAreTheSameKey() throws {
        let signature = try SigningKeyring(keys: [old]).sign(message)
        for text in [Hex.encode(old), Hex.encode(old).uppercased(), Base64URL.encode(old)] {
            #expect(try SigningKeyring(parsing: text).sign(message) == signature)
        }
    }

    @Test func commentsBlankLinesAndWindowsLineEndsDoNotCount() throws {
        let text = "# since May\r\n\r\n  \(Hex.encode(new))  # spring\r\n\t\(Base64URL.encode(old))\r\n"
        let keyring = try SigningKeyring(parsing: text)
        #expect(keyring.count == 2)
        #expect(try keyring.sign(message) == SigningKeyring(keys: [new]).sign(message))
        #expect(try keyring.isValid(SigningKeyring(keys: [old]).sign(message), for: message))
    }

    @Test(arguments: [
        ("", CryptoError.noKeys),
        ("# nothing here\n\n", .noKeys),
        ("secret!", .unreadableKey(line: 1)),
        ("\npassw0rd", .keyLength(line: 2, bytes: 6)),
        (String(repeating: "00", count: 31), .keyLength(line: 1, bytes: 31)),
        (String(repeating: "00", count: 65), .keyLength(line: 1, bytes: 65)),
        (String(repeating: "00", count: 32), .keyNotRandom(line: 1)),
        (String(repeating: "0123", count: 16), .keyNotRandom(line: 1)),
        ("a b", .unreadableKey(line: 1)),
    ])
    func whatIsNotAKeyIsRefusedWithItsLine(text: String, expected: CryptoError) {
        #expect(throws: expected) { try SigningKeyring(parsing: text) }
    }

    @Test func theSameKeyTwiceIsAMistake() {
        #expect(throws: CryptoError.duplicateKey(line: 2)) {
            try SigningKeyring(parsing: "\(Hex.encode(old))\n\(Base64URL.encode(old))")
        }
    }

    @Test func noKeysMeansNoKeyring() {
        #expect(throws: CryptoError.noKeys) { try SigningKeyring(keys: []) }
    }

    @Test func messagesSayWhatIsAccepted() {
        let description = CryptoError.keyLength(line: 3, bytes: 6).description
        #expect(description.contains("line 3"))
        #expect(description.contains("32 to 64"))
        #expect(description.contains("hexadecimal or base64url"))
    }

    @Test func aFileIsReadAndLoosePermissionsAreWarnedOf() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("halcyon-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        let path = folder.appendingPathComponent("keys").path
        try Hex.encode(old).write(toFile: path, atomically: false, encoding: .utf8)

        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let keyring = try SigningKeyring.read(contentsOf: path)
        #expect(try keyring.sign(message) == SigningKeyring(keys: [old]).sign(message))
        #expect(keyring.warnings.isEmpty)

        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(try SigningKeyring.read(contentsOf: path).warnings.count == 1)

        try String(repeating: "#", count: 65 * 1024).write(toFile: path, atomically: false, encoding: .utf8)
        #expect(throws: CryptoError.fileTooLarge(path: path, limitBytes: 65536)) {
            try SigningKeyring.read(contentsOf: path)
        }
        #expect(throws: CryptoError.noFile(bytes: path.utf8.count + 1, reason: "No such file or directory")) {
            try SigningKeyring.read(contentsOf: path + "2")
        }
        #expect(throws: CryptoError.unreadableFile(path: folder.path, reason: "Is a directory")) {
            try SigningKeyring.read(contentsOf: folder.path)
        }
    }
}
