internal import HalcyonRecords

/// `/noticeBoards`: notices, in the records envelope.
struct NoticeRoutes: RouteFamily {
    static let schemas: [String: JSONSchema] = [
        "NoticeAuthor": .object([
            .required("id", .text(length: 1...128)), .required("nickName", .text(length: 1...100)),
            .optional("profileImageURL", .optional(.text())), .optional("profileImage", .optional(.text())),
            .optional("description", .optional(.text(length: 0...1000))),
        ]),
        "Notice": .object([
            .required("id", .text(length: 1...128)), .required("clubID", .text(length: 1...128)),
            .required("rootUser", .named("NoticeAuthor")), .required("createDate", .text()),
            .required("title", .text(length: 1...200)), .required("content", .text(length: 0...20_000)),
            .required("imageList", .list(.text())), .required("commentCount", .text(pattern: "^[0-9]+$")),
        ]),
    ]

    let records: RecordStore
    let settings: SettingsBox

    var routes: [Route] {
        [
            Route(
                "GET", path: "/noticeBoards/{clubID}", access: .role(.staff), kind: .records,
                note: RouteNote(
                    summary: "The notices of a club, newest first", answer: .json(.list(.named("Notice"))))
            ) { (_, parameters) throws(Problem) in
                try await list(clubID: parameters[0])
            },
            Route(
                "POST", path: "/noticeBoards/{clubID}", access: .role(.staff), kind: .records,
                body: .memory(limit: NoticeBody.limitBytes),
                note: RouteNote(
                    summary: "Puts a notice on a club's board; without rootUser, in the name of whoever is signed in",
                    body: .fields(
                        [
                            .required("title", .text(length: 1...200)),
                            .optional("rootUser", .optional(.named("NoticeAuthor"))),
                            .optional("createDate", .optional(.text())),
                        ] + NoticeBody.properties + NoticeBody.ownProperties),
                    answer: .json(.named("Notice")))
            ) { (request, parameters) throws(Problem) in
                try await add(clubID: parameters[0], request)
            },
            Route(
                "GET", path: "/noticeBoards/{clubID}/{id}", access: .role(.staff), kind: .records,
                note: RouteNote(summary: "One notice", answer: .json(.named("Notice")), failures: [404])
            ) { (_, parameters) throws(Problem) in
                guard let notice = try await orProblem(await records.notice(clubID: parameters[0], id: parameters[1]))
                else {
                    throw Problem(RecordError.notFound)
                }
                return shown(notice)
            },
            Route(
                "PUT", path: "/noticeBoards/{clubID}/{id}", access: .role(.staff), kind: .records,
                body: .memory(limit: NoticeBody.limitBytes),
                note: RouteNote(
                    summary: "Changes title, content and images of a notice, as far as they are given",
                    body: .fields(
                        [
                            .optional("title", .text(length: 1...200)),
                            .optional("rootUser", .optional(.named("NoticeAuthor"))),
                            .optional("createDate", .optional(.text())),
                        ] + NoticeBody.properties + NoticeBody.ownProperties),
                    answer: .json(.named("Notice")), failures: [404])
            ) { (request, parameters) throws(Problem) in
                let clubID = parameters[0]
                let draft = try notice(request, clubID: clubID, id: parameters[1])
                return shown(
                    try await orProblem(
                        await records.updateNotice(
                            clubID: clubID, id: parameters[1],
                            draft: draft.recorded(clubID: clubID, settings.current.photoURLs))))
            },
            Route(
                "DELETE", path: "/noticeBoards/{clubID}/{id}", access: .role(.staff), kind: .records,
                note: RouteNote(
                    summary: "Removes a notice with its comments and images; answers with the notices that remain",
                    answer: .json(.list(.named("Notice"))), failures: [404])
            ) { (_, parameters) throws(Problem) in
                try await orProblem(await records.removeNotice(clubID: parameters[0], id: parameters[1]))
                return try await list(clubID: parameters[0])
            },
        ]
    }

    private func shown(_ notice: Notice) -> HTTPAnswer {
        RecordsAnswer.success(notice.shown(settings.current.photoURLs))
    }

    private func list(clubID: String) async throws(Problem) -> HTTPAnswer {
        let photoURLs = settings.current.photoURLs
        return RecordsAnswer.success(
            try await orProblem(await records.notices(clubID: clubID)).map { $0.shown(photoURLs) })
    }

    private func notice(_ request: HTTPRequest, clubID: String, id: String? = nil) throws(Problem) -> NoticeDraft {
        let body = try RequestBody(request)
        try NoticeBody.checkIdentity(body.values, clubID: clubID, id: id)
        try NoticeBody.checkAuthor(body["rootUser"], in: "rootUser.")
        return try JSONBody.decode(NoticeBody.self, from: body).draft
    }

    private func add(clubID: String, _ request: HTTPRequest) async throws(Problem) -> HTTPAnswer {
        let draft = try notice(request, clubID: clubID)
        guard let author = draft.rootUser ?? request.user.map(NoticeAuthor.init) else {
            throw .missing("rootUser", accepted: "an object with id and nickName")
        }
        guard draft.title != nil else { throw .missing("title", accepted: "text") }
        return shown(
            try await orProblem(
                await records.addNotice(
                    clubID: clubID, rootUser: author, draft: draft, now: settings.current.now())))
    }
}
