import HalcyonCrypto
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PasswordHashTests {
    @Test func verifiesOnlyThePasswordItWasMadeOf() throws {
        let hash = try PasswordHash.hash("정확한 말 1")
        #expect(hash.hasPrefix("$argon2id$v=19$m=65536,t=2,p=1$"))
        #expect(PasswordHash.verify("정확한 말 1", against: hash))
        for other in ["", "정확한 말", "정확한 말 1 ", "정확한 말 1\0"] { #expect(!PasswordHash.verify(other, against: hash)) }
        #expect(try PasswordHash.hash("정확한 말 1") != hash)
    }

    /// Made with argon2-cffi, which wraps the reference implementation: two passes, 64 MiB, one lane, salt `saltsaltsaltsalt`.
    @Test func verifiesAHashOfTheReferenceImplementation() {
        let hash = "$argon2id$v=19$m=65536,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$Kb9HswzP6kzNd+TdLIpnGlDk3q7snLxnxxKRTC9fbfU"
        #expect(PasswordHash.verify("correct horse 1", against: hash))
        #expect(!PasswordHash.verify("correct horse 2", against: hash))
    }

    @Test(arguments: ["", "x", "$argon2id$v=19$m=65536,t=2,p=1$", String(repeating: "$", count: 1000)])
    func aTextThatIsNoHashVerifiesNothing(hash: String) {
        #expect(!PasswordHash.verify("", against: hash))
    }
}
