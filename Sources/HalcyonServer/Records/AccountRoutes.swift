internal import HalcyonRecords

/// `/users`, what an admin does with the accounts, and what one may know of one's own. In the records envelope.
struct AccountRoutes: RouteFamily {
    private static let idRange = 1...Int.max
    private static let role = JSONSchema.choice(UserRole.allCases.map(\.rawValue))

    static let schemas: [String: JSONSchema] = [
        "User": .object([
            .required("id", .integer(idRange)), .required("email", .text()), .required("userName", .text()),
            .required("role", role),
        ])
    ]

    let records: RecordStore

    var routes: [Route] {
        [
            route(
                "GET", "/users/me", access: .signedIn,
                RouteNote(summary: "Who asks", answer: .json(.named("User")))
            ) { (request, _) throws(Problem) in
                RecordsAnswer.success(ShownUser(try request.signedInUser))
            },
            route(
                "GET", "/users", RouteNote(summary: "The accounts", answer: .json(.list(.named("User"))))
            ) { (_, _) throws(Problem) in
                return RecordsAnswer.success(try await orProblem(await records.users()).map(ShownUser.init))
            },
            route(
                "PUT", "/users/{id}",
                RouteNote(
                    summary: "Changes role or name of an account; the last admin stays one",
                    path: ["id": .integer(Self.idRange)],
                    body: .fields([.optional("role", Self.role), .optional("userName", .text(length: 1...100))]),
                    answer: .json(.named("User")), failures: [409])
            ) { (request, parameters) throws(Problem) in
                let id = try RequestTarget.number(parameters[0], "id", in: Self.idRange)
                return try await update(id, try RequestBody(request))
            },
            route(
                "DELETE", "/users/{id}",
                RouteNote(
                    summary: "Removes an account with its posts and ends its tokens; the last admin stays",
                    path: ["id": .integer(Self.idRange)], failures: [409])
            ) { (_, parameters) throws(Problem) in
                let id = try RequestTarget.number(parameters[0], "id", in: Self.idRange)
                try await orProblem(await records.removeUser(id: id))
                return RecordsAnswer.success(message: "removed")
            },
            route(
                "DELETE", "/users/{id}/tokens",
                RouteNote(
                    summary: "Ends every token of an account; answers how many there were",
                    path: ["id": .integer(Self.idRange)],
                    answer: .json(.object([.required("tokens", .integer(0...Int.max))])))
            ) { (_, parameters) throws(Problem) in
                let id = try RequestTarget.number(parameters[0], "id", in: Self.idRange)
                return RecordsAnswer.success(["tokens": try await orProblem(await records.removeTokens(userID: id))])
            },
        ]
    }

    private func route(
        _ method: String, _ path: String, access: Access = .role(.admin), _ note: RouteNote,
        handler: @escaping @Sendable (HTTPRequest, [String]) async throws(Problem) -> HTTPAnswer
    ) -> Route {
        Route(method, path: path, access: access, kind: .users, envelope: .records, note: note, handler: handler)
    }

    private func update(_ id: Int, _ body: RequestBody) async throws(Problem) -> HTTPAnswer {
        let role = try body.choice("role", UserRole.self)
        let name = try body.text("userName")
        guard role != nil || name != nil else { throw .missing("role", accepted: "a role, or a userName") }
        return RecordsAnswer.success(
            ShownUser(try await orProblem(await records.updateUser(id: id, role: role, userName: name))))
    }

    private struct ShownUser: Encodable, Sendable {
        let id: Int
        let email: String
        let userName: String
        let role: UserRole

        init(_ user: User) {
            id = user.id
            email = user.email
            userName = user.userName
            role = user.role
        }
    }
}
