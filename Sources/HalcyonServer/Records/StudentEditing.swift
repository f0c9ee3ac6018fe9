internal import HalcyonHTTP
internal import HalcyonRecords

/// `/students`: adding, changing, removing. Removing a student removes everything recorded about it.
struct StudentEditing: RouteFamily {
    private static let seat = ["grade", "classNumber", "number"]

    private static let properties: [JSONSchema.Property] =
        seat.map { .required($0, .numeric(StudentRoutes.seatRange)) } + [
            .required("name", .text(length: 1...100)), .optional("profileImageURL", .optional(.text())),
        ]

    let records: RecordStore
    let photos: PhotoService
    let settings: SettingsBox

    var routes: [Route] {
        [
            Route(
                "POST", path: "/students", access: .role(.admin), kind: .records,
                note: RouteNote(
                    summary: "Adds a student; without an id it is school year, grade, class and number",
                    body: .fields(
                        Self.properties + [
                            .optional("id", .optional(.numeric(StudentRoutes.idRange))),
                            .optional("schoolYear", .optional(.numeric(1900...9999))),
                        ]),
                    answer: .json(.named("Student")), failures: [409])
            ) { (request, _) throws(Problem) in
                try await add(try RequestBody(request))
            },
            Route(
                "PUT", path: "/students/{id}", access: .role(.admin), kind: .records,
                note: RouteNote(
                    summary: "Changes the fields that are given of a student",
                    path: ["id": .integer(StudentRoutes.idRange)],
                    body: .fields(
                        Self.properties.map { .optional($0.name, $0.schema) } + [
                            .optional("id", .numeric(StudentRoutes.idRange))
                        ]),
                    answer: .json(.named("Student")), failures: [404, 409])
            ) { (request, parameters) throws(Problem) in
                let id = try RequestTarget.number(parameters[0], "id", in: StudentRoutes.idRange)
                return try await change(id, try RequestBody(request))
            },
            Route(
                "DELETE", path: "/students/{id}", access: .role(.admin), kind: .records,
                note: RouteNote(
                    summary: "Removes a student and everything recorded about it; answers with who it was",
                    path: ["id": .integer(StudentRoutes.idRange)], answer: .json(.named("Student")), failures: [404])
            ) { (_, parameters) throws(Problem) in
                let id = try RequestTarget.number(parameters[0], "id", in: StudentRoutes.idRange)
                let student = try await orProblem(
                    await records.removeStudent(id: id), notFound: "there is no such student")
                await photos.dropPhotos(of: student)
                return answer(student)
            },
        ]
    }

    private func add(_ body: RequestBody) async throws(Problem) -> HTTPAnswer {
        var seat: [Int] = []
        for field in Self.seat {
            guard let number = try body.number(field, in: StudentRoutes.seatRange) else {
                throw .missing(field, accepted: "a whole number from 1 to 99")
            }
            seat.append(number)
        }
        let name = try body.requiredText("name", accepted: "1 to 100 characters")
        let year = try body.number("schoolYear", in: 1900...9999)
        let id = try body.number("id", in: StudentRoutes.idRange)
        let url = try Self.photoURL(body)
        let thisYear = try await orProblem(await records.schoolYear(now: settings.current.now()))
        let idByRule = SchoolYear.studentID(
            year: year ?? thisYear, grade: seat[0], classNumber: seat[1], number: seat[2])
        let student: Student
        do throws(RecordError) {
            student = try Student(
                id: id ?? idByRule, grade: seat[0], classNumber: seat[1], number: seat[2], name: name,
                profileImageURL: url)
        } catch { throw Problem(error) }
        try await orProblem(await records.add(student))
        return answer(student)
    }

    private func change(_ id: Int, _ body: RequestBody) async throws(Problem) -> HTTPAnswer {
        if let other = try body.number("id", in: StudentRoutes.idRange), other != id {
            throw .notAllowed("id", "accepted is the id in the path: an id is never changed")
        }
        var patch = StudentPatch()
        patch.grade = try body.number("grade", in: StudentRoutes.seatRange)
        patch.classNumber = try body.number("classNumber", in: StudentRoutes.seatRange)
        patch.number = try body.number("number", in: StudentRoutes.seatRange)
        patch.name = try body.text("name")
        if body.names.contains("profileImageURL") {
            let url = try Self.photoURL(body)
            // What a client was shown and sends back as it was says nothing new.
            if try await !isShown(url, for: id) { patch.photo = url.map { .url($0) } ?? StudentPatch.Photo.none }
        }
        let known = Set(body.names).intersection(Self.seat + ["name", "profileImageURL"])
        guard !known.isEmpty else {
            throw Problem(
                400, .missing, "a field is missing: accepted are grade, classNumber, number, name, profileImageURL")
        }
        let (before, after) = try await orProblem(
            await records.changeStudent(id: id, patch), notFound: "there is no such student")
        if before.profileImageURL != after.profileImageURL || before.photo != after.photo {
            await photos.dropPhotos(of: before)
        }
        return answer(after)
    }

    private func answer(_ student: Student) -> HTTPAnswer {
        RecordsAnswer.success(ShownStudent(student, settings.current.photoURLs))
    }

    private func isShown(_ url: String?, for id: Int) async throws(Problem) -> Bool {
        guard let url else { return false }
        return try await orProblem(await records.student(id: id)).flatMap(settings.current.photoURLs.url) == url
    }

    /// `nil` for nothing: `null` or an empty text.
    private static func photoURL(_ body: RequestBody) throws(Problem) -> String? {
        guard let url = try body.text("profileImageURL"), !url.isEmpty else { return nil }
        // A path is what Halcyon itself shows without --public-url; if it is not that, the rules of records refuse it.
        guard !url.hasPrefix("/") else { return url }
        do throws(URLProblem) { _ = try CanonicalURL(url) } catch {
            throw Problem(400, .outOfRange, "profileImageURL: \(error)")
        }
        return url
    }
}
