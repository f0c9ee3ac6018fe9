internal import HalcyonRecords

/// `/guidances`.
struct GuidanceRoutes: Sendable {
    private static let idRange = 1...Int.max

    let records: RecordStore
    let settings: SettingsBox

    var routes: [Route] {
        [
            Route("GET", path: "/guidances", access: .role(.staff), kind: .records) { (request, _) throws(Problem) in
                try await list(try query(request.target))
            },
            Route("POST", path: "/guidances", access: .role(.staff), kind: .records) { (request, _) throws(Problem) in
                try await add(try JSONObject(request))
            },
            Route("DELETE", path: "/guidances/*", access: .role(.staff), kind: .records) {
                (_, parameters) throws(Problem) in
                let id = try RequestTarget.number(parameters[0], "id", in: Self.idRange)
                do throws(RecordError) { try await records.removeGuidance(id: id) } catch { throw Problem(error) }
                return try await list(GuidanceQuery())
            },
            Route("POST", path: "/guidances/*/restore", access: .role(.staff), kind: .records) {
                (_, parameters) throws(Problem) in
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
