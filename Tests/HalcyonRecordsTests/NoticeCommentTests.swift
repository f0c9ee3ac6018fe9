import Foundation
import HalcyonRecords
import HalcyonSQLite
import HalcyonTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct NoticeCommentTests {
    let samples: Samples
    let author: NoticeAuthor
    var store: RecordStore { samples.store }

    init() throws {
        samples = try Samples()
        author = try NoticeAuthor(id: "u1", nickName: "컴동쌤")
    }

    private func notice(_ club: String = "club") async throws -> Notice {
        try await store.addNotice(clubID: club, rootUser: author, draft: NoticeDraft(title: "제목"))
    }

    private func comment(_ notice: Notice, _ content: String = "좋아요\n정말") async throws -> NoticeComment {
        try await store.addComment(clubID: notice.clubID, noticeID: notice.id, author: author, content: content)
    }

    private func count(_ notice: Notice) async throws -> Int? {
        try await store.notice(clubID: notice.clubID, id: notice.id)?.commentCount
    }

    @Test func theCountOfANoticeFollowsItsComments() async throws {
        let notice = try await notice()
        let other = try await self.notice()
        let first = try await comment(notice, "하나")
        let second = try await comment(notice, "둘")
        #expect(try await store.comments(clubID: "club", noticeID: notice.id) == [first, second])
        #expect(try await count(notice) == 2)
        let edited = try await store.updateComment(
            clubID: "club", noticeID: notice.id, id: first.id, content: "하나 반")
        #expect(edited.content == "하나 반")
        #expect(edited.createDate == first.createDate)
        #expect(try await count(notice) == 2)
        try await store.removeComment(clubID: "club", noticeID: notice.id, id: second.id)
        #expect(try await count(notice) == 1)
        #expect(try await store.comments(clubID: "club", noticeID: notice.id) == [edited])
        // An edit of the notice leaves them alone.
        _ = try await store.updateNotice(clubID: "club", id: notice.id, draft: NoticeDraft(title: "새 제목"))
        _ = try await store.putNotice(
            clubID: "club", id: notice.id, draft: NoticeDraft(rootUser: author, title: "또"))
        #expect(try await count(notice) == 1)
        #expect(try await count(other) == 0)
    }

    @Test func theyGoWithTheirNotice() async throws {
        let notice = try await notice()
        _ = try await comment(notice)
        try await store.removeNotice(clubID: "club", id: notice.id)
        await #expect(throws: RecordError.notFound) {
            try await store.comments(clubID: "club", noticeID: notice.id)
        }
        let connection = try Connection(path: samples.folder.file("records.sqlite"))
        #expect(try connection.first("SELECT count(*) FROM comments") { $0.int(0) } == 0)
    }

    @Test func anotherClubHasNoneOfThem() async throws {
        let notice = try await notice("a")
        let made = try await comment(notice)
        await #expect(throws: RecordError.notFound) { try await store.comments(clubID: "b", noticeID: notice.id) }
        await #expect(throws: RecordError.notFound) {
            try await store.addComment(clubID: "b", noticeID: notice.id, author: author, content: "x")
        }
        await #expect(throws: RecordError.notFound) {
            try await store.updateComment(clubID: "b", noticeID: notice.id, id: made.id, content: "x")
        }
        await #expect(throws: RecordError.notFound) {
            try await store.removeComment(clubID: "b", noticeID: notice.id, id: made.id)
        }
        #expect(try await store.comments(clubID: "a", noticeID: notice.id) == [made])
    }

    @Test(arguments: ["", "  ", String(repeating: "가", count: 2001), "a\u{0}b"])
    func refusesAndNamesTheField(content: String) async throws {
        let notice = try await notice()
        let error = await #expect(throws: RecordError.self) { try await comment(notice, content) }
        #expect(error?.description.hasPrefix("content: ") == true)
        #expect(try await count(notice) == 0)
    }

    @Test func manyAtOnceAreAllCounted() async throws {
        let notice = try await notice()
        let ids = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<40 { group.addTask { try await comment(notice, "\(number)").id } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(ids.count == 40)
        #expect(try await count(notice) == 40)
    }

    @Test func theJournalNamesTheCommentAndItsClub() async throws {
        let notice = try await notice()
        let start = try await store.lastJournalEntry()
        let made = try await comment(notice)
        try await store.removeComment(clubID: "club", noticeID: notice.id, id: made.id)
        let entries = try await store.journal(after: start, limit: 10)
        let record = "\(notice.id)/comments/\(made.id)"
        #expect(
            entries.map(\.change) == [
                RecordChange(.noticeBoards, .created, record: record, scope: "club"),
                RecordChange(.noticeBoards, .removed, record: record, scope: "club"),
            ])
    }
}
