import Foundation
import HalcyonRecords
import HalcyonSQLite
import HalcyonTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct JournalTests {
    let samples: Samples
    var store: RecordStore { samples.store }

    init() throws { samples = try Samples() }

    private func changes(after seq: Int = 0) async throws -> [RecordChange] {
        try await store.journal(after: seq, limit: 100).map(\.change)
    }

    @Test func everyKindOfChangeIsEntered() async throws {
        let student = try Samples.student(1, 1, 1)
        try await store.add(student)
        try await store.update(try Samples.student(1, 1, 1, name: "김두나", url: "http://h.example/1"))
        try await store.update(try Samples.student(1, 1, 1, name: "김두나", url: "http://h.example/1"))
        let guidance = try await store.addGuidance(studentID: student.id, reason: "무단횡단").guidanceID
        try await store.removeGuidance(id: guidance)
        try await store.restoreGuidance(id: guidance)
        await #expect(throws: RecordError.self) { try await store.restoreGuidance(id: guidance) }
        let author = try NoticeAuthor(id: "1", nickName: "컴동쌤")
        let notice = try await store.addNotice(clubID: "c", rootUser: author, draft: NoticeDraft(title: "t")).id
        _ = try await store.updateNotice(clubID: "c", id: notice, draft: NoticeDraft(content: "x"))
        try await store.removeNotice(clubID: "c", id: notice)
        try await store.removeStudent(id: student.id)
        #expect(
            try await changes() == [
                RecordChange(.students, .created, record: student.id),
                RecordChange(.students, .changed, record: student.id, fields: ["name", "profileImageURL"]),
                RecordChange(.guidances, .created, record: guidance),
                RecordChange(.guidances, .removed, record: guidance),
                RecordChange(.guidances, .restored, record: guidance),
                RecordChange(.noticeBoards, .created, record: notice, scope: "c"),
                RecordChange(.noticeBoards, .changed, record: notice, scope: "c", fields: ["content"]),
                RecordChange(.noticeBoards, .removed, record: notice, scope: "c"),
                RecordChange(.guidances, .removed, record: guidance),
                RecordChange(.students, .removed, record: student.id),
            ])
    }

    @Test func whatIsRolledBackIsNotEntered() async throws {
        let student = try Samples.student(1, 1, 1)
        try await store.add(student)
        await #expect(throws: RecordError.self) { try await store.add(student) }
        await #expect(throws: RecordError.self) { try await store.removeStudent(id: 1) }
        #expect(try await store.lastJournalEntry() == 1)
    }

    @Test func anImportEntersEachPupilThatItChanges() async throws {
        try await store.add(try Samples.student(1, 1, 1))
        try await store.add(try Samples.student(1, 1, 2))
        let roster = try Samples.roster(
            """
            id,grade,classNumber,number,name
            202610101,1,1,2,김하나
            202610102,1,1,1,김하나
            202610103,1,1,3,김세나
            """)
        _ = try await store.importRoster(roster)
        #expect(
            Set(try await changes(after: 2)) == [
                RecordChange(.students, .changed, record: 202_610_101, fields: ["number"]),
                RecordChange(.students, .changed, record: 202_610_102, fields: ["number"]),
                RecordChange(.students, .created, record: 202_610_103),
            ])
    }

    @Test func anEntrySaysOnWhoseBehalf() async throws {
        try await store.add(try Samples.student(1, 1, 1))
        try await Actor.$current.withValue(.user(id: 7)) { try await store.add(try Samples.student(1, 1, 2)) }
        try await Actor.$current.withValue(.commandLine(name: "kim")) {
            try await store.add(try Samples.student(1, 1, 3))
        }
        let actors = try await store.journal(after: 0, limit: 10).map(\.actor)
        #expect(actors == ["anyone", "user:7", "command-line:kim"])
    }

    @Test func readsPagesByTopic() async throws {
        #expect(try await store.lastJournalEntry() == 0)
        for number in 1...3 {
            let student = try Samples.student(1, 1, number)
            try await store.add(student)
            _ = try await store.addGuidance(studentID: student.id, reason: "무단횡단")
        }
        #expect(try await store.lastJournalEntry() == 6)
        #expect(try await store.journal(after: 1, limit: 2).map(\.seq) == [2, 3])
        #expect(try await store.journal(after: 0, limit: 10, topics: [.guidances]).map(\.seq) == [2, 4, 6])
        #expect(try await store.journal(after: 0, limit: 10, topics: [.users, .students]).map(\.seq) == [1, 3, 5])
        #expect(try await store.journal(after: 0, limit: 10, topics: []).isEmpty)
        #expect(try await store.journal(after: 6, limit: 10).isEmpty)
    }

    @Test func theNumberOfTheLastEntryOutlivesIt() async throws {
        for number in 1...3 { try await store.add(try Samples.student(1, 1, number)) }
        try Connection(path: samples.folder.file("records.sqlite")).execute("DELETE FROM changes")
        #expect(try await store.lastJournalEntry() == 3)
        try await store.add(try Samples.student(1, 1, 4))
        #expect(try await store.journal(after: 0, limit: 10).map(\.seq) == [4])
    }

    @Test func aCommitIsToldOfOnceWithAllItChanged() async throws {
        let told = Mutex<[[RecordChange]]>([])
        let samples = try Samples { changes in told.withLock { $0.append(changes) } }
        let student = try Samples.student(1, 1, 1)
        try await samples.store.add(student)
        let guidance = try await samples.store.addGuidance(studentID: student.id, reason: "무단횡단").guidanceID
        await #expect(throws: RecordError.self) { try await samples.store.restoreGuidance(id: guidance) }
        try await samples.store.removeStudent(id: student.id)
        #expect(
            told.withLock { $0 } == [
                [RecordChange(.students, .created, record: student.id)],
                [RecordChange(.guidances, .created, record: guidance)],
                [
                    RecordChange(.guidances, .removed, record: guidance),
                    RecordChange(.students, .removed, record: student.id),
                ],
            ])
    }
}
