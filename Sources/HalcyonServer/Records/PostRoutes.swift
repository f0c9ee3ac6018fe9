internal import HalcyonRecords

/// `/certi`: exercise posts, in the second envelope. Everybody who is signed in reads them, their author changes them.
struct PostRoutes: RouteFamily {
    static let schemas: [String: JSONSchema] = ["Post": ShownPost.schema]

    static let idRange = 1...Int.max
    private static let texts = ["ex_time", "ex_intensity", "ex_evalu", "ex_comment", "certi_sport"]

    let records: RecordStore
    let settings: SettingsBox

    var routes: [Route] {
        [
            Route(
                "GET", path: "/certi", access: .signedIn, kind: .users,
                note: RouteNote(
                    summary: "Everybody's posts of a calendar day of the server's time zone, newest first",
                    query: [.init("date", .text(format: "date"), isRequired: true)],
                    answer: .json(.list(.named("Post"))))
            ) { (request, _) throws(Problem) in
                let accepted = "a day such as 2026-03-02"
                guard let text = try request.target.single("date") else { throw .missing("date", accepted: accepted) }
                guard let day = CalendarDay(text) else { throw .wrongType("date", accepted: accepted) }
                return shown(try await orProblem(await records.posts(of: day)))
            },
            Route(
                "POST", path: "/certi", access: .signedIn, kind: .users,
                note: RouteNote(
                    summary: "Posts today's exercise",
                    body: .fields(Self.texts.map { .required($0, .text(length: 0...1000)) }),
                    answer: .json(.named("Post")))
            ) { (request, _) throws(Problem) in
                let user = try request.signedInUser
                let draft = try Self.draft(try RequestBody(request), isWhole: true)
                return shown(
                    try await orProblem(
                        await records.addPost(authorID: user.id, draft: draft, now: settings.current.now())))
            },
            Route(
                "PUT", path: "/certi", access: .signedIn, kind: .users,
                note: RouteNote(
                    summary: "Changes the texts of an own post that are given; without certi_id, of today's latest",
                    body: .fields(
                        [.optional("certi_id", .optional(.numeric(Self.idRange)))]
                            + Self.texts.map { .optional($0, .optional(.text(length: 0...1000))) }),
                    answer: .json(.named("Post")), failures: [404])
            ) { (request, _) throws(Problem) in
                let user = try request.signedInUser
                let body = try RequestBody(request)
                let id = try body.number("certi_id", in: Self.idRange)
                let draft = try Self.draft(body, isWhole: false)
                return shown(
                    try await orProblem(
                        await records.updatePost(
                            id: id, authorID: user.id, draft: draft, now: settings.current.now())))
            },
            Route(
                "GET", path: "/certi/detail/{certiId}", access: .signedIn, kind: .users,
                note: RouteNote(
                    summary: "One post", path: ["certiId": .integer(Self.idRange)], answer: .json(.named("Post")),
                    failures: [404])
            ) { (_, parameters) throws(Problem) in
                let id = try RequestTarget.number(parameters[0], "certiId", in: Self.idRange)
                guard let post = try await orProblem(await records.post(id: id)) else {
                    throw Problem(RecordError.notFound)
                }
                return shown(post)
            },
            Route(
                "DELETE", path: "/certi/{certiId}", access: .signedIn, kind: .users,
                note: RouteNote(
                    summary: "Removes an own post", path: ["certiId": .integer(Self.idRange)], answer: .json(.null),
                    failures: [404])
            ) { (request, parameters) throws(Problem) in
                let user = try request.signedInUser
                let id = try RequestTarget.number(parameters[0], "certiId", in: Self.idRange)
                try await orProblem(await records.removePost(id: id, authorID: user.id))
                return UsersAnswer.success(message: "removed")
            },
            Route(
                "GET", path: "/mypage", access: .signedIn, kind: .users,
                note: RouteNote(summary: "All own posts, newest first", answer: .json(.list(.named("Post"))))
            ) { (request, _) throws(Problem) in
                let user = try request.signedInUser
                return shown(try await orProblem(await records.posts(authorID: user.id)))
            },
        ]
    }

    private static func draft(_ body: RequestBody, isWhole: Bool) throws(Problem) -> ExerciseDraft {
        if isWhole, let missing = texts.first(where: { !body.has($0) }) {
            throw .missing(missing, accepted: "text of at most 1000 characters")
        }
        return ExerciseDraft(
            exTime: try body.text("ex_time"), exIntensity: try body.text("ex_intensity"),
            exEvalu: try body.text("ex_evalu"), exComment: try body.text("ex_comment"),
            certiSport: try body.text("certi_sport"))
    }

    private func shown(_ post: ExercisePost) -> HTTPAnswer {
        UsersAnswer.success(ShownPost(post, settings.current.photoURLs))
    }

    private func shown(_ posts: [ExercisePost]) -> HTTPAnswer {
        let photoURLs = settings.current.photoURLs
        return UsersAnswer.success(posts.map { ShownPost($0, photoURLs) })
    }
}
