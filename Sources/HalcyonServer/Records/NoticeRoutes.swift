internal import HalcyonRecords

/// `/noticeBoards`.
struct NoticeRoutes: Sendable {
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
            Route("GET", path: "/noticeBoards/*", access: .role(.staff), kind: .records) {
                (_, parameters) throws(Problem) in
                do throws(RecordError) {
                    return RecordsAnswer.success(try await records.notices(clubID: parameters[0]))
                } catch { throw Problem(error) }
            },
            Route("POST", path: "/noticeBoards/*", access: .role(.staff), kind: .records) {
                (request, parameters) throws(Problem) in
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
            Route("PUT", path: "/noticeBoards/*/*", access: .role(.staff), kind: .records) {
                (request, parameters) throws(Problem) in
                let body = try JSONBody.decode(Body.self, from: request)
                do throws(RecordError) {
                    return RecordsAnswer.success(
                        try await records.updateNotice(clubID: parameters[0], id: parameters[1], draft: body.draft))
                } catch { throw Problem(error) }
            },
            Route("DELETE", path: "/noticeBoards/*/*", access: .role(.staff), kind: .records) {
                (_, parameters) throws(Problem) in
                do throws(RecordError) {
                    try await records.removeNotice(clubID: parameters[0], id: parameters[1])
                    return RecordsAnswer.success(try await records.notices(clubID: parameters[0]))
                } catch { throw Problem(error) }
            },
        ]
    }
}
