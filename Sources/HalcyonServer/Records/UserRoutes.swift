internal import HalcyonRecords

/// `/users`: making an account and signing in.
struct UserRoutes: Sendable {
    static let schemas: [String: JSONSchema] = [
        "Account": .object([
            .required("email", .text()), .required("userName", .text()), .required("password", .constant("")),
            .required("token", .text()), .required("expiresAt", .text(format: "date-time")),
        ])
    ]

    let records: RecordStore
    let limiter: SignInLimiter

    var routes: [Route] {
        [
            Route(
                "POST", path: "/users/signup", access: .anyone, kind: .users,
                note: RouteNote(
                    summary: "Makes an account and signs it in",
                    body: .fields([
                        .required("email", .text(length: 3...254)), .required("password", .text(length: 10...256)),
                        .required("userName", .text(length: 1...100)),
                    ]),
                    answer: .json(.named("Account")), failures: [409, 429])
            ) { (request, _) throws(Problem) in
                let body = try JSONObject(request)
                let (email, password) = try credentials(body)
                guard let name = try body.text("userName") else { throw .missing("userName", accepted: "text") }
                try limiter.admit(address: request.client, account: nil)
                do throws(RecordError) {
                    return UsersAnswer.success(
                        try await records.signUp(email: email, password: password, userName: name), message: "signed up"
                    )
                } catch { throw Problem(error) }
            },
            Route(
                "POST", path: "/users/signin", access: .anyone, kind: .users,
                note: RouteNote(
                    summary: "Signs in",
                    body: .fields([.required("email", .text()), .required("password", .text())]),
                    answer: .json(.named("Account")), failures: [401, 429])
            ) { (request, _) throws(Problem) in
                let (email, password) = try credentials(try JSONObject(request))
                try limiter.admit(address: request.client, account: email)
                do throws(RecordError) {
                    return UsersAnswer.success(
                        try await records.signIn(email: email, password: password), message: "signed in")
                } catch { throw Problem(error) }
            },
        ]
    }

    private func credentials(_ body: JSONObject) throws(Problem) -> (email: String, password: String) {
        guard let email = try body.text("email") else { throw .missing("email", accepted: "an email address") }
        guard let password = try body.text("password") else { throw .missing("password", accepted: "text") }
        return (email, password)
    }
}
