import Foundation
import HalcyonRecords
import Testing

@Suite(.timeLimit(.minutes(1)))
struct NoticeTests {
    let samples: Samples
    var store: RecordStore { samples.store }

    init() throws { samples = try Samples() }

    private func add(_ title: String, club: String = "clubA", createDate: String? = nil, at seconds: Double = 0)
        async throws -> Notice
    {
        try await store.addNotice(
            clubID: club,
            rootUser: try NoticeAuthor(id: "u1", nickName: "컴동쌤", profileImageURL: "https://h.example/u1"),
            draft: NoticeDraft(title: title, content: "내용\n둘째 줄", createDate: createDate, imageList: []),
            now: Date(timeIntervalSince1970: 1_772_409_600 + seconds))
    }

    @Test func aClubWithoutNoticesHasAnEmptyBoard() async throws {
        #expect(try await store.notices(clubID: "clubA").isEmpty)
    }

    @Test func encodesWhatOldAndNewAppsDecode() async throws {
        let notice = try await add("제목")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let author =
            #"{"description":null,"id":"u1","nickName":"컴동쌤","profileImage":"https://h.example/u1","profileImageURL":"https://h.example/u1"}"#
        #expect(
            String(decoding: try encoder.encode(notice), as: UTF8.self)
                == #"{"clubID":"clubA","commentCount":"0","content":"내용\n둘째 줄","createDate":"2026-03-02T00:00:00Z","id":""#
                + notice.id + #"","imageList":[],"rootUser":"# + author + #","title":"제목"}"#)
        #expect(try await store.notices(clubID: "clubA") == [notice])
    }

    @Test func listsTheNewestCreateDateFirstWhateverItsZone() async throws {
        _ = try await add("b", createDate: "2026-03-01T10:00:00+09:00")
        _ = try await add("a", createDate: "2026-03-01T00:30:00.500Z")
        _ = try await add("c", createDate: "2026-03-01T02:00:00Z")
        #expect(try await store.notices(clubID: "clubA").map(\.title) == ["c", "b", "a"])
    }

    @Test func idsAreInOrderOfTime() async throws {
        let ids = [try await add("a", at: 0).id, try await add("b", at: 1).id, try await add("c", at: 70_000).id]
        #expect(ids.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) } == ids.map { Array($0.utf8) })
        #expect(Set(ids.map(\.count)) == [20])
    }

    @Test func otherClubsNeverSeeIt() async throws {
        let notice = try await add("a")
        #expect(try await store.notices(clubID: "clubB").isEmpty)
        await #expect(throws: RecordError.notFound) {
            try await store.updateNotice(clubID: "clubB", id: notice.id, draft: NoticeDraft(title: "x"))
        }
        await #expect(throws: RecordError.notFound) { try await store.removeNotice(clubID: "clubB", id: notice.id) }
        #expect(try await store.notices(clubID: "clubA") == [notice])
    }

    @Test func anEditChangesOnlyWhatItHas() async throws {
        let notice = try await add("a")
        let edited = try await store.updateNotice(clubID: "clubA", id: notice.id, draft: NoticeDraft(title: "b"))
        #expect(edited.title == "b")
        #expect(edited.content == notice.content)
        #expect(edited.createDate == notice.createDate)
        try await store.removeNotice(clubID: "clubA", id: notice.id)
        #expect(try await store.notices(clubID: "clubA").isEmpty)
    }

    @Test(arguments: [
        (NoticeDraft(title: " "), "title"), (NoticeDraft(title: "a\nb"), "title"),
        (NoticeDraft(title: "a", content: String(repeating: "x", count: 20_001)), "content"),
        (NoticeDraft(title: "a", createDate: "yesterday"), "createDate"),
        (NoticeDraft(title: "a", imageList: ["x.jpg"]), "imageList"),
        (NoticeDraft(title: "a", imageList: Array(repeating: "http://h.example/a", count: 101)), "imageList"),
    ])
    func refusesAndNamesTheField(draft: NoticeDraft, field: String) async throws {
        let error = await #expect(throws: RecordError.self) {
            try await store.addNotice(clubID: "c", rootUser: try NoticeAuthor(id: "u", nickName: "n"), draft: draft)
        }
        #expect(error?.description.hasPrefix("\(field): ") == true)
    }

    @Test(arguments: ["", "a/b", "a.json", "[x]", "a#", "$a", "a\n", String(repeating: "x", count: 129)])
    func aClubsIDIsAKeyOfTheOldTree(clubID: String) async throws {
        let error = await #expect(throws: RecordError.self) { try await store.notices(clubID: clubID) }
        #expect(error?.description.hasPrefix("clubID: ") == true)
    }
}
