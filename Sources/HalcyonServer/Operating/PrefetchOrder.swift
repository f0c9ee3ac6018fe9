internal import Halcyon
internal import HalcyonRecords

/// The body of `POST /cache/prefetch`: whose photos to fetch. Nothing named means the whole school.
struct PrefetchOrder: Sendable {
    static let fields: [JSONSchema.Property] = [
        .optional("grade", .numeric(1...99)), .optional("class", .numeric(1...99)), .optional("student", .anything),
        .optional("url", .anything), .optional("variant", .anything), .optional("refresh", .flag),
        .optional("concurrency", .numeric(1...64)),
    ]

    private let grade: Int?
    private let classNumber: Int?
    private let students: [Int]
    private let urls: [String]
    let concurrency: Int
    let variants: [ImageVariant]
    let options: ImageRequest.Options

    init(_ body: RequestBody) throws(Problem) {
        try body.refuseOthers(than: ["grade", "class", "student", "url", "variant", "refresh", "concurrency"])
        grade = try body.number("grade", in: 1...99)
        classNumber = try body.number("class", in: 1...99)
        if classNumber != nil && grade == nil { throw .missing("grade", accepted: "a grade together with class") }
        students = try body.numbers("student", in: StudentRoutes.idRange)
        urls = try body.urls("url")
        variants = try body.texts("variant", accepted: "parameters such as w=128&h=128").map {
            (name, text) throws(Problem) in
            do throws(ImagePipeline.Error) {
                return try ImageVariant(text)
            } catch {
                throw Problem(400, .outOfRange, "\(name): \(error.description)")
            }
        }
        concurrency = try body.number("concurrency", in: 1...64) ?? ImagePrefetcher.defaultConcurrency
        options = .init(cachePolicy: try body.flag("refresh") ? .refresh : .useCache, destination: .disk)
        guard students.count + urls.count <= 100_000 else { throw .outOfRange("student", accepted: "100000 at most") }
    }

    func items(records: RecordStore, media: MediaStore) async throws(Problem) -> [ImagePrefetcher.Item] {
        var items = urls.map { ImagePrefetcher.Item(id: $0, url: $0) }
        items += try await records.named(students).map { $0.prefetchItem(id: "\($0.id)", media: media) }
        if grade != nil || (students.isEmpty && urls.isEmpty) {
            items += try await orProblem(await records.allStudents(grade: grade, classNumber: classNumber))
                .map { $0.prefetchItem(id: "\($0.id)", media: media) }
        }
        return items
    }
}
