import Foundation
import HalcyonRecords
import HalcyonSQLite
import HalcyonTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct UserTests {
    let samples: Samples
    var store: RecordStore { samples.store }
    let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws { samples = try Samples() }

    private func signUp(_ email: String) async throws -> SignedIn {
        try await store.signUp(email: email, password: "correct horse 1", userName: "컴동쌤", now: now)
    }

    @Test func theFirstUserIsAnAdminTheOthersAreViewers() async throws {
        let hasUsers = try store.hasUsersBlocking()
        #expect(!hasUsers)
        #expect(try await signUp("A@School.example ").user.role == .admin)
        #expect(try await signUp("b@school.example").user.role == .viewer)
        #expect(try await store.users().map(\.email) == ["a@school.example", "b@school.example"])
        let hasUsersNow = try store.hasUsersBlocking()
        #expect(hasUsersNow)
    }

    @Test func anEmailHasOneAccount() async throws {
        _ = try await signUp("a@school.example")
        await #expect(throws: RecordError.conflict(field: "email")) { try await signUp("A@SCHOOL.example") }
    }

    @Test func signsInWithTheRightPasswordAlone() async throws {
        let user = try await signUp("a@school.example").user
        let signedIn = try await store.signIn(email: "A@school.example", password: "correct horse 1", now: now)
        #expect(signedIn.user == user)
        #expect(try await store.user(token: signedIn.token, now: now) == user)
        for (email, password) in [
            ("a@school.example", "wrong"), ("a@school.example", ""), ("a@school.example", "correct horse 1 "),
            ("b@school.example", "correct horse 1"), ("", ""),
            ("a@school.example", String(repeating: "x", count: 100_000)),
        ] {
            await #expect(throws: RecordError.notSignedIn) {
                try await store.signIn(email: email, password: password, now: now)
            }
        }
    }

    @Test func tokensExpireAndEnd() async throws {
        let signedIn = try await signUp("a@school.example")
        #expect(signedIn.expiresAt == now.addingTimeInterval(RecordStore.tokenLifetime))
        #expect(try await store.user(token: signedIn.token, now: signedIn.expiresAt.addingTimeInterval(-1)) != nil)
        #expect(try await store.user(token: signedIn.token, now: signedIn.expiresAt) == nil)
        try await store.removeToken(signedIn.token)
        #expect(try await store.user(token: signedIn.token, now: now) == nil)
        for token in ["", "x", signedIn.token + "=", String(signedIn.token.reversed())] {
            #expect(try await store.user(token: token, now: now) == nil)
        }
    }

    @Test func neitherPasswordNorTokenIsInTheFile() async throws {
        let signedIn = try await signUp("a@school.example")
        let connection = try Connection(path: samples.folder.file("records.sqlite"))
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let file = try Data(contentsOf: URL(fileURLWithPath: samples.folder.file("records.sqlite")))
        #expect(file.firstRange(of: Data("a@school.example".utf8)) != nil)
        #expect(file.firstRange(of: Data("$argon2id$".utf8)) != nil)
        #expect(file.firstRange(of: Data("correct horse 1".utf8)) == nil)
        #expect(file.firstRange(of: Data(signedIn.token.utf8)) == nil)
    }

    @Test func aNewPasswordEndsTheTokensOfTheOld() async throws {
        let signedIn = try await signUp("a@school.example")
        try await store.setPassword("another horse 2", userID: signedIn.user.id)
        #expect(try await store.user(token: signedIn.token, now: now) == nil)
        await #expect(throws: RecordError.notSignedIn) {
            try await store.signIn(email: "a@school.example", password: "correct horse 1", now: now)
        }
        _ = try await store.signIn(email: "a@school.example", password: "another horse 2", now: now)
    }

    @Test func removingAUserEndsItsTokens() async throws {
        let signedIn = try await signUp("a@school.example")
        try await store.removeUser(id: signedIn.user.id)
        #expect(try await store.user(token: signedIn.token, now: now) == nil)
        await #expect(throws: RecordError.notFound) { try await store.removeUser(id: signedIn.user.id) }
        await #expect(throws: RecordError.notFound) { try await store.setRole(.admin, userID: signedIn.user.id) }
    }

    @Test func aRoleMayDoWhatTheOnesBelowMay() async throws {
        let user = try await signUp("a@school.example").user
        try await store.setRole(.staff, userID: user.id)
        #expect(try await store.users().map(\.role) == [.staff])
        #expect(UserRole.viewer < .staff && UserRole.staff < .admin)
    }

    @Test(arguments: [
        ("school.example", "correct horse 1", "n", "email"), ("a@", "correct horse 1", "n", "email"),
        ("a@b@c", "correct horse 1", "n", "email"), ("a b@c", "correct horse 1", "n", "email"),
        ("a@b", "123456789", "n", "password"), ("a@b", String(repeating: "x", count: 257), "n", "password"),
        ("a@b", "correct horse 1", " ", "userName"),
    ])
    func refusesAndNamesTheField(email: String, password: String, userName: String, field: String) async throws {
        let error = await #expect(throws: RecordError.self) {
            try await store.signUp(email: email, password: password, userName: userName)
        }
        #expect(error?.description.hasPrefix("\(field): ") == true)
        let hasUsers = try store.hasUsersBlocking()
        #expect(!hasUsers)
    }
}
