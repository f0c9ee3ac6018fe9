internal import Foundation
internal import Halcyon
internal import HalcyonRecords

/// The body of `POST /cache/purge`: exactly one selector, and `dryRun`.
struct PurgeOrder: Sendable {
    struct Report: Encodable, Sendable {
        var count: Int
        var bytes: Int
        let dryRun: Bool
    }

    private enum Selector: Sendable {
        case purge(ImagePipeline.Purge)
        case urls([String])
        case students([Int])
        case classes(grade: Int, classNumber: Int?)
    }

    private static let selectors = ["expired", "all", "grade", "student", "url", "host", "tag", "olderThan", "toSize"]

    static let fields: [JSONSchema.Property] = [
        .optional("expired", .flag), .optional("all", .flag), .optional("grade", .numeric(1...99)),
        .optional("class", .numeric(1...99)), .optional("student", .anything), .optional("url", .anything),
        .optional("host", .text()), .optional("tag", .anything), .optional("olderThan", .text()),
        .optional("toSize", .anything),
        .optional("dryRun", .flag),
    ]

    private let selector: Selector
    private let isDryRun: Bool

    init(_ body: RequestBody) throws(Problem) {
        try body.refuseOthers(than: Self.selectors + ["class", "dryRun"])
        isDryRun = try body.flag("dryRun")
        let given = Self.selectors.filter { body.has($0) }
        guard let name = given.first else {
            throw .missing("selector", accepted: "one of \(Self.selectors.joined(separator: ", "))")
        }
        guard given.count == 1 else { throw .notAllowed(given[1], "one selector at a time; \(name) is another") }
        if body.has("class") && name != "grade" { throw .notAllowed("class", "accepted together with grade") }
        switch name {
        case "expired", "all":
            guard try body.flag(name) else { throw .outOfRange(name, accepted: "true") }
            selector = .purge(name == "all" ? .all : .expired)
        case "grade":
            selector = .classes(
                grade: try body.number("grade", in: 1...99) ?? 0, classNumber: try body.number("class", in: 1...99))
        case "student":
            selector = .students(try Self.some(body.numbers("student", in: StudentRoutes.idRange), "student"))
        case "url": selector = .urls(try Self.some(body.urls("url"), "url"))
        case "host":
            guard let host = try body.text("host"), !host.isEmpty else {
                throw .missing("host", accepted: "a host name")
            }
            selector = .purge(.host(host))
        case "tag":
            let tags = try body.texts("tag", accepted: "a label such as mount:/photos, as text").map(\.text)
            selector = .purge(.tags(try Self.some(tags, "tag")))
        case "olderThan":
            let age = try body.text("olderThan") ?? ""
            do throws(Quantity.Fault) {
                selector = .purge(.olderThan(.seconds(try Quantity.seconds(age))))
            } catch {
                throw Problem(error, "olderThan", accepted: "a duration such as 30d, 12h, 90m or 45s")
            }
        default:
            selector = .purge(.toSize(try body.size("toSize")))
        }
    }

    private static func some<T>(_ values: [T], _ name: String) throws(Problem) -> [T] {
        guard !values.isEmpty, values.count <= 1000 else { throw .outOfRange(name, accepted: "1 to 1000 values") }
        return values
    }

    func run(pipeline: ImagePipeline, records: RecordStore, logger: Logger) async throws(Problem) -> Report {
        var report = Report(count: 0, bytes: 0, dryRun: isDryRun)
        let purges = try await purges(records: records)
        do throws(ImagePipeline.Error) {
            for purge in purges {
                let one = try await pipeline.purge(purge, isDryRun: isDryRun)
                report.count += one.count
                report.bytes += one.bytes
            }
        } catch {
            throw Self.problem(error)
        }
        logger.log(
            .info, "purge",
            ["count": .number(report.count), "bytes": .number(report.bytes), "dryRun": .flag(isDryRun)])
        return report
    }

    /// URLs were checked before: what is left is no fault of the request's.
    static func problem(_ error: ImagePipeline.Error) -> Problem {
        error.reason == .invalidURL
            ? Problem(400, .outOfRange, "url: \(error.description)")
            : Problem(500, .internal, "the cache could not be changed")
    }

    private func purges(records: RecordStore) async throws(Problem) -> [ImagePipeline.Purge] {
        switch selector {
        case .purge(let purge): return [purge]
        case .urls(let urls): return urls.map { .url($0) }
        case .students(let ids):
            return withURLs(of: try await records.named(ids), tags: ids.map { "student:\($0)" })
        case .classes(let grade, let classNumber):
            let students = try await orProblem(await records.allStudents(grade: grade, classNumber: classNumber))
            let classes = classNumber.map { [$0] } ?? Array(StudentRoutes.seatRange)
            return withURLs(of: students, tags: classes.map { "class:\(grade)-\($0)" })
        }
    }

    /// A photo that two students share, or that was fetched by its URL, does not carry the tags of each of them. A dry run
    /// counts by tags alone, so that nothing is counted twice.
    private func withURLs(of students: [Student], tags: [String]) -> [ImagePipeline.Purge] {
        let urls = isDryRun ? [] : Set(students.compactMap(\.profileImageURL)).sorted()
        return [.tags(tags)] + urls.map { .url($0) }
    }
}
