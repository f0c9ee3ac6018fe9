internal import HalcyonHTTP
internal import HalcyonRecords

/// The tree of notices in the forms of the older clients' database: a `.json` behind a path of the tree, the bare data as
/// answer, `null` for what is not there (https://firebase.google.com/docs/reference/rest/database).
struct NoticeTreeRoutes: RouteFamily {
    typealias Value = RequestBody.Value

    static let schemas: [String: JSONSchema] = [
        "NoticeInTree": .object(
            [
                .required("rootUser", .named("NoticeAuthor")), .required("title", .text(length: 1...200)),
                .optional("createDate", .optional(.text(length: 1...100))),
            ] + NoticeBody.properties)
    ]

    private static let board = "/noticeBoards/{clubID}.json"
    private static let notice = "/noticeBoards/{clubID}/{id}.json"
    private static let child = "/noticeBoards/{clubID}/{id}/{field}.json"
    private static let grandchild = "/noticeBoards/{clubID}/{id}/{field}/{member}.json"

    let records: RecordStore
    let settings: SettingsBox
    let hub: EventHub

    private var tree: NoticeTree { NoticeTree(records: records, settings: settings) }

    var routes: [Route] {
        [
            route(
                "GET", Self.board,
                RouteNote(
                    summary:
                        "All notices of a club by their ids, or null; with Accept: text/event-stream their changes",
                    query: NoticeTreeQuery.parameters, answer: .json(.optional(.map(.anything)))),
                isStreamed: true
            ) { (request, path) throws(Problem) in
                let query = try NoticeTreeQuery(request.target)
                do throws(RecordError) { return query.selected(try await tree.notices(clubID: path[0])) } catch {
                    throw Problem(error)
                }
            },
            route(
                "POST", Self.board,
                RouteNote(
                    summary: "Puts a notice under a new id", body: .json(.named("NoticeInTree")),
                    answer: .json(.object([.required("name", .text())])))
            ) { (request, path) throws(Problem) in
                .object(["name": .text(try await push(clubID: path[0], request).id)])
            },
            route(
                "GET", Self.notice,
                RouteNote(
                    summary: "A notice, or null; with Accept: text/event-stream its changes",
                    query: NoticeTreeQuery.commonParameters,
                    answer: .json(.either([.named("Notice"), .map(.flag), .null]))),
                isStreamed: true
            ) { (request, path) throws(Problem) in
                try NoticeTreeQuery(request.target).shallowed(await notice(path))
            },
            route(
                "PUT", Self.notice,
                RouteNote(
                    summary: "Puts a notice under this id, in place of one that is there; null removes it",
                    body: .json(.optional(.named("NoticeInTree"))), answer: .json(.optional(.named("Notice"))))
            ) { (request, path) throws(Problem) in
                if Self.isNull(request.body) { return try await remove(path) }
                let draft = try wholeDraft(request, clubID: path[0])
                do throws(RecordError) {
                    return tree.value(
                        try await records.putNotice(
                            clubID: path[0], id: path[1], draft: draft, now: settings.current.now()))
                } catch { throw Problem(error) }
            },
            route(
                "PATCH", Self.notice,
                RouteNote(
                    summary: "Changes the children of a notice that are given, and answers them",
                    body: .json(.map(.anything)), answer: .json(.map(.anything)), failures: [404])
            ) { (request, path) throws(Problem) in
                guard !request.body.isEmpty else {
                    throw .missing("the body", accepted: "an object with the children to change")
                }
                let names = try RequestBody(Self.asJSON(request, request.body)).names
                return .object(try await patch(path, request, request.body).filter { names.contains($0.key) })
            },
            route(
                "DELETE", Self.notice, RouteNote(summary: "Removes a notice, if it is there", answer: .json(.null))
            ) { (_, path) throws(Problem) in
                try await remove(path)
            },
            route(
                "GET", Self.child,
                RouteNote(summary: "A child of a notice, or null", answer: .json(.anything))
            ) { (_, path) throws(Problem) in
                try await notice(path).child(path[2])
            },
            route(
                "PUT", Self.child,
                RouteNote(
                    summary: "Changes one child of a notice, and answers it", body: .json(.anything),
                    answer: .json(.anything), failures: [404])
            ) { (request, path) throws(Problem) in
                guard ["rootUser", "title", "content", "createDate", "imageList"].contains(path[2]) else {
                    throw .notAllowed("path", "accepted are rootUser, title, content, createDate and imageList")
                }
                if Self.isNull(request.body), !["content", "imageList"].contains(path[2]) {
                    throw .missing(path[2], accepted: "a value: a notice is not without it")
                }
                let body = Array("{\"\(path[2])\":".utf8) + request.body + Array("}".utf8)
                return Value.object(try await patch(path, request, body)).child(path[2])
            },
            route(
                "GET", Self.grandchild,
                RouteNote(summary: "A child of a child of a notice, or null", answer: .json(.anything))
            ) { (_, path) throws(Problem) in
                try await notice(path).child(path[2]).child(path[3])
            },
        ]
    }

