internal import Foundation
internal import HalcyonRecords

/// `/user` and `/mypage`: the accounts of the app for exercise posts. They are the accounts of `/users`, with a nickname for
/// `userName` and a cycle beside them.
struct ExerciserRoutes: RouteFamily {
    private static let cycle = JSONSchema.numeric(ExerciseSummary.cycleRange)

    static let schemas: [String: JSONSchema] = [
        "Exerciser": .object([
            .required("email", .text()), .required("userName", .text()), .required("nickname", .text()),
            .required("password", .constant("")), .required("token", .text()),
            .required("expiresAt", .text(format: "date-time")),
        ]),
        "ExerciseSummary": .object([
            .required("nickname", .text()), .required("email", .text()), .required("ex_cycle", .integer(0...7)),
            .required("certi_count", .integer()), .required("week_count", .integer()),
        ]),
    ]

    let records: RecordStore
    let service: SignInService
    let settings: SettingsBox

    private struct Account: Encodable, Sendable {
        let email: String
        /// Under both names that the apps have for it.
        let userName: String
        let nickname: String
        /// Always empty; older clients do not decode an answer without it.
        let password = ""
        let token: String
        let expiresAt: String

        enum CodingKeys: CodingKey { case email, userName, nickname, password, token, expiresAt }

        init(_ signedIn: SignedIn) {
            email = signedIn.user.email
            userName = signedIn.user.userName
            nickname = signedIn.user.userName
            token = signedIn.token
            expiresAt = signedIn.expiresAt.ISO8601Format()
        }
    }

    private struct Summary: Encodable, Sendable {
        let nickname: String
        let email: String
        let cycle: Int
        let count: Int
        let weekCount: Int

        enum CodingKeys: String, CodingKey {
            case nickname, email
            case cycle = "ex_cycle"
            case count = "certi_count"
            case weekCount = "week_count"
        }
    }

    var routes: [Route] {
        [
            Route(
                "POST", path: "/user/signup", access: .anyone, kind: .users,
                note: RouteNote(
                    summary: "Makes an account with an exercise cycle and signs it in",
                    body: .fields(
                        [
                            .required("email", .text(length: 3...254)), .required("password", .text(length: 10...256)),
                            .required("nickname", .text(length: 1...100)), .required("ex_cycle", Self.cycle),
                        ], ignoresOthers: true),
                    answer: .json(.named("Exerciser")), failures: [409, 429])
            ) { (request, _) throws(Problem) in
                try await signUp(request)
            },
            Route(
                "POST", path: "/user/signin", access: .anyone, kind: .users,
                note: RouteNote(
                    summary: "Signs in",
                    body: .fields([.required("email", .text()), .required("password", .text())], ignoresOthers: true),
                    answer: .json(.named("Exerciser")), failures: [401, 429])
            ) { (request, _) throws(Problem) in
                let body = try RequestBody(request)
                let (email, password) = (try body.requiredText("email"), try body.requiredText("password"))
                let signedIn = try await service.signIn(email: email, password: password, from: request.client)
                return UsersAnswer.success(Account(signedIn), message: "signed in")
            },
            Route(
                "GET", path: "/mypage/info", access: .signedIn, kind: .users,
                note: RouteNote(
                    summary:
                        "Nickname, email, cycle (0 until it is set) and the number of own posts: all, and this week's",
                    answer: .json(.named("ExerciseSummary")))
            ) { (request, _) throws(Problem) in
                try await summary(try request.signedInUser)
            },
            Route(
                "PUT", path: "/mypage/cycle", access: .signedIn, kind: .users,
                note: RouteNote(
                    summary: "Sets the exercise cycle", body: .fields([.required("ex_cycle", Self.cycle)]),
                    answer: .json(.named("ExerciseSummary")))
            ) { (request, _) throws(Problem) in
                let user = try request.signedInUser
                let cycle = try Self.cycle(try RequestBody(request))
                try await orProblem(await records.setExerciseCycle(cycle, userID: user.id))
                return try await summary(user)
            },
        ]
    }

    private func signUp(_ request: HTTPRequest) async throws(Problem) -> HTTPAnswer {
        let body = try RequestBody(request)
        let (email, password) = (try body.requiredText("email"), try body.requiredText("password"))
        let nickname = try body.requiredText("nickname")
        let cycle = try Self.cycle(body)
        let signedIn = try await service.signUp(
            email: email, password: password, userName: nickname, from: request.client)
        try await orProblem(await records.setExerciseCycle(cycle, userID: signedIn.user.id))
        return UsersAnswer.success(Account(signedIn), message: "signed up")
    }

    private func summary(_ user: User) async throws(Problem) -> HTTPAnswer {
        let summary = try await orProblem(await records.exerciseSummary(userID: user.id, now: settings.current.now()))
        return UsersAnswer.success(
            Summary(
                nickname: user.userName, email: user.email, cycle: summary.cycle, count: summary.postCount,
                weekCount: summary.postCountThisWeek))
    }

    private static func cycle(_ body: RequestBody) throws(Problem) -> Int {
        guard let cycle = try body.number("ex_cycle", in: ExerciseSummary.cycleRange) else {
            throw .missing("ex_cycle", accepted: "a whole number from 1 to 7")
        }
        return cycle
    }
}
