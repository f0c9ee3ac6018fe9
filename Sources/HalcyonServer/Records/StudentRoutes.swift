internal import HalcyonRecords

/// `/students`: reading.
struct StudentRoutes: RouteFamily {
    static let idRange = 1...9_007_199_254_740_991
    static let seatRange = 1...99

    static let schemas: [String: JSONSchema] = [
        "Student": .object([
            .required("id", .integer(idRange)), .required("grade", .integer(seatRange)),
            .required("classNumber", .integer(seatRange)), .required("number", .integer(seatRange)),
            .required("name", .text(length: 1...100)), .required("profileImageURL", .optional(.text())),
        ]),
        "SchoolTotals": .object([
            .required("numOfClasses", .map(.integer())), .required("numOfStudents", .map(.map(.integer()))),
        ]),
    ]

    let records: RecordStore
    let settings: SettingsBox

    var routes: [Route] {
        [
            Route(
                "GET", path: "/students/totalNumber", access: .role(.viewer), kind: .records,
                note: RouteNote(
                    summary: "How many classes and students there are", answer: .json(.named("SchoolTotals")))
            ) { (_, _) throws(Problem) in
                return RecordsAnswer.success(try await orProblem(await records.totals()))
            },
            Route(
                "GET", path: "/students/search", access: .role(.viewer), kind: .records,
                note: RouteNote(
                    summary:
                        "One student, by id or by grade, class and number; with an id, what is given of the others must fit",
                    query: [
                        .init("id", .integer(Self.idRange)), .init("grade", .integer(Self.seatRange)),
                        .init("classNumber", .integer(Self.seatRange)), .init("number", .integer(Self.seatRange)),
                    ],
                    answer: .json(.named("Student")), failures: [404])
            ) { (request, _) throws(Problem) in try await search(request.target)
            },
            Route(
                "GET", path: "/students", access: .role(.viewer), kind: .records,
                note: RouteNote(
                    summary: "Students in order of grade, class, number, a page at a time",
                    query: [
                        .init("grade", .integer(Self.seatRange)), .init("classNumber", .integer(Self.seatRange)),
                        .init("q", .text()), .init("limit", .integer(StudentQuery.limitRange)), .init("after", .text()),
                    ],
                    answer: .json(.list(.named("Student"))))
            ) { (request, _) throws(Problem) in try await list(request.target)
            },
            Route(
                "GET", path: "/students/{id}", access: .role(.viewer), kind: .records,
                note: RouteNote(
                    summary: "One student", path: ["id": .integer(Self.idRange)], answer: .json(.named("Student")),
                    failures: [404])
            ) { (_, parameters) throws(Problem) in
                try await student(id: try RequestTarget.number(parameters[0], "id", in: Self.idRange))
            },
        ]
    }

    private func search(_ target: RequestTarget) async throws(Problem) -> HTTPAnswer {
        let id = try target.number("id", in: Self.idRange)
        let grade = try target.number("grade", in: Self.seatRange)
        let classNumber = try target.number("classNumber", in: Self.seatRange)
        let number = try target.number("number", in: Self.seatRange)
        let student: Student?
        if let id {
            // Who sits elsewhere is not the one who was asked for.
            student = try await orProblem(await records.student(id: id)).flatMap { student in
                let fits =
                    (grade ?? student.grade, classNumber ?? student.classNumber, number ?? student.number)
                    == (student.grade, student.classNumber, student.number)
                return fits ? student : nil
            }
        } else if let grade, let classNumber, let number {
            student = try await orProblem(await records.student(grade: grade, classNumber: classNumber, number: number))
        } else {
            let missing = grade == nil ? "grade" : classNumber == nil ? "classNumber" : "number"
            throw Problem.missing(missing, accepted: "id, or grade, classNumber and number together")
        }
        return try found(student)
    }

    private func student(id: Int) async throws(Problem) -> HTTPAnswer {
        try found(try await orProblem(await records.student(id: id)))
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
        let page = try await orProblem(await records.students(matching: query))
        let photoURLs = settings.current.photoURLs
        return JSONRows.answer(page.students, next: page.next) { json, student in
            json.student(student, photoURL: photoURLs.url(of: student))
        }
    }
}
