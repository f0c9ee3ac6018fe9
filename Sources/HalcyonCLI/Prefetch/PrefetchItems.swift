internal import Halcyon
internal import HalcyonRecords
internal import HalcyonServer

extension Invocation {
    /// What is to be fetched, in the order given: URLs, then students. Without a selection the whole school. The records
    /// are opened only if they are asked.
    func prefetchItems() async throws -> [ImagePrefetcher.Item] {
        let selections = [
            Options.url.spec, Options.urlsFrom.spec, Options.student.spec, Options.grade.spec, Options.classNumber.spec,
        ]
        let given = settings.given(among: selections)
        var items: [ImagePrefetcher.Item] = []
        if given.contains(Options.url.spec) { items += settings[Options.url].map(Self.item(ofURL:)) }
        if given.contains(Options.urlsFrom.spec), let path = settings[Options.urlsFrom] {
            items += try Self.urls(from: path).map(Self.item(ofURL:))
        }
        let asksRecords = !given.isDisjoint(with: [
            Options.student.spec, Options.grade.spec, Options.classNumber.spec,
        ])
        guard asksRecords || given.isEmpty else { return items }

        let records = try records()
        if given.contains(Options.student.spec) {
            for id in settings[Options.student] {
                guard let student = try await records.student(id: id) else { throw CommandFailure.noStudent(id) }
                items.append(item(of: student))
            }
        }
        let grade = given.contains(Options.grade.spec) ? settings[Options.grade] : nil
        let classNumber = given.contains(Options.classNumber.spec) ? settings[Options.classNumber] : nil
        if given.isEmpty || grade != nil || classNumber != nil {
            items += try await records.allStudents(grade: grade, classNumber: classNumber).map(item(of:))
        }
        return items
    }

    private static func item(ofURL url: String) -> ImagePrefetcher.Item {
        ImagePrefetcher.Item(id: Shown.url(url), url: url)
    }

    func item(of student: Student) -> ImagePrefetcher.Item {
        student.prefetchItem(id: "student \(student.id)", media: settings.mediaStore)
    }

    /// One URL a line; empty lines and lines that begin with `#` do not count.
    static func urls(from path: String) throws(CommandFailure) -> [String] {
        let limit = 256 << 20
        let bytes = TextFile.withoutMark(try FileBytes.read(path, what: "--urls-from", limit: limit))
        guard bytes.count <= limit else { throw CommandFailure("--urls-from: more than 256 MiB") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure("--urls-from: \(path) is not UTF-8 text")
        }
        return text.split(whereSeparator: \.isNewline).compactMap { line in
            let url = line.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
            return url.isEmpty || url.hasPrefix("#") ? nil : String(url)
        }
    }
}
