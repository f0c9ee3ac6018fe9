internal import HalcyonRecords

/// `/noticeBoards/{clubID}/{id}/comments`.
struct NoticeCommentRoutes: RouteFamily {
    static let schemas: [String: JSONSchema] = [
        "NoticeComment": .object([
            .required("id", .text()), .required("clubID", .text()), .required("noticeID", .text()),
            .required("author", .named("NoticeAuthor")), .required("createDate", .text()),
            .required("content", .text(length: 1...2000)),
        ])
    ]

    private static let content = JSONSchema.Property.required("content", .text(length: 1...2000))

    let records: RecordStore
    let settings: SettingsBox

    private struct Body: Decodable, Sendable {
        let author: NoticeAuthor?
        let content: String
        let createDate: String?
    }

    private struct Edit: Decodable, Sendable {
        let content: String
    }

    var routes: [Route] {
        [
            Route(
                "GET", path: "/noticeBoards/{clubID}/{id}/comments", access: .role(.staff), kind: .records,
                note: RouteNote(
                    summary: "The comments of a notice, oldest first",
                    answer: .json(.list(.named("NoticeComment"))), failures: [404])
            ) { (_, parameters) throws(Problem) in
                try await list(clubID: parameters[0], noticeID: parameters[1])
            },
            Route(
                "POST", path: "/noticeBoards/{clubID}/{id}/comments", access: .role(.staff), kind: .records,
                note: RouteNote(
                    summary: "Comments on a notice; without author, in the name of whoever is signed in",
                    body: .fields([
                        Self.content, .optional("author", .optional(.named("NoticeAuthor"))),
                        .optional("createDate", .optional(.text())),
                    ]),
                    answer: .json(.named("NoticeComment")), failures: [404])
            ) { (request, parameters) throws(Problem) in
                let fields = try RequestBody(request)
                try NoticeBody.checkAuthor(fields["author"], in: "author.")
                let body = try JSONBody.decode(Body.self, from: fields)
                guard let author = body.author ?? request.user.map(NoticeAuthor.init) else {
                    throw .missing("author", accepted: "an object with id and nickName")
                }
                return RecordsAnswer.success(
                    try await orProblem(
                        await records.addComment(
                            clubID: parameters[0], noticeID: parameters[1], author: author, content: body.content,
                            createDate: body.createDate, now: settings.current.now())))
            },
            Route(
                "PUT", path: "/noticeBoards/{clubID}/{id}/comments/{commentID}", access: .role(.staff),
                kind: .records,
                note: RouteNote(
                    summary: "Changes what a comment says", body: .fields([Self.content]),
                    answer: .json(.named("NoticeComment")), failures: [404])
            ) { (request, parameters) throws(Problem) in
                let body = try JSONBody.decode(Edit.self, from: request)
                return RecordsAnswer.success(
                    try await orProblem(
                        await records.updateComment(
                            clubID: parameters[0], noticeID: parameters[1], id: parameters[2],
                            content: body.content)))
            },
            Route(
                "DELETE", path: "/noticeBoards/{clubID}/{id}/comments/{commentID}", access: .role(.staff),
                kind: .records,
                note: RouteNote(
                    summary: "Removes a comment; answers with those that remain",
                    answer: .json(.list(.named("NoticeComment"))), failures: [404])
            ) { (_, parameters) throws(Problem) in
                try await orProblem(
                    await records.removeComment(
                        clubID: parameters[0], noticeID: parameters[1], id: parameters[2]))
                return try await list(clubID: parameters[0], noticeID: parameters[1])
            },
        ]
    }

    private func list(clubID: String, noticeID: String) async throws(Problem) -> HTTPAnswer {
        return RecordsAnswer.success(try await orProblem(await records.comments(clubID: clubID, noticeID: noticeID)))
    }
}
