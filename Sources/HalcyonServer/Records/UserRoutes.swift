internal import HalcyonRecords

/// `/users`, what people do with their own account: sign up, sign in and out, change the password. In the second envelope.
struct UserRoutes: RouteFamily {
    static let schemas: [String: JSONSchema] = [
        "Account": .object([
            .required("email", .text()), .required("userName", .text()), .required("password", .constant("")),
            .required("token", .text()), .required("expiresAt", .text(format: "date-time")),
        ])
    ]

    private static let newPassword = JSONSchema.text(length: 10...256)

    let service: SignInService

    var routes: [Route] {
        [
            Route(
                "POST", path: "/users/signup", access: .anyone, kind: .users,
                note: RouteNote(
                    summary: "Makes an account and signs it in",
                    body: .fields(
                        [
                            .required("email", .text(length: 3...254)), .required("password", Self.newPassword),
                            .required("userName", .text(length: 1...100)),
                        ], ignoresOthers: true),
                    answer: .json(.named("Account")), failures: [409, 429])
            ) { (request, _) throws(Problem) in
                let body = try RequestBody(request)
                let (email, password) = try credentials(body)
                let name = try body.requiredText("userName")
                return UsersAnswer.success(
                    try await service.signUp(email: email, password: password, userName: name, from: request.client),
                    message: "signed up")
            },
            Route(
                "POST", path: "/users/signin", access: .anyone, kind: .users,
                note: RouteNote(
                    summary: "Signs in",
                    body: .fields([.required("email", .text()), .required("password", .text())], ignoresOthers: true),
                    answer: .json(.named("Account")), failures: [401, 429])
            ) { (request, _) throws(Problem) in
                let (email, password) = try credentials(try RequestBody(request))
                return UsersAnswer.success(
                    try await service.signIn(email: email, password: password, from: request.client),
                    message: "signed in")
            },
            Route(
                "POST", path: "/users/signout", access: .signedIn, kind: .users,
                note: RouteNote(
                    summary: "Ends the token of the request, or all of its account",
                    body: .fields([.optional("everywhere", .flag)]))
            ) { (request, _) throws(Problem) in
                let isEverywhere = try RequestBody(request).flag("everywhere")
                if isEverywhere, let user = request.user {
                    try await orProblem(await service.records.removeTokens(userID: user.id))
                } else if let token = RequestToken.read(request.fields) {
                    try await orProblem(await service.records.removeToken(token))
                }
                return UsersAnswer.success(message: isEverywhere ? "signed out everywhere" : "signed out")
            },
            Route(
                "PUT", path: "/users/password", access: .signedIn, kind: .users,
                note: RouteNote(
                    summary: "Changes the password and ends all tokens of the account; answers with a new one",
                    body: .fields([.required("password", .text()), .required("newPassword", Self.newPassword)]),
                    answer: .json(.named("Account")), failures: [404, 429])
            ) { (request, _) throws(Problem) in
                let body = try RequestBody(request)
                let password = try body.requiredText("password", accepted: "the present password")
                let newPassword = try body.requiredText("newPassword")
                return UsersAnswer.success(
                    try await service.changePassword(
                        of: try request.signedInUser, password: password, newPassword: newPassword,
                        from: request.client),
                    message: "the password is changed")
            },
        ]
    }

    private func credentials(_ body: RequestBody) throws(Problem) -> (email: String, password: String) {
        (try body.requiredText("email", accepted: "an email address"), try body.requiredText("password"))
    }
}

extension HTTPRequest {
    /// Who asks, on routes for ``Access/signedIn``.
    var signedInUser: User {
        get throws(Problem) {
            guard let user else { throw Problem(401, .notSignedIn, "sign in") }
            return user
        }
    }
}
