internal import HalcyonRecords

/// `/noticeBoards`.
struct NoticeRoutes: Sendable {
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

    /// The fields of a notice that a client sends; others are left alone.
    private struct Body: Decodable, Sendable {
        let rootUser: NoticeAuthor?
        let title: String?
        let content: String?
        let createDate: String?
        let imageList: [String]?

        var draft: NoticeDraft {
            NoticeDraft(title: title, content: content, createDate: createDate, imageList: imageList)
        }
    }

    var routes: [Route] {
        [
            Route(
                "GET", path: "/noticeBoards/{clubID}", access: .role(.staff), kind: .records,
                note: RouteNote(
                    summary: "The notices of a club, newest first", answer: .json(.list(.named("Notice"))))
            ) { (_, parameters) throws(Problem) in
                do throws(RecordError) {
                    return RecordsAnswer.success(try await records.notices(clubID: parameters[0]))
                } catch { throw Problem(error) }
            },
            Route(
                "POST", path: "/noticeBoards/{clubID}", access: .role(.staff), kind: .records,
                note: RouteNote(
                    summary: "Puts a notice on a club's board",
                    body: .json(
                        .object([
                            .required("rootUser", .named("NoticeAuthor")), .required("title", .text(length: 1...200)),
                            .optional("content", .text(length: 0...20_000)), .optional("createDate", .text()),
                            .optional("imageList", .list(.text(format: "uri"), count: 0...100)),
                        ])),
                    answer: .json(.named("Notice")))
            ) { (request, parameters) throws(Problem) in
                let body = try JSONBody.decode(Body.self, from: request)
                guard let author = body.rootUser else {
                    throw .missing("rootUser", accepted: "an object with id and nickName")
                }
                guard body.title != nil else { throw .missing("title", accepted: "text") }
                do throws(RecordError) {
                    return RecordsAnswer.success(
                        try await records.addNotice(clubID: parameters[0], rootUser: author, draft: body.draft))
                } catch { throw Problem(error) }
            },
            Route(
                "PUT", path: "/noticeBoards/{clubID}/{id}", access: .role(.staff), kind: .records,
                note: RouteNote(
                    summary: "Changes title, content and images of a notice",
                    body: .json(
                        .object([
                            .optional("title", .text(length: 1...200)),
                            .optional("content", .text(length: 0...20_000)),
                            .optional("imageList", .list(.text(format: "uri"), count: 0...100)),
                        ])),
                    answer: .json(.named("Notice")))
            ) { (request, parameters) throws(Problem) in
                let body = try JSONBody.decode(Body.self, from: request)
                do throws(RecordError) {
                    return RecordsAnswer.success(
                        try await records.updateNotice(clubID: parameters[0], id: parameters[1], draft: body.draft))
                } catch { throw Problem(error) }
            },
            Route(
                "DELETE", path: "/noticeBoards/{clubID}/{id}", access: .role(.staff), kind: .records,
                note: RouteNote(
                    summary: "Removes a notice; answers with those that remain",
                    answer: .json(.list(.named("Notice"))))
            ) { (_, parameters) throws(Problem) in
                do throws(RecordError) {
                    try await records.removeNotice(clubID: parameters[0], id: parameters[1])
                    return RecordsAnswer.success(try await records.notices(clubID: parameters[0]))
                } catch { throw Problem(error) }
            },
        ]
    }
}
