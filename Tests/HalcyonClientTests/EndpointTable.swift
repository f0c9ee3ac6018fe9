import Foundation
import Testing

@testable import HalcyonClient

/// An endpoint with the method and path it must ask for, and how its answer is read.
struct EndpointRow: Sendable, CustomTestStringConvertible {
    let endpoint: HalcyonEndpoint
    let request: String
    let read: @Sendable (HalcyonProvider, HalcyonEndpoint) async throws -> Void

    var testDescription: String { request }

    static func value<Value: Decodable & Sendable>(
        _ endpoint: HalcyonEndpoint, _ request: String, _: Value.Type
    ) -> EndpointRow {
        EndpointRow(endpoint: endpoint, request: request) { provider, endpoint in
            _ = try await provider.request(endpoint, as: Value.self).get()
        }
    }

    static func bytes(_ endpoint: HalcyonEndpoint, _ request: String) -> EndpointRow {
        EndpointRow(endpoint: endpoint, request: request) { provider, endpoint in
            _ = try await provider.bytes(endpoint).get()
        }
    }

    static let image = ImageFile(bytes: Data([1, 2, 3]))
    static let text = ExerciseText(time: "30분", intensity: "보통", evaluation: "만족", comment: "", sport: "달리기")
    static let draft = NoticeDraft(rootUser: NoticeAuthor(id: "u1", nickName: "컴동쌤"), title: "첫 모임")
    /// 컴퓨터/A in UTF-8 (RFC 3986 §2.1).
    static let club = "컴퓨터/A"
    static let clubText = "%EC%BB%B4%ED%93%A8%ED%84%B0%2FA"

    /// Methods and paths as CONTRACT.md and OLD-CLIENTS.md have them.
    static let all: [EndpointRow] =
        students + notices + people + [
            .value(.health, "GET /healthz", NoContent.self),
            .value(.readiness, "GET /readyz", Readiness.self),
            .bytes(.metrics, "GET /metrics"),
            .value(.cacheStatistics, "GET /cache/stats", CacheStatistics.self),
            .value(.purge(.all), "POST /cache/purge", PurgeReport.self),
            .value(.prefetch(PrefetchSelection(grade: 1)), "POST /cache/prefetch", PrefetchJob.self),
            .value(.prefetchJob(id: "7"), "GET /cache/jobs/7", PrefetchJob.self),
            .bytes(.description, "GET /openapi.json"),
        ]

    private static let students: [EndpointRow] = [
        .value(.totals, "GET /students/totalNumber", SchoolTotals.self),
        .value(.findStudent(id: 202_110_107), "GET /students/search?id=202110107", Student.self),
        .value(
            .findStudentAt(grade: 1, classNumber: 2, number: 7),
            "GET /students/search?grade=1&classNumber=2&number=7", Student.self),
        .value(
            .students(StudentFilter(grade: 1, name: "ㄱㅁ", limit: 50, after: "1-1-7")),
            "GET /students?grade=1&q=%E3%84%B1%E3%85%81&limit=50&after=1-1-7", [Student].self),
        .value(.student(id: 1), "GET /students/1", Student.self),
        .value(
            .addStudent(NewStudent(grade: 1, classNumber: 1, number: 1, name: "김하나")), "POST /students",
            Student.self),
        .value(.changeStudent(id: 1, StudentChange(grade: 2)), "PUT /students/1", Student.self),
        .value(.removeStudent(id: 1), "DELETE /students/1", NoContent.self),
        .bytes(.photo(studentID: 1), "GET /students/1/photo"),
        .bytes(.photo(studentID: 1, placeholder: false), "GET /students/1/photo?placeholder=none"),
        .value(.setPhoto(studentID: 1, image), "PUT /students/1/photo", NoContent.self),
        .value(.removePhoto(studentID: 1), "DELETE /students/1/photo", NoContent.self),
        .bytes(.image(url: "https://h.example/a?b=c"), "GET /images?url=https%3A%2F%2Fh.example%2Fa%3Fb%3Dc"),
        .bytes(.signedImage(signature: "k.s_g", encodedURL: "aHR0"), "GET /images/k.s_g/aHR0"),
        .value(
            .guidances(GuidanceFilter(grade: 1, classNumber: 2, studentID: 3, status: .deleted)),
            "GET /guidances?grade=1&classNumber=2&studentID=3&status=deleted", [Guidance].self),
        .value(.guidances(GuidanceFilter()), "GET /guidances", [Guidance].self),
        .value(.addGuidance(studentID: 1, reason: .dress), "POST /guidances", Guidance.self),
        .value(.removeGuidance(id: 1), "DELETE /guidances/1", [Guidance].self),
        .value(.restoreGuidance(id: 1), "POST /guidances/1/restore", Guidance.self),
        .value(
            .guidanceCounts(GuidanceCountFilter(from: "2026-03-01")), "GET /guidances/counts?by=class&from=2026-03-01",
            [GuidanceCount].self),
    ]

