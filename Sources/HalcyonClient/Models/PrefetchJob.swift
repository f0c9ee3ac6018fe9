/// Whose photos to fetch; nothing named means the whole school.
public struct PrefetchSelection: Sendable, Hashable, Encodable {
    public var grade: Int?
    public var classNumber: Int?
    public var students: [Int]?
    public var urls: [String]?
    /// Also what is fresh.
    public var refresh: Bool?
    /// 1…64
    public var concurrency: Int?

    public init(
        grade: Int? = nil, classNumber: Int? = nil, students: [Int]? = nil, urls: [String]? = nil,
        refresh: Bool? = nil, concurrency: Int? = nil
    ) {
        self.grade = grade
        self.classNumber = classNumber
        self.students = students
        self.urls = urls
        self.refresh = refresh
        self.concurrency = concurrency
    }

    private enum CodingKeys: String, CodingKey {
        case grade
        case classNumber = "class"
        case students = "student"
        case urls = "url"
        case refresh, concurrency
    }
}

/// How far a prefetch has come. The numbers of outcomes add up to `done`, and in the end to `total`.
public struct PrefetchJob: Sendable, Hashable, Decodable, Identifiable {
    public struct Failure: Sendable, Hashable, Decodable {
        /// Student or URL, as asked.
        public let id: String
        public let reason: String
    }

    public let id: String
    /// `running`, `done`, `failed` or `cancelled`.
    public let state: String
    public let total: Int
    public let done: Int
    public let fetched: Int
    public let revalidated: Int
    public let alreadyFresh: Int
    public let noPhoto: Int
    public let missing: Int
    public let timedOut: Int
    public let refused: Int
    public let notAnImage: Int
    public let failedOtherwise: Int
    public let cancelled: Int
    public let bytes: Int
    public let failures: [Failure]
}

/// Whether the service can serve.
public struct Readiness: Sendable, Hashable, Decodable {
    public let ready: Bool
}
