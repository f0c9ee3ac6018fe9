internal import Halcyon
internal import HalcyonRecords

/// What `purge` is to drop: exactly one kind of selection.
enum PurgeSelection: Sendable, Equatable {
    /// One purge of the caches.
    case entries(ImagePipeline.Purge)
    case urls([String])
    /// Photos of these students, under whatever URL, now or before.
    case students([Int])
    /// Photos of a class, or of all classes of the grade.
    case school(grade: Int, classNumber: Int?)

    private static let kinds = [
        Options.expired.spec, Options.everything.spec, Options.grade.spec, Options.classNumber.spec,
        Options.student.spec, Options.url.spec, Options.host.spec, Options.tag.spec, Options.olderThan.spec,
        Options.toSize.spec,
    ]

    init(_ settings: Settings) throws(UsageError) {
        var given = settings.given(among: Self.kinds)
        // A switch that was switched off selects nothing.
        if !settings[Options.expired] { given.remove(Options.expired.spec) }
        if !settings[Options.everything] { given.remove(Options.everything.spec) }
        let grade = given.contains(Options.grade.spec) ? settings[Options.grade] : nil
        if given.remove(Options.classNumber.spec) != nil, grade == nil {
            throw UsageError("purge: --class needs --grade")
        }
        guard let kind = given.first else {
            throw UsageError(
                "purge: what? One of --expired, --all, --grade, --student, --url, --host, --tag, --older-than, --to-size"
            )
        }
        guard given.count == 1 else {
            let names = given.map { "--\($0.flag)" }.sorted().joined(separator: ", ")
            throw UsageError("purge: \(names) exclude each other: give one of them")
        }
        switch kind {
        case Options.expired.spec: self = .entries(.expired)
        case Options.everything.spec: self = .entries(.all)
        case Options.url.spec: self = .urls(settings[Options.url])
        case Options.tag.spec: self = .entries(.tags(settings[Options.tag]))
        case Options.student.spec: self = .students(settings[Options.student])
        default:
            if let grade {
                let classNumber =
                    settings.source(of: Options.classNumber.spec) == settings.source(of: Options.grade.spec)
                self = .school(grade: grade, classNumber: classNumber ? settings[Options.classNumber] : nil)
            } else if let host = settings[Options.host], kind == Options.host.spec {
                self = .entries(.host(host))
            } else if let age = settings[Options.olderThan], kind == Options.olderThan.spec {
                self = .entries(.olderThan(age))
            } else {
                self = .entries(.toSize(settings[Options.toSize] ?? 0))
            }
        }
    }

    /// In words, for logs: no URL and no student.
    var description: String {
        switch self {
        case .entries(.expired): "expired"
        case .entries(.all): "all"
        case .entries(.host(let host)): "host \(host)"
        case .entries(.olderThan(let age)): "older than \(DurationText.exact(age))"
        case .entries(.toSize(let bytes)): "to \(ByteSize.exact(bytes))"
        // A tag may name a student.
        case .entries(.tags(let tags)): counted(tags.count, "tag")
        case .entries: "entries"
        case .urls(let urls): counted(urls.count, "URL")
        case .students(let ids): counted(ids.count, "student")
        case .school(let grade, let classNumber): classNumber.map { "class \(grade)-\($0)" } ?? "grade \(grade)"
        }
    }
}
