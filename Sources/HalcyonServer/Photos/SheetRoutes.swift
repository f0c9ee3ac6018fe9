internal import Foundation
internal import Halcyon
internal import HalcyonCrypto
internal import HalcyonImage
internal import HalcyonRecords
internal import HalcyonStore

/// `/classes/{grade}/{class}/sheet`: a class on one page.
struct SheetRoutes: RouteFamily {
    let sheet: ClassSheet
    let settings: SettingsBox

    /// A name or a photo that changes is to be seen soon.
    private static let clientSeconds = 60

    var routes: [Route] {
        [
            Route(
                "GET", path: "/classes/{grade}/{class}/sheet", access: .role(.viewer), kind: .image,
                note: RouteNote(
                    summary: "The contact sheet of a class, with number and name under each face",
                    query: [
                        .init("columns", .integer(ContactSheet.Options.columnsRange)),
                        .init("width", .integer(ContactSheet.Options.widthRange)),
                        .init("format", .choice(ContactSheet.Format.allCases.map(\.rawValue))),
                        .init("heading", .text()),
                    ],
                    path: ["grade": .integer(1...99), "class": .integer(1...99)], answer: .page,
                    failures: PhotoService.keptImageFailures)
            ) { (request, parameters) throws(Problem) in try await self.answer(request, parameters) }
        ]
    }

    private func answer(_ request: HTTPRequest, _ parameters: [String]) async throws(Problem) -> HTTPAnswer {
        let grade = try RequestTarget.number(parameters[0], "grade", in: 1...99)
        let classNumber = try RequestTarget.number(parameters[1], "class", in: 1...99)
        let target = request.target
        let title = try target.single("heading") ?? "\(grade)-\(classNumber)"
        guard title.unicodeScalars.count <= 100 else {
            throw .outOfRange("heading", accepted: "100 characters at most")
        }
        let options = ContactSheet.Options(
            columns: try target.number("columns", in: ContactSheet.Options.columnsRange),
            width: try target.number("width", in: ContactSheet.Options.widthRange),
            format: try target.choice("format") ?? .jpeg, title: title,
            initials: settings.current.placeholder.showsInitials)
        let students = try await orProblem(await sheet.students(grade: grade, classNumber: classNumber))
        guard !students.isEmpty else { throw .notFound("there is nobody in this class") }
        let page: ClassSheet.Page
        do throws(ImagePipeline.Error) {
            page = try await sheet.page(of: students, options: options)
        } catch {
            throw PhotoService.unavailable(error)
        }
        var metadata = page.loaded.entry.metadata
        metadata.contentType = page.contentType
        metadata.digest = Digest(of: page.bytes)
        metadata.byteCount = page.bytes.count
        let entry = CacheEntry(
            key: page.loaded.entry.key, bytes: EntryBytes(copying: page.bytes), metadata: metadata)
        return PhotoAnswer(
            page.loaded.with(entry), now: settings.current.now(),
            clientSeconds: Self.clientSeconds
        ).answer(method: request.method, fields: request.fields)
    }
}