    private static let notices: [EndpointRow] = [
        .value(.notices(clubID: club), "GET /noticeBoards/\(clubText)", [Notice].self),
        .value(.addNotice(clubID: club, draft), "POST /noticeBoards/\(clubText)", Notice.self),
        .value(.changeNotice(clubID: "a b", id: "-N", draft), "PUT /noticeBoards/a%20b/-N", Notice.self),
        .value(.removeNotice(clubID: "a", id: "-N"), "DELETE /noticeBoards/a/-N", [Notice].self),
        .value(
            .addNoticeImages(clubID: "a", id: "-N", [image, image]), "POST /noticeBoards/a/-N/images", Notice.self),
        .bytes(.noticeImage(clubID: "a", digest: "d1"), "GET /noticeBoards/a/images/d1"),
        .value(.comments(clubID: "a", noticeID: "-N"), "GET /noticeBoards/a/-N/comments", [NoticeComment].self),
        .value(
            .addComment(clubID: "a", noticeID: "-N", NoticeCommentDraft(content: "x")),
            "POST /noticeBoards/a/-N/comments", NoticeComment.self),
        .value(
            .changeComment(clubID: "a", noticeID: "-N", id: "-C", NoticeCommentDraft(content: "x")),
            "PUT /noticeBoards/a/-N/comments/-C", NoticeComment.self),
        .value(
            .removeComment(clubID: "a", noticeID: "-N", id: "-C"), "DELETE /noticeBoards/a/-N/comments/-C",
            [NoticeComment].self),
        .value(.noticeTree(clubID: club), "GET /noticeBoards/\(clubText).json", [String: Notice]?.self),
        .value(.postToTree(clubID: "a", draft), "POST /noticeBoards/a.json", [String: String].self),
        .value(.putInTree(clubID: "a", id: "-N", draft), "PUT /noticeBoards/a/-N.json", Notice.self),
        .value(.patchInTree(clubID: "a", id: "-N", draft), "PATCH /noticeBoards/a/-N.json", NoContent.self),
        .value(.deleteFromTree(clubID: "a", id: "-N"), "DELETE /noticeBoards/a/-N.json", NoContent.self),
    ]

    private static let people: [EndpointRow] = [
        .value(.signUp(email: "a@h", password: "p", userName: "n"), "POST /users/signup", Account.self),
        .value(.signIn(email: "a@h", password: "p"), "POST /users/signin", Account.self),
        .value(.signOut(), "POST /users/signout", NoContent.self),
        .value(.changePassword(from: "p", to: "q"), "PUT /users/password", Account.self),
        .value(.me, "GET /users/me", Person.self),
        .value(.people, "GET /users", [Person].self),
        .value(.changePerson(id: 2, role: .staff), "PUT /users/2", Person.self),
        .value(.removePerson(id: 2), "DELETE /users/2", NoContent.self),
        .value(.endTokens(personID: 2), "DELETE /users/2/tokens", NoContent.self),
        .value(.audit(AuditFilter(topic: "users", after: 3)), "GET /audit?topic=users&after=3", [AuditEntry].self),
        .value(
            .exerciserSignUp(email: "a@h", password: "p", nickname: "n", cycle: 3), "POST /user/signup",
            Exerciser.self),
        .value(.exerciserSignIn(email: "a@h", password: "p"), "POST /user/signin", Exerciser.self),
        .value(.addPost(text), "POST /certi", ExercisePost.self),
        .value(.setPostImage(id: 1, image), "POST /certi/image/1", ExercisePost.self),
        .bytes(.postImage(id: 1), "GET /certi/image/1"),
        .value(.posts(date: "2026-11-30"), "GET /certi?date=2026-11-30", [ExercisePost].self),
        .value(.post(id: 1), "GET /certi/detail/1", ExercisePost.self),
        .value(.changePost(id: nil, text), "PUT /certi", ExercisePost.self),
        .value(.removePost(id: 1), "DELETE /certi/1", NoContent.self),
        .value(.myPosts, "GET /mypage", [ExercisePost].self),
        .value(.myInfo, "GET /mypage/info", Exerciser.self),
        .value(.setCycle(3), "PUT /mypage/cycle", NoContent.self),
    ]
}
