/// Every request that Halcyon answers. What each takes and answers: CONTRACT of the service, or `/openapi.json` of a
/// running one.
public enum HalcyonEndpoint: Sendable, Hashable {
    // Students
    case totals
    case findStudent(id: Int)
    case findStudentAt(grade: Int, classNumber: Int, number: Int)
    case students(StudentFilter)
    case student(id: Int)
    case addStudent(NewStudent)
    case changeStudent(id: Int, StudentChange)
    case removeStudent(id: Int)

    // Photos
    /// - placeholder: whether to take the placeholder for a photo that is not there, rather than an error.
    case photo(studentID: Int, placeholder: Bool = true)
    case setPhoto(studentID: Int, ImageFile)
    case removePhoto(studentID: Int)
    case image(url: String, placeholder: Bool = true)
    /// What `halcyon sign` prints, without scheme and host: `/images/SIGNATURE/URL`.
    case signedImage(signature: String, encodedURL: String)

    // Guidances
    case guidances(GuidanceFilter)
    /// - detail: with ``GuidanceReason/other`` alone.
    case addGuidance(studentID: Int, reason: GuidanceReason, detail: String? = nil)
    /// Answers with those that remain.
    case removeGuidance(id: Int)
    case restoreGuidance(id: Int)
    case guidanceCounts(GuidanceCountFilter)

    // Notices
    case notices(clubID: String)
    case addNotice(clubID: String, NoticeDraft)
    case changeNotice(clubID: String, id: String, NoticeDraft)
    /// Answers with those that remain.
    case removeNotice(clubID: String, id: String)
    case addNoticeImages(clubID: String, id: String, [ImageFile])
    case noticeImage(clubID: String, digest: String)
    case comments(clubID: String, noticeID: String)
    case addComment(clubID: String, noticeID: String, NoticeCommentDraft)
    case changeComment(clubID: String, noticeID: String, id: String, NoticeCommentDraft)
    case removeComment(clubID: String, noticeID: String, id: String)

    // The notices as a tree, in the form of the database that the older app uses
    /// Notices by id, or `null`.
    case noticeTree(clubID: String)
    /// Answers with `{"name": id}`.
    case postToTree(clubID: String, NoticeDraft)
    case putInTree(clubID: String, id: String, NoticeDraft)
    case patchInTree(clubID: String, id: String, NoticeDraft)
    case deleteFromTree(clubID: String, id: String)

    // People
    case signUp(email: String, password: Secret, userName: String)
    case signIn(email: String, password: Secret)
    case signOut(everywhere: Bool = false)
    /// Ends all tokens of the account; answers with a new one.
    case changePassword(from: Secret, to: Secret)
    /// Whose token it is.
    case me
    case people
    /// What is `nil` stays as it is.
    case changePerson(id: Int, role: Person.Role? = nil, userName: String? = nil)
    case removePerson(id: Int)
    /// Ends every token of an account.
    case endTokens(personID: Int)
    case audit(AuditFilter)

    // Exercise posts
    case exerciserSignUp(email: String, password: Secret, nickname: String, cycle: Int)
    case exerciserSignIn(email: String, password: Secret)
    case addPost(ExerciseText)
    case setPostImage(id: Int, ImageFile)
    case postImage(id: Int)
    /// - date: `YYYY-MM-DD`.
    case posts(date: String)
    case post(id: Int)
    /// - id: `nil` for the user's latest post of today.
    case changePost(id: Int?, ExerciseText)
    case removePost(id: Int)
    case myPosts
    case myInfo
    case setCycle(Int)

    // Operating
    case health
    case readiness
    case metrics
    case cacheStatistics
    case purge(PurgeSelection, dryRun: Bool = false)
    case prefetch(PrefetchSelection)
    case prefetchJob(id: String)
    /// The OpenAPI document.
    case description
}
