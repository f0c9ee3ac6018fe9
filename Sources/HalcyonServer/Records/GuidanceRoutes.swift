internal import HalcyonRecords

/// `/guidances`.
struct GuidanceRoutes: Sendable {
    private static let idRange = 1...Int.max

    static let schemas: [String: JSONSchema] = [
        "Guidance": .object([
            .required("guidanceID", .integer(idRange)), .required("studentID", .integer(StudentRoutes.idRange)),
            .required("grade", .integer(StudentRoutes.seatRange)),
            .required("classNumber", .integer(StudentRoutes.seatRange)),
            .required("number", .integer(StudentRoutes.seatRange)), .required("name", .text(length: 1...100)),
            .required("profileImageURL", .optional(.text())), .required("profileURLImage", .optional(.text())),
            .required("reason", .choice(GuidanceReason.allCases.map(\.rawValue))),
            .required("detail", .optional(.text(length: 1...1000))),
        ])
    ]

    let records: RecordStore
    let settings: SettingsBox

    var routes: [Route] {
        [
            Route(
                "GET", path: "/guidances", access: .role(.staff), kind: .records,
                note: RouteNote(
                    summary: "Guidances, newest first; valid ones unless asked otherwise",
                    query: [
                        .init("grade", .integer(StudentRoutes.seatRange)),
                        .init("classNumber", .integer(StudentRoutes.seatRange)),
                        .init("studentID", .integer(StudentRoutes.idRange)),
                        .init("status", .choice(GuidanceQuery.Status.allCases.map(\.rawValue))),
                    ],
                    answer: .json(.list(.named("Guidance"))))
            ) { (request, _) throws(Problem) in
                try await list(try query(request.target))
            },
            Route(
                "POST", path: "/guidances", access: .role(.staff), kind: .records,
                note: RouteNote(
                    summary: "Gives a guidance to a student",
                    body: .fields([
                        .required("studentID", .numeric(StudentRoutes.idRange)),
                        .required("reason", .choice(GuidanceReason.allCases.map(\.rawValue))),
                        .optional("detail", .text(length: 0...1000)),
                    ]),
                    answer: .json(.named("Guidance")), failures: [404])
            ) { (request, _) throws(Problem) in
                try await add(try JSONObject(request))
            },
            Route(
                "DELETE", path: "/guidances/{id}", access: .role(.staff), kind: .records,
                note: RouteNote(
                    summary: "Marks a guidance deleted; answers with those that remain",
                    path: ["id": .integer(Self.idRange)], answer: .json(.list(.named("Guidance"))))
            ) { (_, parameters) throws(Problem) in
                let id = try RequestTarget.number(parameters[0], "id", in: Self.idRange)
                do throws(RecordError) { try await records.removeGuidance(id: id) } catch { throw Problem(error) }
                return try await list(GuidanceQuery())
            },
            Route(
                "POST", path: "/guidances/{id}/restore", access: .role(.staff), kind: .records,
                note: RouteNote(
                    summary: "Makes a deleted guidance valid again", path: ["id": .integer(Self.idRange)],
                    answer: .json(.named("Guidance")))
            ) { (_, parameters) throws(Problem) in
                let id = try RequestTarget.number(parameters[0], "id", in: Self.idRange)
                do throws(RecordError) {
                    return RecordsAnswer.success(
                        try await records.restoreGuidance(id: id).shown(settings.current.photoURLs))
                } catch { throw Problem(error) }
            },
        ]
    }

    private func query(_ target: RequestTarget) throws(Problem) -> GuidanceQuery {
        var query = GuidanceQuery(
            grade: try target.number("grade", in: StudentRoutes.seatRange),
            classNumber: try target.number("classNumber", in: StudentRoutes.seatRange),
            studentID: try target.number("studentID", in: StudentRoutes.idRange))
        if let text = try target.single("status") {
            guard let status = GuidanceQuery.Status(rawValue: text) else {
                let accepted = GuidanceQuery.Status.allCases.map(\.rawValue).joined(separator: ", ")
                throw .wrongType("status", accepted: accepted)
            }
            query.status = status
        }
        return query
    }

    private func list(_ query: GuidanceQuery) async throws(Problem) -> HTTPAnswer {
        do throws(RecordError) {
            let photoURLs = settings.current.photoURLs
            return RecordsAnswer.success(try await records.guidances(matching: query).map { $0.shown(photoURLs) })
        } catch { throw Problem(error) }
    }

    private func add(_ body: JSONObject) async throws(Problem) -> HTTPAnswer {
        guard let studentID = try body.number("studentID", in: StudentRoutes.idRange) else {
            throw .missing("studentID", accepted: "the id of a student, as a number or a text of digits")
        }
        guard let reason = try body.text("reason") else { throw .missing("reason", accepted: "one of the reasons") }
        let detail = try body.text("detail")
        do throws(RecordError) {
            return RecordsAnswer.success(
                try await records.addGuidance(studentID: studentID, reason: reason, detail: detail)
                    .shown(settings.current.photoURLs))
        } catch { throw Problem(error) }
    }
}
