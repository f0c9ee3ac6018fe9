internal import Foundation
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
                return query.selected(try await orProblem(await tree.notices(clubID: path[0])))
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
                let draft = try wholeDraft(request, clubID: path[0], id: path[1])
                return tree.value(
                    try await orProblem(
                        await records.putNotice(
                            clubID: path[0], id: path[1], draft: draft, now: settings.current.now())))
            },
            route(
                "PATCH", Self.notice,
                RouteNote(
                    summary:
                        "Changes the children of a notice that are given, by name or path (rootUser/nickName), and answers them; with rootUser and title it makes one that is not there",
                    body: .json(.map(.anything)), answer: .json(.map(.anything)), failures: [404])
            ) { (request, path) throws(Problem) in
                .object(try await update(path, try Self.children(request)))
            },
            route(
                "DELETE", Self.notice, RouteNote(summary: "Removes a notice, if it is there", answer: .json(.null))
            ) { (_, path) throws(Problem) in
                try await remove(path)
            },
            route(
                "GET", Self.child,
                RouteNote(summary: "A child of a notice, or null", answer: .json(.anything), failures: [404])
            ) { (_, path) throws(Problem) in
                try await child(path)
            },
            route(
                "PUT", Self.child,
                RouteNote(
                    summary: "Changes one child of a notice, and answers it", body: .json(.anything),
                    answer: .json(.anything), failures: [404])
            ) { (request, path) throws(Problem) in
                try await set(path, try Self.value(request))
            },
            route(
                "PATCH", Self.child,
                RouteNote(
                    summary: "Changes the children of a child of a notice that are given, and answers them",
                    body: .json(.map(.anything)), answer: .json(.map(.anything)), failures: [404])
            ) { (request, path) throws(Problem) in
                let place = try Self.place(path)
                let children = try Self.children(request)
                let named = Dictionary(uniqueKeysWithValues: children.map { ("\(place)/\($0.key)", $0.value) })
                let changed = try await update(path, named)
                return .object(children.reduce(into: [:]) { $0[$1.key] = changed["\(place)/\($1.key)"] })
            },
            route(
                "DELETE", Self.child,
                RouteNote(
                    summary: "Takes away a child that a notice may be without", answer: .json(.null), failures: [404])
            ) { (_, path) throws(Problem) in
                try await set(path, .null)
            },
            route(
                "GET", Self.grandchild,
                RouteNote(summary: "A child of a child of a notice, or null", answer: .json(.anything), failures: [404])
            ) { (_, path) throws(Problem) in
                try await child(path)
            },
            route(
                "PUT", Self.grandchild,
                RouteNote(
                    summary: "Changes one child of a child of a notice, and answers it", body: .json(.anything),
                    answer: .json(.anything), failures: [404])
            ) { (request, path) throws(Problem) in
                try await set(path, try Self.value(request))
            },
            route(
                "DELETE", Self.grandchild,
                RouteNote(
                    summary: "Takes away a child of a child that a notice may be without", answer: .json(.null),
                    failures: [404])
            ) { (_, path) throws(Problem) in
                try await set(path, .null)
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
            let print = try request.target.choice("print", of: ["pretty", "silent"])
            let value = try await handler(request, parameters)
            return print == "silent" ? HTTPAnswer(status: 204) : RecordsAnswer.json(200, value)
        }
    }

    // MARK: Reading

    private func notice(_ path: [String]) async throws(Problem) -> Value {
        return try await orProblem(await tree.notice(clubID: path[0], id: path[1]))
    }

    /// - Parameter path: the club, the notice, and the way from there.
    private func child(_ path: [String]) async throws(Problem) -> Value {
        _ = try Self.place(path)
        return path.dropFirst(2).reduce(try await notice(path)) { $0.child($1) }
    }

    /// Comments are no part of the tree: the app that reads it has none.
    private static func place(_ path: [String]) throws(Problem) -> String {
        guard path[2] != "comments" else {
            throw .notFound("there are no comments in the tree: they are at /noticeBoards/{clubID}/{id}/comments")
        }
        return path.dropFirst(2).joined(separator: "/")
    }

    /// - Parameter path: the club, or the club and a notice.
    private func stream(_ path: [String], _ request: HTTPRequest) async throws(Problem) -> HTTPAnswer {
        guard !request.isHead else { return HTTPAnswer(status: 200, fields: EventRoutes.fields, body: .stream(.ended)) }
        let place = NoticeTreeStream(tree: tree, clubID: path[0], noticeID: path.count > 1 ? path[1] : nil)
        // A place that cannot be is refused before anything is streamed.
        _ = try await orProblem(await records.notice(clubID: path[0], id: ""))
        let stream = try await orProblem(
            await hub.subscribe(
                to: [.noticeBoards(clubID: path[0])], format: place.format, userID: request.user?.id))
        return HTTPAnswer(status: 200, fields: EventRoutes.fields, body: .stream(stream))
    }

    // MARK: Writing

    private func push(clubID: String, _ request: HTTPRequest) async throws(Problem) -> Notice {
        let draft = try wholeDraft(request, clubID: clubID)
        return try await orProblem(await records.pushNotice(clubID: clubID, draft: draft, now: settings.current.now()))
    }

    /// - Returns: what is then at the places.
    private func update(_ path: [String], _ values: [String: Value]) async throws(Problem) -> [String: Value] {
        let update = try NoticeTreeUpdate(values)
        try NoticeBody.checkIdentity(values, clubID: path[0], id: path[1])
        let (tree, clubID) = (tree, path[0])
        let patched = try await orProblem(
            await records.patchNotice(clubID: clubID, id: path[1], now: settings.current.now()) { old in
                Result { () throws(Problem) in
                    if old == nil, update.needsNotice { throw Problem(RecordError.notFound) }
                    let children = try update.children(of: old.map(tree.value)?.members ?? [:])
                    return try JSONBody.decode(NoticeBody.self, from: RequestBody(children)).draft
                        .recorded(clubID: clubID, tree.settings.current.photoURLs)
                }
            })
        let notice = tree.value(try patched.get())
        return values.reduce(into: [:]) { changed, place in
            changed[place.key] =
                place.value == .null ? .null : NoticeTreeUpdate.path(place.key).reduce(notice) { $0.child($1) }
        }
    }

    /// - Parameter path: the club, the notice, and the way from there.
    private func set(_ path: [String], _ value: Value) async throws(Problem) -> Value {
        let place = try Self.place(path)
        guard NoticeTreeUpdate.written.contains(path[2]) else {
            throw .notAllowed("path", "accepted are \(NoticeTreeUpdate.written.joined(separator: ", "))")
        }
        return try await update(path, [place: value])[place] ?? .null
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

    /// - Parameter id: `nil` for a notice that has none yet; the one that it may be sent with is left aside.
    private func wholeDraft(_ request: HTTPRequest, clubID: String, id: String? = nil) throws(Problem) -> NoticeDraft {
        let body = try RequestBody(Self.asJSON(request))
        try NoticeTreeUpdate.check(whole: body.values)
        try NoticeBody.checkIdentity(body.values, clubID: clubID, id: id)
        let draft = try JSONBody.decode(NoticeBody.self, from: body).draft
        guard draft.rootUser != nil else { throw .missing("rootUser", accepted: "an object with id and nickName") }
        guard draft.title != nil else { throw .missing("title", accepted: "text") }
        return draft.recorded(clubID: clubID, settings.current.photoURLs)
    }

    private static func children(_ request: HTTPRequest) throws(Problem) -> [String: Value] {
        let values = try RequestBody(asJSON(request)).values
        guard !values.isEmpty else { throw .missing("the body", accepted: "an object with the children to change") }
        return values
    }

    private static func value(_ request: HTTPRequest) throws(Problem) -> Value {
        try JSONBody.checkShape(request.body)
        do { return try JSONDecoder().decode(Value.self, from: Data(request.body)) } catch {
            throw Problem(400, .notJSON, "the body is not JSON in UTF-8")
        }
    }

    /// That database takes every body for JSON, whatever the client says it is.
    private static func asJSON(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.fields["Content-Type"] = "application/json"
        return request
    }

    private static func isNull(_ body: [UInt8]) -> Bool {
        String(decoding: body, as: UTF8.self).split(whereSeparator: \.isWhitespace) == ["null"]
    }
}
