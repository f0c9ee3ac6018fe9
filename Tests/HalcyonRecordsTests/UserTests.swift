import Foundation
import HalcyonSQLite
import HalcyonTestSupport
import Testing

@testable import HalcyonRecords

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
        _ = try await signUp("admin@school.example")
        let signedIn = try await signUp("a@school.example")
        try await store.removeUser(id: signedIn.user.id)
        #expect(try await store.user(token: signedIn.token, now: now) == nil)
        await #expect(throws: RecordError.notFound) { try await store.removeUser(id: signedIn.user.id) }
        await #expect(throws: RecordError.notFound) { try await store.updateUser(id: signedIn.user.id, role: .admin) }
    }

    @Test func thePostsOfARemovedUserAreToldToBeGone() async throws {
        _ = try await signUp("admin@school.example")
        let user = try await signUp("a@school.example").user
        let draft = ExerciseDraft(
            exTime: "30", exIntensity: "high", exEvalu: "good", exComment: "", certiSport: "swimming")
        _ = try await store.addPost(authorID: user.id, draft: draft, now: now)
        let last = try await store.lastJournalEntry()
        let post = try await store.journal(after: last - 1, limit: 1).first?.change
        try await store.removeUser(id: user.id)
        let record = try #require(post?.record)
        #expect(
            try await store.journal(after: last, limit: 9).map(\.change) == [
                RecordChange(.posts, .removed, record: record, scope: "\(user.id)"),
                RecordChange(.users, .removed, record: user.id),
            ])
    }

    @Test func aRoleMayDoWhatTheOnesBelowMay() async throws {
        _ = try await signUp("admin@school.example")
        let user = try await signUp("a@school.example").user
        try await store.updateUser(id: user.id, role: .staff)
        #expect(try await store.users().map(\.role) == [.admin, .staff])
        #expect(UserRole.viewer < .staff && UserRole.staff < .admin)
    }

    @Test func twoFirstSignUpsAtOnceMakeOneAdmin() async throws {
        let other = try RecordStore(path: samples.folder.file("records.sqlite"))
        try await withThrowingTaskGroup(of: SignedIn.self) { group in
            for (number, store) in [store, other, store, other].enumerated() {
                group.addTask {
                    try await store.signUp(email: "\(number)@h", password: "correct horse 1", userName: "n")
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.users().map(\.role) == [.admin, .viewer, .viewer, .viewer])
    }

    @Test func theLastAdminIsNeitherRemovedNorLowered() async throws {
        let admin = try await signUp("a@school.example").user
        let other = try await signUp("b@school.example").user
        for role in [UserRole.viewer, .staff] {
            await #expect(throws: RecordError.lastAdmin) { try await store.updateUser(id: admin.id, role: role) }
        }
        await #expect(throws: RecordError.lastAdmin) { try await store.removeUser(id: admin.id) }
        #expect(try await store.users() == [admin, other])
        try await store.updateUser(id: other.id, role: .admin)
        try await store.removeUser(id: admin.id)
        #expect(try await store.users().map(\.role) == [.admin])
    }

    @Test func adminsWhoLowerEachOtherAtOnceLeaveOne() async throws {
        let stores = try (0..<4).map { _ in try RecordStore(path: samples.folder.file("records.sqlite")) }
        for number in 0..<4 {
            _ = try await store.addUser(
                email: "\(number)@h", password: "correct horse 1", userName: "n", role: .admin)
        }
        let ids = try await store.users().map(\.id)
        await withTaskGroup(of: Void.self) { group in
            for (index, store) in stores.enumerated() {
                group.addTask {
                    for id in ids where id != ids[index] {
                        // The last one may not go; which that is, is chance.
                        do throws(RecordError) { try await store.updateUser(id: id, role: .viewer) } catch {
                            #expect(error == .lastAdmin)
                        }
                    }
                }
            }
        }
        #expect(try await store.users().count { $0.role == .admin } == 1)
    }

    @Test func aPasswordIsChangedByWhoeverKnowsIt() async throws {
        let old = try await signUp("a@school.example")
        let other = try await store.signIn(email: "a@school.example", password: "correct horse 1", now: now)
        await #expect(throws: RecordError.wrongPassword) {
            try await store.changePassword(userID: old.user.id, password: "wrong", newPassword: "another horse 2")
        }
        let refusal = await #expect(throws: RecordError.self) {
            try await store.changePassword(userID: old.user.id, password: "correct horse 1", newPassword: "short")
        }
        #expect(refusal?.description.hasPrefix("newPassword: ") == true)
        #expect(try await store.user(token: old.token, now: now) != nil)
        let new = try await store.changePassword(
            userID: old.user.id, password: "correct horse 1", newPassword: "another horse 2", now: now)
        #expect(try await store.user(token: new.token, now: now) == old.user)
        for token in [old.token, other.token] { #expect(try await store.user(token: token, now: now) == nil) }
        _ = try await store.signIn(email: "a@school.example", password: "another horse 2", now: now)
    }

    @Test func aUserHasTwentyTokensAtMost() async throws {
        let user = try await signUp("a@school.example").user
        try await store.removeTokens(userID: user.id)
        let lasting = try await store.issueToken(userID: user.id, lifetime: 300 * 86_400, now: now)
        let first = try await store.issueToken(userID: user.id, now: now)
        for second in 1..<19 {
            _ = try await store.issueToken(userID: user.id, now: now.addingTimeInterval(TimeInterval(second)))
        }
        #expect(try await store.user(token: first.token, now: now) == user)
        let short = try await store.issueToken(userID: user.id, lifetime: 3600, now: now)
        #expect(try await store.user(token: first.token, now: now) == nil)
        for signedIn in [lasting, short] { #expect(try await store.user(token: signedIn.token, now: now) == user) }
        #expect(try await store.removeTokens(userID: user.id) == RecordStore.tokensPerUser)
        #expect(try await store.user(token: lasting.token, now: now) == nil)
        await #expect(throws: RecordError.notFound) { try await store.removeTokens(userID: 99) }
    }

    @Test func theAccessCheckReadsWhatWasWrittenLast() async throws {
        let signedIn = try await signUp("a@school.example")
        let found = try store.userBlocking(token: signedIn.token, now: now)
        #expect(found?.user == signedIn.user)
        #expect(found?.expiresAt == signedIn.expiresAt)
        #expect(try store.userBlocking(token: signedIn.token, now: signedIn.expiresAt) == nil)
        try await store.removeTokens(userID: signedIn.user.id)
        #expect(try store.userBlocking(token: signedIn.token, now: now) == nil)
        #expect(try store.userBlocking(token: "x", now: now) == nil)
    }

    @Test func theJournalTellsOfAccountsAndTokensThatEndButNotOfSignIns() async throws {
        let user = try await signUp("a@school.example").user
        let again = try await store.signIn(email: "a@school.example", password: "correct horse 1", now: now)
        try await store.updateUser(id: user.id, userName: "다른 이름")
        try await store.updateUser(id: user.id, userName: "다른 이름")
        try await store.removeToken(again.token)
        try await store.removeToken(again.token)
        try await store.setPassword("another horse 2", userID: user.id)
        _ = try await store.issueToken(userID: user.id, now: now)
        func changed(_ fields: String...) -> RecordChange {
            RecordChange(.users, .changed, record: user.id, fields: fields)
        }
        #expect(
            try await store.journal(after: 0, limit: 10).map(\.change) == [
                RecordChange(.users, .created, record: user.id), changed("userName"), changed("tokens"),
                changed("password", "tokens"), changed("tokens"),
            ])
    }

    @Test func nobodyWaitsInALineThatIsTooLong() async throws {
        let lane = PasswordLane(longestLine: 1)
        let (started, held) = (Gate(), Gate())
        async let first = lane.run {
            started.open()
            held.waitBlocking()
            return 1
        }
        await started.wait()
        await #expect(throws: RecordError.busy) { try await lane.hash("correct horse 1") }
        held.open()
        #expect(try await first == 1)
        let hash = try await lane.hash("correct horse 1")
        #expect(try await lane.verify("correct horse 1", against: hash))
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
