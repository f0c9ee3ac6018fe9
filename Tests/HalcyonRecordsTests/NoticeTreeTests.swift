import Foundation
import HalcyonRecords
import HalcyonTestSupport
import Testing

/// Notices as the older clients' database takes them.
@Suite(.timeLimit(.minutes(1)))
struct NoticeTreeTests {
    let samples: Samples
    let author: NoticeAuthor
    var store: RecordStore { samples.store }

    init() throws {
        samples = try Samples()
        author = try NoticeAuthor(id: "u1", nickName: "컴동쌤")
    }

    private func put(_ id: String, createDate: String?, at seconds: Double = 0) async throws -> Notice {
        try await store.putNotice(
            clubID: "club", id: id, draft: NoticeDraft(rootUser: author, title: id, createDate: createDate),
            now: Date(timeIntervalSince1970: 1_772_409_600 + seconds))
    }

    @Test func aDateInWordsIsKeptAndOrderedByItsRecording() async throws {
        let words = "2026년 3월 2일 오전 9:00"
        #expect(try await put("words", createDate: words, at: 10).createDate == words)
        _ = try await put("before", createDate: "2026-03-02T00:00:05Z", at: 20)
        _ = try await put("after", createDate: "2026-03-02T00:00:15Z", at: 20)
        // The same text again, an hour later: the notice stays where it was.
        _ = try await put("words", createDate: words, at: 3600)
        #expect(try await store.notices(clubID: "club").map(\.id) == ["after", "words", "before"])
        _ = try await put("words", createDate: "오늘", at: 3600)
        #expect(try await store.notices(clubID: "club").map(\.id) == ["words", "after", "before"])
    }

    @Test func putReplacesAndPatchChanges() async throws {
        let draft = NoticeDraft(
            rootUser: author, title: "a", content: "b", createDate: "2026-03-02", imageList: ["https://h.example/a"])
        let put = try await store.putNotice(clubID: "club", id: "한글 키", draft: draft)
        let patched = try await store.patchNotice(clubID: "club", id: put.id, draft: NoticeDraft(title: "c"))
        #expect(patched.title == "c")
        #expect(patched.content == "b")
        #expect(patched.imageList == put.imageList)
        #expect(patched.createDate == "2026-03-02")
        let replaced = try await store.putNotice(
            clubID: "club", id: put.id, draft: NoticeDraft(rootUser: author, title: "d"))
        #expect(replaced.content == "")
        #expect(replaced.imageList == [])
        #expect(try await store.notices(clubID: "club") == [replaced])
    }

    @Test func aPatchOfNothingIsAnErrorUnlessItIsAWholeNotice() async throws {
        await #expect(throws: RecordError.notFound) {
            try await store.patchNotice(clubID: "club", id: "x", draft: NoticeDraft(title: "c"))
        }
        let whole = NoticeDraft(rootUser: author, title: "c")
        #expect(try await store.patchNotice(clubID: "club", id: "x", draft: whole).title == "c")
    }

    @Test func pushedIDsOfSeveralStoresAreInOrder() async throws {
        let second = try RecordStore(path: samples.folder.file("records.sqlite"))
        let now = Date(timeIntervalSince1970: 1_772_409_600)
        var ids: [String] = []
        for (index, store) in [store, second, store, second].enumerated() {
            // The clock of the second runs behind.
            let time = now.addingTimeInterval(index % 2 == 0 ? 0 : -100)
            ids.append(
                try await store.pushNotice(
                    clubID: "club\(index)", draft: NoticeDraft(rootUser: author, title: "a"), now: time
                ).id)
        }
        for (earlier, later) in zip(ids, ids.dropFirst()) {
            #expect(earlier.utf8.lexicographicallyPrecedes(later.utf8))
        }
    }

    @Test(arguments: ["", "a.b", "a/b", "$x", "[", "a#"])
    func aNoticesIDIsAKeyOfTheOldTree(id: String) async throws {
        let error = await #expect(throws: RecordError.self) { try await put(id, createDate: nil) }
        #expect(error?.description.hasPrefix("id: ") == true)
    }

    @Test func uploadedImagesStandBehindTheURLsAndGoWhenTheyAreLeftOut() async throws {
        let url = "https://h.example/a"
        let notice = try await store.addNotice(
            clubID: "club", rootUser: author, draft: NoticeDraft(title: "a", imageList: [url]))
        var images: [MediaID] = []
        for number in 0..<23 { images.append(try await samples.image(number)) }
        let names = images.map(Notice.image)
        _ = try await store.addImages(Array(images[0...1]), clubID: "club", noticeID: notice.id)
        let full = try await store.addImages(Array(images[1...2]), clubID: "club", noticeID: notice.id)
        #expect(full.imageList == [url] + names[0...2])
        #expect(try await store.hasImage(images[1], clubID: "club"))
        #expect(try await !store.hasImage(images[1], clubID: "other"))
        let edited = try await store.updateNotice(
            clubID: "club", id: notice.id, draft: NoticeDraft(imageList: [names[2], url]))
        #expect(edited.imageList == [names[2], url])
        #expect(try await !store.hasImage(images[1], clubID: "club"))
        // One that is not this notice's own is not taken for one.
        await #expect(throws: RecordError.self) {
            try await store.updateNotice(clubID: "club", id: notice.id, draft: NoticeDraft(imageList: [names[0]]))
        }
        await #expect(throws: RecordError.self) {
            try await store.addImages(Array(images[3...]), clubID: "club", noticeID: notice.id)
        }
        await #expect(throws: RecordError.notFound) {
            try await store.addImages([images[9]], clubID: "other", noticeID: notice.id)
        }
        #expect(try await store.notice(clubID: "club", id: notice.id) == edited)
        try await store.removeNotice(clubID: "club", id: notice.id)
        #expect(try await !store.hasImage(images[2], clubID: "club"))
    }
}
