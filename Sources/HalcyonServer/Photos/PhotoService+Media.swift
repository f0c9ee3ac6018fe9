internal import Halcyon
internal import HalcyonHTTP
internal import HalcyonRecords

extension PhotoService {
    /// The image, with entity tag, conditions and ranges as any photo. Whether the request may see it is the caller's
    /// affair, each time: the target is not remembered.
    func media(_ id: MediaID, _ request: HTTPRequest) async throws(Problem) -> HTTPAnswer {
        try await photo(
            ImageRequest(provider: media.provider(of: id)), request, try PhotoQuery(request.target).withoutPlaceholder,
            route: .image, isRemembered: false)
    }

    /// Takes an upload in as an image, see ``MediaIntake``.
    ///
    /// - Parameter field: what a problem calls it.
    func receive(_ upload: UploadedFile, field: String = "image") async throws(Problem) -> MediaID {
        let intake = MediaIntake(store: media, records: records, limits: pipeline.configuration.limits)
        do throws(MediaIntake.Failure) {
            return try await intake.take(fileAt: upload.path, isMoved: true, now: settings.current.now())
        } catch {
            throw Problem(error, field: field)
        }
    }

    /// `PUT /students/{id}/photo`: the body is the image, or has it in the field `image`.
    func replacePhoto(_ request: HTTPRequest, id: String) async throws(Problem) -> HTTPAnswer {
        let id = try RequestTarget.number(id, "id", in: StudentRoutes.idRange)
        let file = try request.image
        let before = try await student(id)
        let media = try await receive(file)
        return try await photoChanged(before) { () throws(RecordError) in
            try await self.records.setPhoto(studentID: id, media: media)
        }
    }

    /// `DELETE /students/{id}/photo`: back to no photo, whether it was kept here or elsewhere.
    func removePhoto(id: String) async throws(Problem) -> HTTPAnswer {
        let id = try RequestTarget.number(id, "id", in: StudentRoutes.idRange)
        return try await photoChanged(try await student(id)) { () throws(RecordError) in
            try await self.records.clearPhoto(studentID: id)
        }
    }

    private func student(_ id: Int) async throws(Problem) -> Student {
        guard let student = try await orProblem(await records.student(id: id)) else { throw Self.noStudent }
        return student
    }

    /// Changes the record and drops what the caches have of the photo before.
    private func photoChanged(
        _ before: Student, _ change: () async throws(RecordError) -> Student
    ) async throws(Problem) -> HTTPAnswer {
        let student = try await orProblem(await change(), notFound: Self.noStudent.message)
        recordsChanged()
        await dropPhotos(of: before)
        return RecordsAnswer.success(ShownStudent(student, settings.current.photoURLs))
    }
}

extension HTTPRequest {
    /// The image of a route that takes one.
    ///
    /// - Throws: 400 if there is none, and for any other file, which would be lost.
    var image: UploadedFile {
        get throws(Problem) {
            let files = upload?.files ?? []
            guard let image = files.first(where: { ["", "image"].contains($0.field) }) else {
                throw .missing("image", accepted: "an image as the body, or multipart/form-data with the field image")
            }
            guard let other = files.first(where: { $0 !== image }) else { return image }
            throw .notAllowed(RequestBody.shown(other.field), "accepted is one file, in the field image")
        }
    }
}

extension Problem {
    /// What was uploaded is not taken in: 415 for what it is, 422 for how it is.
    fileprivate init(_ failure: MediaIntake.Failure, field: String) {
        let message = "\(field): \(failure)"
        switch failure {
        case .tooLarge: self.init(413, .tooLarge, message, fields: [("Halcyon-Reason", "too-large")])
        case .image(let reason, _, let isOtherType):
            self.init(isOtherType ? 415 : 422, .notAllowed, message, fields: [("Halcyon-Reason", reason)])
        case .media(let error): self.init(500, .internal, "the image could not be kept: \(error)")
        case .record(let error): self.init(error)
        }
    }
}
