import Foundation
import HalcyonRecords
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ExercisePostTests {
    let samples: Samples
    let seoul: TimeZone
    var store: RecordStore { samples.store }
    static let whole = ExerciseDraft(
        exTime: "30분", exIntensity: "보통", exEvalu: "좋음", exComment: "첫 줄\n둘째 줄", certiSport: "달리기")
    /// Monday 2026-03-02T00:00:00 in Seoul, which is the evening before in UTC.
    static let monday = Date(timeIntervalSince1970: 1_772_377_200)

    init() throws {
        samples = try Samples()
        seoul = try #require(TimeZone(identifier: "Asia/Seoul"))
    }

    private func user(_ name: String) async throws -> Int {
        try await store.addUser(
            email: "\(name)@school.example", password: "correct horse", userName: name, role: .viewer
        ).id
    }

    private func add(_ author: Int, at seconds: Double = 0, sport: String = "달리기") async throws -> ExercisePost {
        var draft = Self.whole
        draft.certiSport = sport
        return try await store.addPost(
            authorID: author, draft: draft, now: Self.monday.addingTimeInterval(seconds), timeZone: seoul)
    }

    @Test func aDayBeginsAtMidnightOfTheServersZone() async throws {
        let (a, b) = (try await user("a"), try await user("b"))
        let sunday = try await add(a, at: -1)
        let first = try await add(a, at: 0)
        let second = try await add(b, at: 86_399)
        let tuesday = try await add(b, at: 86_400)
        #expect(first.day.description == "2026-03-02")
        #expect(try await store.posts(of: try #require(CalendarDay("2026-03-02"))) == [second, first])
        #expect(try await store.posts(of: try #require(CalendarDay("2026-03-01"))) == [sunday])
        #expect(try await store.posts(authorID: b) == [tuesday, second])
        #expect(second.nickname == "b")
    }

    @Test func theAuthorAloneChangesAPost() async throws {
        let (a, b) = (try await user("a"), try await user("b"))
        let post = try await add(a)
        let image = try await samples.image()
        let edited = try await store.updatePost(id: post.id, authorID: a, draft: ExerciseDraft(exComment: "고침"))
        #expect(edited.text.comment == "고침")
        #expect(edited.text.sport == post.text.sport)
        await #expect(throws: RecordError.notPermitted) {
            try await store.updatePost(id: post.id, authorID: b, draft: ExerciseDraft(exComment: "x"))
        }
        await #expect(throws: RecordError.notPermitted) {
            try await store.setPostImage(image, id: post.id, authorID: b)
        }
        await #expect(throws: RecordError.notPermitted) { try await store.removePost(id: post.id, authorID: b) }
        #expect(try await store.post(id: post.id) == edited)
        #expect(try await store.setPostImage(image, id: post.id, authorID: a).image == image)
        try await store.removePost(id: post.id, authorID: a)
        #expect(try await store.post(id: post.id) == nil)
        await #expect(throws: RecordError.notFound) { try await store.removePost(id: post.id, authorID: a) }
    }

    @Test func withoutAnIDTheLatestPostOfTodayIsMeant() async throws {
        let (a, b) = (try await user("a"), try await user("b"))
        _ = try await add(a, at: 0)
        let latest = try await add(a, at: 60)
        _ = try await add(b, at: 120)
        let now = Self.monday.addingTimeInterval(200)
        let edited = try await store.updatePost(
            id: nil, authorID: a, draft: ExerciseDraft(exTime: "40분"), now: now, timeZone: seoul)
        #expect(edited.id == latest.id)
        await #expect(throws: RecordError.notFound) {
            try await store.updatePost(
                id: nil, authorID: a, draft: ExerciseDraft(exTime: "50분"), now: now.addingTimeInterval(86_400),
                timeZone: seoul)
        }
    }

    @Test func weeksGoFromMondayToSunday() async throws {
        let a = try await user("a")
        for day in [-1, 0, 3, 6, 7] { _ = try await add(a, at: Double(day) * 86_400 + 3600) }
        let summary = try await store.exerciseSummary(
            userID: a, now: Self.monday.addingTimeInterval(7200), timeZone: seoul)
        #expect(summary.cycle == 0)
        #expect(summary.postCount == 5)
        #expect(summary.postCountThisWeek == 3)
        try await store.setExerciseCycle(3, userID: a)
        try await store.setExerciseCycle(5, userID: a)
        #expect(try await store.exerciseSummary(userID: a).cycle == 5)
        for cycle in [0, 8, -1] {
            await #expect(throws: RecordError.self) { try await store.setExerciseCycle(cycle, userID: a) }
        }
    }

    @Test func postsGoWithTheirAuthor() async throws {
        let a = try await user("a")
        let post = try await add(a)
        try await store.setExerciseCycle(3, userID: a)
        try await store.removeUser(id: a)
        #expect(try await store.post(id: post.id) == nil)
        await #expect(throws: RecordError.notFound) { try await store.addPost(authorID: a, draft: Self.whole) }
    }

    @Test(arguments: [
        ("ex_time", ExerciseDraft()), ("ex_intensity", ExerciseDraft(exTime: "a")),
        ("ex_evalu", ExerciseDraft(exTime: "a", exIntensity: "b")),
        ("ex_comment", ExerciseDraft(exTime: "a", exIntensity: "b", exEvalu: "c")),
        ("certi_sport", ExerciseDraft(exTime: "a", exIntensity: "b", exEvalu: "c", exComment: "d")),
        ("ex_time", ExerciseDraft(exTime: "a\nb")),
        ("ex_comment", ExerciseDraft(exTime: "a", exIntensity: "b", exEvalu: "c", exComment: "\u{7}")),
        ("ex_time", ExerciseDraft(exTime: String(repeating: "가", count: 1001))),
    ])
    func refusesAndNamesTheField(field: String, draft: ExerciseDraft) async throws {
        let a = try await user("a")
        let error = await #expect(throws: RecordError.self) { try await store.addPost(authorID: a, draft: draft) }
        #expect(error?.description.hasPrefix("\(field): ") == true)
    }

    @Test(arguments: [
        "", "2026", "2026-3-2", "2026-13-01", "2026-02-30", "2026-03-02x", "20260302", "-026-03-02", "2026-03-0２",
    ])
    func aDayIsWrittenInOneWay(text: String) { #expect(CalendarDay(text) == nil) }

    @Test(arguments: ["2026-03-02T10:00:00Z", "2026-03-02 10:00", " 2026-03-02 "])
    func aTimeAfterTheDayIsLeftAside(text: String) { #expect(CalendarDay(text)?.description == "2026-03-02") }
}
