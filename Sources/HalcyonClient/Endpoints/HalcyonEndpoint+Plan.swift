extension HalcyonEndpoint {
    /// The table of endpoints.
    var plan: EndpointPlan {
        switch self {
        case .totals: EndpointPlan(.get, "/students/totalNumber", result: Sample.totals)
        case .findStudent(let id):
            EndpointPlan(.get, "/students/search", .query([("id", "\(id)")]), result: Sample.student)
        case .findStudentAt(let grade, let classNumber, let number):
            EndpointPlan(
                .get, "/students/search",
                .query([("grade", "\(grade)"), ("classNumber", "\(classNumber)"), ("number", "\(number)")]),
                result: Sample.student)
        case .students(let filter):
            EndpointPlan(.get, "/students", filter.query, result: "[\(Sample.student)]")
        case .student(let id): EndpointPlan(.get, "/students/\(id)", result: Sample.student)
        case .addStudent(let student):
            EndpointPlan(.post, "/students", .json(student), result: Sample.student)
        case .changeStudent(let id, let change):
            EndpointPlan(.put, "/students/\(id)", .json(change), result: Sample.student)
        case .removeStudent(let id): EndpointPlan(.delete, "/students/\(id)", result: Sample.student)

        case .photo(let id, let placeholder):
            EndpointPlan(.get, "/students/\(id)/photo", Self.placeholder(placeholder), .bytes, sample: Sample.png)
        case .setPhoto(let id, let image):
            EndpointPlan(
                .put, "/students/\(id)/photo", .body(image.bytes, contentType: image.contentType),
                result: Sample.student)
        case .removePhoto(let id): EndpointPlan(.delete, "/students/\(id)/photo", result: Sample.student)
        case .image(let url, let placeholder):
            EndpointPlan(
                .get, "/images", .query([("url", url), ("placeholder", placeholder ? nil : "none")]), .bytes,
                sample: Sample.png)
        case .signedImage(let signature, let url):
            EndpointPlan(.get, PathText.joined("images", signature, url), .plain, .bytes, sample: Sample.png)

        case .guidances(let filter):
            EndpointPlan(.get, "/guidances", filter.query, result: "[\(Sample.guidance)]")
        case .addGuidance(let id, let reason, let detail):
            EndpointPlan(
                .post, "/guidances", .json(GuidanceDraft(studentID: id, reason: reason.rawValue, detail: detail)),
                result: Sample.guidance)
        case .removeGuidance(let id):
            EndpointPlan(.delete, "/guidances/\(id)", result: "[\(Sample.guidance)]")
        case .restoreGuidance(let id):
            EndpointPlan(.post, "/guidances/\(id)/restore", result: Sample.guidance)
        case .guidanceCounts(let filter):
            EndpointPlan(.get, "/guidances/counts", filter.query, result: Sample.guidanceCounts)

        case .notices(let club): EndpointPlan(.get, Self.board(club), result: "[\(Sample.notice)]")
        case .addNotice(let club, let draft):
            EndpointPlan(.post, Self.board(club), .json(draft), result: Sample.notice)
        case .changeNotice(let club, let id, let draft):
            EndpointPlan(.put, Self.board(club, id), .json(draft), result: Sample.notice)
        case .removeNotice(let club, let id):
            EndpointPlan(.delete, Self.board(club, id), result: "[\(Sample.notice)]")
        case .addNoticeImages(let club, let id, let images):
            EndpointPlan(
                .post, Self.board(club, id) + "/images", .multipart(images.map { $0.part(named: "image") }),
                result: Sample.notice)
        case .noticeImage(let club, let digest):
            EndpointPlan(
                .get, Self.board(club) + PathText.joined("images", digest), .plain, .bytes, sample: Sample.png)
        case .comments(let club, let notice):
            EndpointPlan(.get, Self.board(club, notice) + "/comments", result: "[\(Sample.comment)]")
        case .addComment(let club, let notice, let draft):
            EndpointPlan(.post, Self.board(club, notice) + "/comments", .json(draft), result: Sample.comment)
        case .changeComment(let club, let notice, let id, let draft):
            EndpointPlan(
                .put, Self.board(club, notice) + PathText.joined("comments", id), .json(draft),
                result: Sample.comment)
        case .removeComment(let club, let notice, let id):
            EndpointPlan(
                .delete, Self.board(club, notice) + PathText.joined("comments", id), result: "[\(Sample.comment)]")

        case .noticeTree(let club):
            EndpointPlan(.get, Self.board(club) + ".json", bare: "{\"-N1\":\(Sample.notice)}")
        case .postToTree(let club, let draft):
            EndpointPlan(.post, Self.board(club) + ".json", .json(draft), bare: #"{"name":"-N1"}"#)
        case .putInTree(let club, let id, let draft):
            EndpointPlan(.put, Self.board(club, id) + ".json", .json(draft), bare: Sample.notice)
        case .patchInTree(let club, let id, let draft):
            EndpointPlan(.patch, Self.board(club, id) + ".json", .json(draft), bare: Sample.notice)
        case .deleteFromTree(let club, let id):
            EndpointPlan(.delete, Self.board(club, id) + ".json", bare: "null")

        case .signUp(let email, let password, let name):
            EndpointPlan(
                .post, "/users/signup", .json(["email": email, "password": password.revealed, "userName": name]),
                data: Sample.account)
        case .signIn(let email, let password):
            EndpointPlan(
                .post, "/users/signin", .json(["email": email, "password": password.revealed]), data: Sample.account)
        case .signOut(let isEverywhere):
            EndpointPlan(.post, "/users/signout", .json(["everywhere": isEverywhere]), data: "null")
        case .changePassword(let old, let new):
            EndpointPlan(
                .put, "/users/password", .json(["password": old.revealed, "newPassword": new.revealed]),
                data: Sample.account)
        case .me: EndpointPlan(.get, "/users/me", result: Sample.person)
        case .people: EndpointPlan(.get, "/users", result: "[\(Sample.person)]")
        case .changePerson(let id, let role, let name):
            EndpointPlan(
                .put, "/users/\(id)", .json(PersonChange(role: role, userName: name)), result: Sample.person)
        case .removePerson(let id): EndpointPlan(.delete, "/users/\(id)", result: Sample.person)
        case .endTokens(let id): EndpointPlan(.delete, "/users/\(id)/tokens", result: #"{"count":1}"#)
        case .audit(let filter): EndpointPlan(.get, "/audit", filter.query, result: "[\(Sample.auditEntry)]")

        case .exerciserSignUp(let email, let password, let nickname, let cycle):
            EndpointPlan(
                .post, "/user/signup",
                .json(
                    ExerciserDraft(email: email, password: password.revealed, nickname: nickname, cycle: cycle)),
                data: Sample.exerciser)
        case .exerciserSignIn(let email, let password):
            EndpointPlan(
                .post, "/user/signin", .json(["email": email, "password": password.revealed]),
                data: Sample.exerciser)
        case .addPost(let text): EndpointPlan(.post, "/certi", .json(text), data: Sample.post)
        case .setPostImage(let id, let image):
            EndpointPlan(
                .post, "/certi/image/\(id)", .multipart([image.part(named: "image")]), data: Sample.post)
        case .postImage(let id):
            EndpointPlan(.get, "/certi/image/\(id)", .plain, .bytes, sample: Sample.png)
        case .posts(let date): EndpointPlan(.get, "/certi", .query([("date", date)]), data: "[\(Sample.post)]")
        case .post(let id): EndpointPlan(.get, "/certi/detail/\(id)", data: Sample.post)
        case .changePost(let id, let text):
            EndpointPlan(.put, "/certi", .json(PostChange(id: id, text: text)), data: Sample.post)
        case .removePost(let id): EndpointPlan(.delete, "/certi/\(id)", data: "null")
        case .myPosts: EndpointPlan(.get, "/mypage", data: "[\(Sample.post)]")
        case .myInfo: EndpointPlan(.get, "/mypage/info", data: Sample.myInfo)
        case .setCycle(let cycle):
            EndpointPlan(.put, "/mypage/cycle", .json(["ex_cycle": cycle]), data: Sample.myInfo)

        case .health: EndpointPlan(.get, "/healthz", result: "null")
        case .readiness: EndpointPlan(.get, "/readyz", result: Sample.readiness)
        case .metrics: EndpointPlan(.get, "/metrics", .plain, .bytes, sample: Sample.metrics)
        case .cacheStatistics: EndpointPlan(.get, "/cache/stats", result: Sample.cacheStatistics)
        case .purge(let selection, let isDryRun):
            EndpointPlan(
                .post, "/cache/purge", .json(PurgeOrder(selection: selection, isDryRun: isDryRun)),
                result: Sample.purge)
        case .prefetch(let selection):
            EndpointPlan(.post, "/cache/prefetch", .json(selection), result: Sample.prefetchJob)
        case .prefetchJob(let id):
            EndpointPlan(.get, PathText.joined("cache", "jobs", id), result: Sample.prefetchJob)
        case .description: EndpointPlan(.get, "/openapi.json", .plain, .bytes, sample: Sample.description)
        }
    }

    private static func placeholder(_ isWanted: Bool) -> RequestTask {
        .query([("placeholder", isWanted ? nil : "none")])
    }

    private static func board(_ club: String) -> String { PathText.joined("noticeBoards", club) }

    private static func board(_ club: String, _ id: String) -> String { PathText.joined("noticeBoards", club, id) }
}
