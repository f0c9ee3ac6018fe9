import Foundation
import HalcyonSQLite
import HalcyonTestSupport
import Testing

@testable import HalcyonRecords

@Suite(.timeLimit(.minutes(1)))
struct BackupTests {
    let samples: Samples
    var store: RecordStore { samples.store }
    let images: MediaStore
    let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        samples = try Samples()
        images = MediaStore(path: samples.folder.file("media"))
    }

    private var database: String { samples.folder.file("records.sqlite") }
    private var shelf: String { samples.folder.file("backups") }

    private func makeBackup(_ name: String = "a") async throws -> Backup {
        try await Backup.make(database: database, media: images.path, at: "\(shelf)/\(name)", now: now)
    }

    /// A student with a photo of its own.
    @discardableResult
    private func addPhoto(_ number: Int, _ text: String) async throws -> MediaID {
        let bytes = Array(text.utf8)
        let id = try await images.keep(bytes, fileExtension: "png")
        try await store.add(
            Media(id: id, contentType: "image/png", byteCount: bytes.count, width: 1, height: 1, createdAt: now))
        let student = try Samples.student(1, 1, number)
        try await store.add(student)
        try await store.setPhoto(studentID: student.id, media: id)
        return id
    }

    private func restored(_ backup: Backup) async throws -> (store: RecordStore, images: MediaStore) {
        let path = samples.folder.file("restored/records.sqlite")
        let media = samples.folder.file("restored/media")
        #expect(try await backup.restore(database: path, media: media, isReplacing: false, now: now) == nil)
        return (try RecordStore(path: path, isCreated: false), MediaStore(path: media))
    }

    @Test func whatIsRestoredIsWhatWasBackedUp() async throws {
        let id = try await addPhoto(1, "a photo")
        try await store.add(try Samples.student(2, 1, 1, name: "이두리", url: "http://h.example/2"))
        _ = try await store.addGuidance(studentID: 202_620_101, reason: "무단횡단", now: now)
        let user = try await store.signUp(
            email: "a@school.example", password: "correct horse 1", userName: "n", now: now)
        let backup = try await makeBackup()
        #expect(backup.manifest.rows["students"] == 2)
        #expect(backup.manifest.rows["tokens"] == 0)
        #expect(backup.manifest.mediaFiles == 1)
        #expect(backup.manifest.missingMedia == [])
        #expect(try await Backup.verified(at: backup.path) == backup)
        // Private, and nothing besides.
        #expect(try FileManager.default.contentsOfDirectory(atPath: shelf) == ["a"])
        let attributes = try FileManager.default.attributesOfItem(atPath: backup.path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)

        let (copy, copyImages) = try await restored(backup)
        #expect(try await copy.allStudents() == store.allStudents())
        #expect(try await copy.guidances() == store.guidances())
        #expect(try await copy.allMedia() == store.allMedia())
        #expect(try await copy.journal(after: 0, limit: 99) == store.journal(after: 0, limit: 99))
        #expect(try copyImages.readBlocking(id) == Array("a photo".utf8))
        // A backup is no session, but one may sign in.
        #expect(try await copy.user(token: user.token, now: now) == nil)
        _ = try await copy.signIn(email: "a@school.example", password: "correct horse 1", now: now)
    }

    @Test func aBackupOfWritersAtWorkIsOneStateOfTheRecords() async throws {
        for number in 1...4 { try await store.add(try Samples.student(1, 1, number)) }
        let isDone = Watched(false)
        let started = Watched(0)
        let store = store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...4 {
                group.addTask {
                    let student = 202_610_100 + number
                    repeat {
                        let id = try await store.addGuidance(studentID: student, reason: "무단횡단").guidanceID
                        try await store.removeGuidance(id: id)
                        started.update { $0 += 1 }
                    } while !isDone.value
                }
            }
            await started.wait { $0 >= 8 }
            for name in ["a", "b", "c"] {
                let before = try await store.lastJournalEntry()
                let backup = try await makeBackup(name)
                let after = try await store.lastJournalEntry()
                // One entry for each change, in the same transaction: they agree in any one state.
                let copy = try Connection(path: backup.database, options: .init(isReadOnly: true))
                func number(_ sql: String) throws -> Int { try copy.first(sql) { $0.int(0) } ?? -1 }
                let seq = try number("SELECT max(seq) FROM changes")
                #expect((before...after).contains(seq))
                let made = try number("SELECT count(*) FROM guidances")
                let removed = try number("SELECT count(*) FROM guidances WHERE deletedAt IS NOT NULL")
                #expect(4 + made + removed == seq)
            }
            isDone.update { $0 = true }
            try await group.waitForAll()
        }
    }

    @Test(arguments: ["records.sqlite", "manifest.json", "media"])
    func aBackupWithAChangedByteIsRefused(part: String) async throws {
        let id = try await addPhoto(1, "a photo")
        let backup = try await makeBackup()
        let file = part == "media" ? backup.media.path(of: id) : "\(backup.path)/\(part)"
        var bytes = try Data(contentsOf: URL(filePath: file))
        bytes[bytes.count / 2] ^= 0x80
        // A new file: an image may have a second name in the folder of images.
        try FileManager.default.removeItem(atPath: file)
        try bytes.write(to: URL(filePath: file))
        await #expect(throws: BackupError.self) { try await Backup.verified(at: backup.path) }
    }

    @Test(arguments: ["records.sqlite", "manifest.json", "media"])
    func aBackupThatIsNotWholeIsRefused(part: String) async throws {
        try await addPhoto(1, "a photo")
        let backup = try await makeBackup()
        try FileManager.default.removeItem(atPath: "\(backup.path)/\(part)")
        await #expect(throws: BackupError.self) { try await Backup.verified(at: backup.path) }
        await #expect(throws: BackupError.notABackup(shelf)) { try await Backup.verified(at: shelf) }
    }

    @Test func anImageThatIsMissingDoesNotKeepTheRestFromBeingSaved() async throws {
        let lost = try await addPhoto(1, "lost")
        try await addPhoto(2, "kept")
        try FileManager.default.removeItem(atPath: images.path(of: lost))
        let backup = try await makeBackup()
        #expect(backup.manifest.missingMedia == [lost.description])
        #expect(backup.manifest.mediaFiles == 1)
        let (copy, _) = try await restored(Backup.verified(at: backup.path))
        #expect(try await copy.allStudents().count == 2)
    }

    @Test func aBackupThatFailsLeavesNothing() async throws {
        let path = samples.folder.file("damaged.sqlite")
        for number in 1...99 { try await store.add(try Samples.student(1, 1, number)) }
        try Connection(path: database).backup(to: path)
        var bytes = try Data(contentsOf: URL(filePath: path))
        // All pages but the first, which names the tables.
        for index in 4096..<bytes.count { bytes[index] = 0xA5 }
        try bytes.write(to: URL(filePath: path))
        await #expect(throws: BackupError.self) {
            try await Backup.make(database: path, media: images.path, at: "\(shelf)/a")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: shelf) == [])
        _ = try await makeBackup()
        await #expect(throws: BackupError.exists("\(shelf)/a")) { try await makeBackup() }
    }

    @Test func aRestoreKeepsWhatItReplaces() async throws {
        try await store.add(try Samples.student(1, 1, 1))
        let backup = try await makeBackup()
        let path = samples.folder.file("other.sqlite")
        let media = samples.folder.file("other-media")
        do {
            let other = try RecordStore(path: path)
            try await other.add(try Samples.student(2, 2, 2))
            await #expect(throws: BackupError.exists(path)) {
                try await backup.restore(database: path, media: media, isReplacing: false)
            }
            await #expect(throws: BackupError.inUse(path)) {
                try await backup.restore(database: path, media: media, isReplacing: true)
            }
            try await other.add(try Samples.student(2, 2, 3))
        }
        let aside = try #require(try await restored(backup, database: path, media: media))
        #expect(aside == path + ".before-2027-01-15T080000Z")
        #expect(try await RecordStore(path: path).allStudents() == store.allStudents())
        #expect(try await RecordStore(path: aside).allStudents().map(\.number) == [2, 3])
    }

    /// The thread that wrote lets go of the database a moment after it has told so.
    private func restored(_ backup: Backup, database: String, media: String) async throws -> String? {
        while true {
            let result: Result<String?, any Error>
            do {
                result = .success(
                    try await backup.restore(database: database, media: media, isReplacing: true, now: now))
            } catch {
                result = .failure(error)
            }
            if case .failure(let error) = result, error as? BackupError == .inUse(database) {
                await Task.yield()
                continue
            }
            return try result.get()
        }
    }

    @Test func aDatabaseThatCannotBeReadCanBeReplaced() async throws {
        try await store.add(try Samples.student(1, 1, 1))
        let backup = try await makeBackup()
        let path = samples.folder.file("ruined.sqlite")
        let content = Data(repeating: 65, count: 5000)
        try content.write(to: URL(filePath: path))
        let aside = try #require(
            try await backup.restore(database: path, media: images.path, isReplacing: true, now: now))
        #expect(try Data(contentsOf: URL(filePath: aside)) == content)
        #expect(try await RecordStore(path: path).allStudents().count == 1)
    }

    @Test func theShelfKeepsTheNewest() async throws {
        for day in 0..<4 {
            _ = try await makeBackup(BackupShelf.name(of: now.addingTimeInterval(86_400 * Double(day))))
        }
        try FileManager.default.createDirectory(
            atPath: "\(shelf)/2020-01-01T000000Z", withIntermediateDirectories: true)
        _ = try await makeBackup("mine")
        #expect(
            try await BackupShelf.prune(shelf, keeping: 2) == ["2027-01-15T080000Z", "2027-01-16T080000Z"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: shelf).sorted() == [
                "2020-01-01T000000Z", "2027-01-17T080000Z", "2027-01-18T080000Z", "mine",
            ])
    }
}
