internal import Halcyon
internal import HalcyonRecords

extension PhotoService {
    /// Not modified, a condition that fails, a range that cannot be had; with `placeholder=none` what is the matter.
    private static let imageFailures = keptImageFailures + [502, 504]
    /// Of an image that is kept here.
    static let keptImageFailures = [304, 404, 412, 416]

    var routes: [Route] {
        [
            Route(
                "GET", path: "/students/{id}/photo", access: .role(.viewer), kind: .photo,
                note: RouteNote(
                    summary: "A student's photo, or a placeholder", query: PhotoQuery.parameters,
                    path: ["id": .integer(StudentRoutes.idRange)], answer: .image,
                    failures: Self.imageFailures)
            ) { (request, parameters) throws(Problem) in try await self.studentPhoto(request, id: parameters[0])
            },
            Route(
                "PUT", path: "/students/{id}/photo", access: .role(.admin), kind: .records,
                body: .file(limit: pipeline.configuration.limits.maximumImageBytes),
                note: RouteNote(
                    summary: "Gives a student a photo of its own", path: ["id": .integer(StudentRoutes.idRange)],
                    body: .images(field: "image"), answer: .json(.named("Student")), failures: [404, 422])
            ) { (request, parameters) throws(Problem) in try await self.replacePhoto(request, id: parameters[0]) },
            Route(
                "DELETE", path: "/students/{id}/photo", access: .role(.admin), kind: .records,
                note: RouteNote(
                    summary: "Back to no photo", path: ["id": .integer(StudentRoutes.idRange)],
                    answer: .json(.named("Student")), failures: [404])
            ) { (_, parameters) throws(Problem) in try await self.removePhoto(id: parameters[0]) },
            Route(
                "GET", path: "/images/{signature}/{url}", access: .anyone, kind: .image,
                note: RouteNote(
                    summary: "An image whose URL was signed", query: PhotoQuery.parameters, answer: .image,
                    failures: Self.imageFailures + [403])
            ) { (request, parameters) throws(Problem) in
                try await self.signedImage(request, signature: parameters[0], encodedURL: parameters[1])
            },
            Route(
                "GET", path: "/images", access: .role(.viewer), kind: .image,
                note: RouteNote(
                    summary: "An image of an allow-listed host",
                    query: [.init("url", .text(format: "uri"), isRequired: true)] + PhotoQuery.parameters,
                    answer: .image, failures: Self.imageFailures)
            ) { (request, _) throws(Problem) in
                try await self.image(request)
            },
        ]
    }
}
