internal import Halcyon
internal import HalcyonRecords

/// `/certi/image`: the image of an exercise post.
struct PostImageRoutes: RouteFamily {
    let records: RecordStore
    let photos: PhotoService
    let settings: SettingsBox

    var routes: [Route] {
        [
            Route(
                "POST", path: "/certi/image/{certiId}", access: .signedIn, kind: .users,
                body: .file(limit: photos.pipeline.configuration.limits.maximumImageBytes),
                note: RouteNote(
                    summary: "Gives an own post its image, in place of one that it has",
                    path: ["certiId": .integer(PostRoutes.idRange)], body: .images(field: "image"),
                    answer: .json(.named("Post")), failures: [404, 422])
            ) { (request, parameters) throws(Problem) in
                try await set(id: parameters[0], request)
            },
            Route(
                "GET", path: "/certi/image/{certiId}", access: .signedIn, kind: .image, envelope: .users,
                note: RouteNote(
                    summary: "The image of a post", path: ["certiId": .integer(PostRoutes.idRange)], answer: .image,
                    failures: PhotoService.keptImageFailures)
            ) { (request, parameters) throws(Problem) in
                guard let image = try await post(id: parameters[0]).image else {
                    throw .notFound("this post has no image")
                }
                return try await photos.media(image, request)
            },
        ]
    }

    private func post(id: String) async throws(Problem) -> ExercisePost {
        let id = try RequestTarget.number(id, "certiId", in: PostRoutes.idRange)
        guard let post = try await orProblem(await records.post(id: id)) else { throw Problem(RecordError.notFound) }
        return post
    }

    private func set(id: String, _ request: HTTPRequest) async throws(Problem) -> HTTPAnswer {
        let user = try request.signedInUser
        let file = try request.image
        let post = try await post(id: id)
        // Before anything is kept; the store asks again.
        guard post.authorID == user.id else { throw Problem(RecordError.notPermitted) }
        let image = try await photos.receive(file)
        return UsersAnswer.success(
            ShownPost(
                try await orProblem(await records.setPostImage(image, id: post.id, authorID: user.id)),
                settings.current.photoURLs))
    }
}