    /// What every route of the tree has in common; `?print=silent` is answered without a body.
    private func route(
        _ method: String, _ path: String, _ note: RouteNote, isStreamed: Bool = false,
        handler: @escaping @Sendable (HTTPRequest, [String]) async throws(Problem) -> Value
    ) -> Route {
        var note = note
        note.statuses = [200, 204]
        return Route(
            method, path: path, access: .role(.staff), kind: .records, envelope: .bare,
            body: .memory(limit: NoticeBody.limitBytes), note: note
        ) { (request, parameters) throws(Problem) in
            if isStreamed, request.fields["Accept"]?.lowercased().contains("text/event-stream") ?? false {
                return try await stream(parameters, request)
            }
            let print = try request.target.single("print")
            guard [nil, "pretty", "silent"].contains(print) else {
                throw .wrongType("print", accepted: "pretty or silent")
            }
            let value = try await handler(request, parameters)
            return print == "silent" ? HTTPAnswer(status: 204) : RecordsAnswer.json(200, value)
        }
    }

    // MARK: Reading

    private func notice(_ path: [String]) async throws(Problem) -> Value {
        do throws(RecordError) { return try await tree.notice(clubID: path[0], id: path[1]) } catch {
            throw Problem(error)
        }
    }

    /// - Parameter path: the club, or the club and a notice.
    private func stream(_ path: [String], _ request: HTTPRequest) async throws(Problem) -> HTTPAnswer {
        guard !request.isHead else { return HTTPAnswer(status: 200, fields: EventRoutes.fields, body: .stream(.ended)) }
        let place = NoticeTreeStream(tree: tree, clubID: path[0], noticeID: path.count > 1 ? path[1] : nil)
        do throws(RecordError) {
            // A place that cannot be is refused before anything is streamed.
            _ = try await records.notice(clubID: path[0], id: "")
            let stream = try await hub.subscribe(
                to: [.noticeBoards(clubID: path[0])], format: place.format, userID: request.user?.id)
            return HTTPAnswer(status: 200, fields: EventRoutes.fields, body: .stream(stream))
        } catch { throw Problem(error) }
    }

    // MARK: Writing

    private func push(clubID: String, _ request: HTTPRequest) async throws(Problem) -> Notice {
        let draft = try wholeDraft(request, clubID: clubID)
        do throws(RecordError) {
            return try await records.pushNotice(clubID: clubID, draft: draft, now: settings.current.now())
        } catch { throw Problem(error) }
    }

    private func patch(
        _ path: [String], _ request: HTTPRequest, _ body: [UInt8]
    ) async throws(Problem) -> [String: Value] {
        let draft = try JSONBody.decode(NoticeBody.self, from: Self.asJSON(request, body)).draft
        do throws(RecordError) {
            let notice = try await records.patchNotice(
                clubID: path[0], id: path[1], draft: draft.recorded(clubID: path[0], settings.current.photoURLs),
                now: settings.current.now())
            return tree.value(notice).members
        } catch { throw Problem(error) }
    }

    private func remove(_ path: [String]) async throws(Problem) -> Value {
        do throws(RecordError) {
            try await records.removeNotice(clubID: path[0], id: path[1])
        } catch RecordError.notFound {
            // It is not there, as was asked for.
        } catch { throw Problem(error) }
        return .null
    }

    // MARK: Bodies

    private func wholeDraft(_ request: HTTPRequest, clubID: String) throws(Problem) -> NoticeDraft {
        let draft = try JSONBody.decode(NoticeBody.self, from: Self.asJSON(request, request.body)).draft
        guard draft.rootUser != nil else { throw .missing("rootUser", accepted: "an object with id and nickName") }
        guard draft.title != nil else { throw .missing("title", accepted: "text") }
        return draft.recorded(clubID: clubID, settings.current.photoURLs)
    }

    /// That database takes every body for JSON, whatever the client says it is.
    private static func asJSON(_ request: HTTPRequest, _ body: [UInt8]) -> HTTPRequest {
        var request = request
        request.fields["Content-Type"] = "application/json"
        request.body = body
        return request
    }

    private static func isNull(_ body: [UInt8]) -> Bool {
        String(decoding: body, as: UTF8.self).split(whereSeparator: \.isWhitespace) == ["null"]
    }
}
