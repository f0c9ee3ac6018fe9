internal import HalcyonRecords

/// `/students`: reading.
struct StudentRoutes: Sendable {
    static let idRange = 1...9_007_199_254_740_991
    static let seatRange = 1...99

    let records: RecordStore
    let settings: SettingsBox

    var routes: [Route] {
        [
            Route("GET", path: "/students/totalNumber", access: .role(.viewer), kind: .records) {
                (_, _) throws(Problem) in
                do throws(RecordError) {
                    return RecordsAnswer.success(try await records.totals())
                } catch { throw Problem(error) }
            },
            Route("GET", path: "/students/search", access: .role(.viewer), kind: .records) {
                (request, _) throws(Problem) in try await search(request.target)
            },
            Route("GET", path: "/students", access: .role(.viewer), kind: .records) {
                (request, _) throws(Problem) in try await list(request.target)
            },
            Route("GET", path: "/students/*", access: .role(.viewer), kind: .records) {
                (_, parameters) throws(Problem) in
                try await student(id: try RequestTarget.number(parameters[0], "id", in: Self.idRange))
            },
        ]
    }

    private func search(_ target: RequestTarget) async throws(Problem) -> HTTPAnswer {
        if let id = try target.number("id", in: Self.idRange) { return try await student(id: id) }
        let fields = ["grade", "classNumber", "number"]
        var seat: [Int] = []
        for field in fields {
            guard let value = try target.number(field, in: Self.seatRange) else {
                throw .missing(field, accepted: "id, or grade, classNumber and number together")
            }
            seat.append(value)
        }
        let student: Student?
        do throws(RecordError) {
            student = try await records.student(grade: seat[0], classNumber: seat[1], number: seat[2])
        } catch { throw Problem(error) }
        return try found(student)
    }

    private func student(id: Int) async throws(Problem) -> HTTPAnswer {
        let student: Student?
        do throws(RecordError) { student = try await records.student(id: id) } catch { throw Problem(error) }
        return try found(student)
    }

    private func found(_ student: Student?) throws(Problem) -> HTTPAnswer {
        guard let student else { throw .notFound("there is no such student") }
        return RecordsAnswer.success(ShownStudent(student, settings.current.photoURLs))
    }

    private func list(_ target: RequestTarget) async throws(Problem) -> HTTPAnswer {
        let query = StudentQuery(
            grade: try target.number("grade", in: Self.seatRange),
            classNumber: try target.number("classNumber", in: Self.seatRange),
            nameQuery: try target.single("q"),
            limit: try target.number("limit", in: StudentQuery.limitRange) ?? StudentQuery.defaultLimit,
            after: try target.single("after"))
        do throws(RecordError) {
            let page = try await records.students(matching: query)
            let photoURLs = settings.current.photoURLs
            return RecordsAnswer.success(page.students.map { ShownStudent($0, photoURLs) }, next: page.next)
        } catch { throw Problem(error) }
    }
}
