internal import Halcyon
internal import HalcyonRecords
internal import HalcyonServer

/// One purge: done once, or again and again with `--every` and `--schedule`.
struct PurgeRound: Sendable {
    let selection: PurgeSelection
    let pipeline: ImagePipeline
    /// For students and classes: the URLs their photos have now. Opened per round, so that it is as the records are then.
    let records: @Sendable () throws -> RecordStore
    let isDryRun: Bool

    struct Total: Sendable, Equatable {
        var count = 0
        var bytes = 0

        init() {}

        init(_ report: ImagePipeline.PurgeReport) {
            count = report.count
            bytes = report.bytes
        }

        static func += (left: inout Total, right: Total) {
            left.count += right.count
            left.bytes += right.bytes
        }
    }

    func run() async throws -> Total {
        switch selection {
        case .entries(let purge): return Total(try await pipeline.purge(purge, isDryRun: isDryRun))
        case .urls(let urls): return try await sum(urls)
        case .students(let ids):
            let records = try records()
            var students: [Student] = []
            for id in ids {
                if let student = try await records.student(id: id) { students.append(student) }
            }
            // Photos of students who have been removed still carry their label.
            return try await run(tags: ids.map { "student:\($0)" }, students: students)
        case .school(let grade, let classNumber):
            let students = try await records().allStudents(grade: grade, classNumber: classNumber)
            // The labels of the classes find the photos of students who have left, those of the students the others.
            let classes = classNumber.map { [$0] } ?? Array(1...99)
            let tags = classes.map { "class:\(grade)-\($0)" } + students.map { "student:\($0.id)" }
            return try await run(tags: tags, students: students)
        }
    }

    /// What carries a label, then what was fetched by URL alone and so carries none.
    private func run(tags: [String], students: [Student]) async throws -> Total {
        let urls = students.compactMap(\.profileImageURL)
        if isDryRun { return try await dryRun(tags: tags, students: students) }
        var total = Total(try await pipeline.purge(.tags(tags)))
        for url in Set(urls) where try await pipeline.purge(.url(url), isDryRun: true).count > 0 {
            total += Total(try await pipeline.purge(.url(url)))
        }
        return total
    }

    /// An entry that has both the label and the URL is one entry, so what the URLs add is counted by student.
    private func dryRun(tags: [String], students: [Student]) async throws -> Total {
        var total = Total(try await pipeline.purge(.tags(tags), isDryRun: true))
        for student in students {
            guard let url = student.profileImageURL else { continue }
            let byURL = try await pipeline.purge(.url(url), isDryRun: true)
            guard byURL.count > 0 else { continue }
            let byTag = try await pipeline.purge(.tags(student.cacheTags), isDryRun: true)
            if byTag.count == 0 { total += Total(byURL) }
        }
        return total
    }

    private func sum(_ urls: [String]) async throws -> Total {
        var total = Total()
        for url in Set(urls) {
            total += Total(try await pipeline.purge(.url(url), isDryRun: isDryRun))
        }
        return total
    }
}
