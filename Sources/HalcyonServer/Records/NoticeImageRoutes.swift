internal import Halcyon
internal import HalcyonRecords

/// Images that are uploaded to notices.
struct NoticeImageRoutes: RouteFamily {
    let records: RecordStore
    let photos: PhotoService
    let settings: SettingsBox

    /// All that one request may hold. Each image is held to the limit of one besides.
    private var limitBytes: Int {
        photos.pipeline.configuration.limits.maximumImageBytes * RecordStore.uploadedImageLimit
    }

    var routes: [Route] {
        [
            Route(
                "POST", path: "/noticeBoards/{clubID}/{id}/images", access: .role(.staff), kind: .records,
                body: .file(limit: limitBytes),
                note: RouteNote(
                    summary: "Adds images, one or several, to a notice's imageList; answers with the notice",
                    body: .images(field: "image"), answer: .json(.named("Notice")), failures: [404, 422])
            ) { (request, parameters) throws(Problem) in
                try await add(clubID: parameters[0], noticeID: parameters[1], request)
            },
            Route(
                "GET", path: "/noticeBoards/{clubID}/images/{name}", access: .role(.staff), kind: .image,
                note: RouteNote(
                    summary: "An image that was uploaded to a notice of this club", answer: .image,
                    failures: PhotoService.keptImageFailures)
            ) { (request, parameters) throws(Problem) in
                try await photos.media(try await image(parameters[1], clubID: parameters[0]), request)
            },
        ]
    }

    private func image(_ name: String, clubID: String) async throws(Problem) -> MediaID {
        guard let media = MediaID(name), try await orProblem(await records.hasImage(media, clubID: clubID)) else {
            throw Problem(RecordError.notFound)
        }
        return media
    }

    /// All of them or none.
    private func add(clubID: String, noticeID: String, _ request: HTTPRequest) async throws(Problem) -> HTTPAnswer {
        let files = request.upload?.files ?? []
        guard !files.isEmpty else {
            throw .missing("image", accepted: "images as parts of multipart/form-data, or one as the body")
        }
        guard files.count <= RecordStore.uploadedImageLimit else {
            throw .outOfRange("image", accepted: "at most \(RecordStore.uploadedImageLimit) images")
        }
        // Before anything is kept for a notice that is not there.
        guard try await orProblem(await records.notice(clubID: clubID, id: noticeID)) != nil else {
            throw Problem(RecordError.notFound)
        }
        var images: [MediaID] = []
        for (index, file) in files.enumerated() {
            images.append(try await photos.receive(file, field: files.count > 1 ? "image[\(index)]" : "image"))
        }
        return RecordsAnswer.success(
            try await orProblem(await records.addImages(images, clubID: clubID, noticeID: noticeID))
                .shown(settings.current.photoURLs))
    }
}
