/// How many valid guidances a student, a class or a reason has. What it is not counted by is `nil`.
public struct GuidanceCount: Sendable, Hashable, Decodable {
    public let studentID: Int?
    public let grade: Int?
    public let classNumber: Int?
    public let number: Int?
    public let name: String?
    public let reason: String?
    public let count: Int
}

/// Which guidances to count, and together with which others.
public struct GuidanceCountFilter: Sendable, Hashable {
    public enum Grouping: String, Sendable, Hashable, CaseIterable {
        case student, `class`, reason
    }

    public var grouping: Grouping
    /// A day (`2026-11-30`) or a moment of ISO 8601; the last day counts whole.
    public var from: String?
    public var to: String?
    public var grade: Int?
    public var classNumber: Int?

    public init(
        by grouping: Grouping = .class, from: String? = nil, to: String? = nil, grade: Int? = nil,
        classNumber: Int? = nil
    ) {
        self.grouping = grouping
        self.from = from
        self.to = to
        self.grade = grade
        self.classNumber = classNumber
    }

    var query: RequestTask {
        .query([
            ("by", grouping.rawValue), ("from", from), ("to", to), ("grade", grade.map { "\($0)" }),
            ("classNumber", classNumber.map { "\($0)" }),
        ])
    }
}
