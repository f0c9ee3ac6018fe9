import Foundation
import HalcyonSQLite
import HalcyonTestSupport
import Testing

@testable import HalcyonRecords

@Suite(.timeLimit(.minutes(1)))
struct DurabilityTests {
    let samples: Samples
    var store: RecordStore { samples.store }

    init() throws { samples = try Samples() }

    private var database: String { samples.folder.file("records.sqlite") }

    /// 2 is FULL (https://www.sqlite.org/pragma.html#pragma_synchronous).
    @Test func eachWriteIsOnDiskWhenItReturns() async throws {
        let modes = try await store.write { connection, _ in
            (
                try connection.first("PRAGMA synchronous") { $0.int(0) },
                try connection.first("PRAGMA journal_mode") { $0.text(0) }
            )
        }
        #expect(modes.0 == 2)
        #expect(modes.1 == "wal")
    }

    /// Stores that open, migrate, write, check and close as they like, with checkpoints in between.
    @Test func eightStoresNeverFindTheDatabaseLocked() async throws {
        let path = samples.folder.file("shared.sqlite")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...8 {
                group.addTask {
                    for classNumber in 1...5 {
                        let store = try RecordStore(path: path)
                        for seat in 0..<3 {
                            let student = try Samples.student(seat + 1, classNumber, number)
                            try await store.add(student)
                            _ = try await store.addGuidance(studentID: student.id, reason: "무단횡단")
                        }
                        try await store.checkWritable()
                        try Connection(path: path, options: .init(busyTimeoutMilliseconds: 30_000))
                            .execute("PRAGMA wal_checkpoint(PASSIVE)")
                    }
                }
            }
            group.addTask {
                for index in 0..<5 {
                    let store = try RecordStore(path: path)
                    #expect(try await store.integrityFindings() == [])
                    _ = try await Backup.make(
                        database: path, media: samples.folder.file("media"),
                        at: samples.folder.file("backups/\(index)"))
                }
            }
            try await group.waitForAll()
        }
        let store = try RecordStore(path: path)
        #expect(try await store.allStudents().count == 120)
        #expect(try await store.lastJournalEntry() == 240)
    }

    @Test func aFullDiskChangesNothing() async throws {
        func limitPages(to count: Int) async throws {
            try await store.write { connection, _ in try connection.execute("PRAGMA max_page_count=\(count)") }
        }
        let pages = try await store.read { try $0.first("PRAGMA page_count") { $0.int(0) } ?? 0 }
        try await limitPages(to: pages + 4)
        var written = 0
        var failure: RecordError?
        while failure == nil, written < 999 {
            let student = try Samples.student(
                written / 90 + 1, 1, written % 90 + 1, url: "http://h.example/" + String(repeating: "x", count: 4000))
            do throws(RecordError) {
                try await store.add(student)
                written += 1
            } catch {
                failure = error
            }
        }
        guard case .database(let code, _) = failure else {
            Issue.record("the limit had no effect: \(String(describing: failure))")
            return
        }
        #expect(code & 0xFF == 13)
        #expect(failure?.description == "the disk that holds the records is full (SQLite 13)")
        #expect(try await store.allStudents().count == written)
        #expect(try await store.lastJournalEntry() == written)
        #expect(try await store.integrityFindings() == [])
        try await limitPages(to: 1_000_000)
        try await store.add(try Samples.student(99, 1, 1))
        #expect(try await store.lastJournalEntry() == written + 1)
    }

    @Test func damageIsFound() async throws {
        for number in 1...99 { try await store.add(try Samples.student(1, 1, number)) }
        #expect(try await store.integrityFindings() == [])
        let path = samples.folder.file("damaged.sqlite")
        try Connection(path: database).backup(to: path)
        let damaged = try RecordStore(path: path)
        let root = try await damaged.read {
            try $0.first("SELECT rootpage FROM sqlite_schema WHERE name = 'students'") { $0.int(0) } ?? 0
        }
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: UInt64((root - 1) * 4096 + 16))
        try file.write(contentsOf: Data(repeating: 0xA5, count: 512))
        try file.close()
        #expect(try await !damaged.integrityFindings().isEmpty)
    }

    @Test func whatCannotBeWrittenIsTold() async throws {
        try await store.checkWritable()
        let version = try store.dataVersion()
        try await store.checkWritable()
        #expect(try store.dataVersion() == version)
        // A folder where the probe is written stands for a disk that takes nothing: root may write anywhere.
        try FileManager.default.createDirectory(atPath: database + "-probe", withIntermediateDirectories: false)
        let error = await #expect(throws: RecordError.self) { try await store.checkWritable() }
        guard case .database(let code, _) = error else { return }
        #expect(code & 0xFF == 10)
    }

    @Test func oldEntriesAndTokensAreForgotten() async throws {
        let now = Date()
        let signedIn = try await store.signUp(
            email: "a@school.example", password: "correct horse 1", userName: "n", now: now)
        try await store.add(try Samples.student(1, 1, 1))
        try await store.prune(now: now.addingTimeInterval(29 * 86_400))
        #expect(try await store.user(token: signedIn.token, now: now) != nil)
        #expect(try await store.journal(after: 0, limit: 9).count == 2)
        try await store.prune(now: now.addingTimeInterval(399 * 86_400))
        #expect(try await store.user(token: signedIn.token, now: now) == nil)
        #expect(try await store.journal(after: 0, limit: 9).count == 2)
        try await store.prune(now: now.addingTimeInterval(401 * 86_400))
        #expect(try await store.journal(after: 0, limit: 9) == [])
        #expect(try await store.lastJournalEntry() == 2)
    }
}
