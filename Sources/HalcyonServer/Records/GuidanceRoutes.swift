internal import Foundation
internal import HalcyonRecords

/// `/guidances`.
struct GuidanceRoutes: RouteFamily {
    private static let idRange = 1...Int.max

    static let schemas: [String: JSONSchema] = [
        "Guidance": .object([
            .required("guidanceID", .integer(idRange)), .required("studentID", .integer(StudentRoutes.idRange)),
            .required("grade", .integer(StudentRoutes.seatRange)),
            .required("classNumber", .integer(StudentRoutes.seatRange)),
            .required("number", .integer(StudentRoutes.seatRange)), .required("name", .text(length: 1...100)),
            .required("profileImageURL", .optional(.text())), .required("profileURLImage", .optional(.text())),
            .required("reason", .choice(GuidanceReason.allCases.map(\.rawValue))),
            .required("detail", .optional(.text(length: 1...1000))), .required("createdAt", .text(format: "date-time")),
        ]),
        "GuidanceCount": .object([
            .optional("studentID", .integer(StudentRoutes.idRange)),
            .optional("grade", .integer(StudentRoutes.seatRange)),
            .optional("classNumber", .integer(StudentRoutes.seatRange)),
            .optional("number", .integer(StudentRoutes.seatRange)), .optional("name", .text(length: 1...100)),
            .optional("reason", .choice(GuidanceReason.allCases.map(\.rawValue))),
            .required("count", .integer(0...Int.max)),
        ]),
    ]

    private static let filters: [RouteNote.Parameter] = [
        .init("grade", .integer(StudentRoutes.seatRange)), .init("classNumber", .integer(StudentRoutes.seatRange)),
        .init("studentID", .integer(StudentRoutes.idRange)),
        .init("status", .choice(GuidanceQuery.Status.allCases.map(\.rawValue))),
        .init("limit", .integer(GuidanceQuery.limitRange)), .init("after", .text()),
    ]

    let records: RecordStore
    let settings: SettingsBox

    var routes: [Route] {
        [
            Route(
                "GET", path: "/guidances", access: .role(.staff), kind: .records,
                note: RouteNote(
                    summary: "Guidances, newest first; valid ones unless asked otherwise, all of them without a limit",
                    query: Self.filters,
                    answer: .json(.list(.named("Guidance"))))
            ) { (request, _) throws(Problem) in
                try await list(try query(request.target))
            },
            Route(
                "GET", path: "/guidances/counts", access: .role(.staff), kind: .records,
                note: RouteNote(
                    summary: "How many valid guidances each student, class or reason has",
                    query: [
                        .init("by", .choice(GuidanceCountQuery.Grouping.allCases.map(\.rawValue))),
                        .init("from", .text()), .init("to", .text()),
                        .init("grade", .integer(StudentRoutes.seatRange)),
                        .init("classNumber", .integer(StudentRoutes.seatRange)),
                    ],
                    answer: .json(.list(.named("GuidanceCount"))))
            ) { (request, _) throws(Problem) in
                try await counts(request.target)
            },
            Route(
                "POST", path: "/guidances", access: .role(.staff), kind: .records,
                note: RouteNote(
                    summary: "Gives a guidance to a student",
                    body: .fields([
                        .required("studentID", .numeric(StudentRoutes.idRange)),
                        .required("reason", .choice(GuidanceReason.allCases.map(\.rawValue))),
                        .optional("detail", .optional(.text(length: 0...1000))),
                    ]),
                    answer: .json(.named("Guidance")), failures: [404])
            ) { (request, _) throws(Problem) in
                try await add(try RequestBody(request))
            },
            Route(
                "DELETE", path: "/guidances/{id}", access: .role(.staff), kind: .records,
                note: RouteNote(
                    summary: "Marks a guidance deleted; answers with those that remain",
                    query: Self.filters, path: ["id": .integer(Self.idRange)],
                    answer: .json(.list(.named("Guidance"))), failures: [404])
            ) { (request, parameters) throws(Problem) in
                let id = try RequestTarget.number(parameters[0], "id", in: Self.idRange)
                let query = try query(request.target)
                try await orProblem(
                    await records.removeGuidance(id: id), notFound: "there is no valid guidance with this id")
                return try await list(query)
            },
            Route(
                "POST", path: "/guidances/{id}/restore", access: .role(.staff), kind: .records,
                note: RouteNote(
                    summary: "Makes a deleted guidance valid again", path: ["id": .integer(Self.idRange)],
                    answer: .json(.named("Guidance")), failures: [404, 409])
            ) { (_, parameters) throws(Problem) in
                let id = try RequestTarget.number(parameters[0], "id", in: Self.idRange)
                return RecordsAnswer.success(
                    try await orProblem(
                        await records.restoreGuidance(id: id), notFound: "there is no guidance with this id"
                    ).shown(settings.current.photoURLs))
            },
        ]
    }

    private func query(_ target: RequestTarget) throws(Problem) -> GuidanceQuery {
        var query = GuidanceQuery(
            grade: try target.number("grade", in: StudentRoutes.seatRange),
            classNumber: try target.number("classNumber", in: StudentRoutes.seatRange),
            studentID: try target.number("studentID", in: StudentRoutes.idRange),
            limit: try target.number("limit", in: GuidanceQuery.limitRange), after: try target.single("after"))
        if let status = try target.choice("status", GuidanceQuery.Status.self) { query.status = status }
        return query
    }

    private func list(_ query: GuidanceQuery) async throws(Problem) -> HTTPAnswer {
        let photoURLs = settings.current.photoURLs
        let page = try await orProblem(await records.guidancePage(matching: query))
        return JSONRows.answer(page.guidances, next: page.next) { json, guidance in
            json.guidance(guidance, photoURL: photoURLs.url(of: guidance.student))
        }
    }

    private func add(_ body: RequestBody) async throws(Problem) -> HTTPAnswer {
        guard let studentID = try body.number("studentID", in: StudentRoutes.idRange) else {
            throw .missing("studentID", accepted: "the id of a student, as a number or a text of digits")
        }
        let reason = try body.requiredText("reason", accepted: "one of the reasons")
        let detail = try body.text("detail")
        return RecordsAnswer.success(
            try await orProblem(
                await records.addGuidance(studentID: studentID, reason: reason, detail: detail),
                notFound: "studentID: there is no such student"
            )
            .shown(settings.current.photoURLs))
    }

    private func counts(_ target: RequestTarget) async throws(Problem) -> HTTPAnswer {
        var query = GuidanceCountQuery(
            from: try Self.moment("from", target, isEnd: false), to: try Self.moment("to", target, isEnd: true),
            grade: try target.number("grade", in: StudentRoutes.seatRange),
            classNumber: try target.number("classNumber", in: StudentRoutes.seatRange))
        if let grouping = try target.choice("by", GuidanceCountQuery.Grouping.self) { query.grouping = grouping }
        return RecordsAnswer.success(try await orProblem(await records.guidanceCounts(query)))
    }

    private static func moment(_ name: String, _ target: RequestTarget, isEnd: Bool) throws(Problem) -> Date? {
        guard let text = try target.single(name) else { return nil }
        guard let moment = PeriodEnd.moment(text, isEnd: isEnd) else {
            throw .wrongType(name, accepted: PeriodEnd.accepted)
        }
        return moment
    }
}
