/// Why a guidance was given, as it is written on the wire.
public enum GuidanceReason: String, Sendable, Hashable, CaseIterable {
    case dress = "복장 불량"
    case indoorShoes = "실내화 없음"
    case jaywalking = "무단횡단"
    /// The only one that has a detail.
    case other = "기타"
}

/// A guidance together with its student as recorded now.
public struct Guidance: Sendable, Hashable, Codable, Identifiable {
    public let guidanceID: Int
    public let studentID: Int
    public let grade: Int
    public let classNumber: Int
    public let number: Int
    public let name: String
    public let profileImageURL: String?
    /// As sent, since a later service may know more of them.
    public let reason: String
    public let detail: String?
    /// ISO 8601; `nil` from a service that does not say.
    public let createdAt: String?

    public var id: Int { guidanceID }
    /// ``GuidanceReason/other`` for one that this client does not know.
    public var knownReason: GuidanceReason { GuidanceReason(rawValue: reason) ?? .other }

    private enum CodingKeys: CodingKey {
        case guidanceID, studentID, grade, classNumber, number, name, profileImageURL, profileURLImage, reason, detail,
            createdAt
    }

    /// The photo stands under either name.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guidanceID = try container.decode(Int.self, forKey: .guidanceID)
        studentID = try container.decode(Int.self, forKey: .studentID)
        grade = try container.decode(Int.self, forKey: .grade)
        classNumber = try container.decode(Int.self, forKey: .classNumber)
        number = try container.decode(Int.self, forKey: .number)
        name = try container.decode(String.self, forKey: .name)
        profileImageURL =
            try container.decodeIfPresent(String.self, forKey: .profileImageURL)
            ?? container.decodeIfPresent(String.self, forKey: .profileURLImage)
        reason = try container.decode(String.self, forKey: .reason)
        detail = try container.decodeIfPresent(String.self, forKey: .detail)
        createdAt = try container.decodeIfPresent(String.self, forKey: .createdAt)
    }

    /// Under both names, and what is missing as `null`: what a service sends.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(guidanceID, forKey: .guidanceID)
        try container.encode(studentID, forKey: .studentID)
        try container.encode(grade, forKey: .grade)
        try container.encode(classNumber, forKey: .classNumber)
        try container.encode(number, forKey: .number)
        try container.encode(name, forKey: .name)
        try container.encode(profileImageURL, forKey: .profileImageURL)
        try container.encode(profileImageURL, forKey: .profileURLImage)
        try container.encode(reason, forKey: .reason)
        try container.encode(detail, forKey: .detail)
        try container.encodeIfPresent(createdAt, forKey: .createdAt)
    }
}

/// Which guidances of the list.
public struct GuidanceFilter: Sendable, Hashable {
    public enum Status: String, Sendable, Hashable, CaseIterable {
        case valid, deleted, all
    }

    public var grade: Int?
    public var classNumber: Int?
    public var studentID: Int?
    public var status: Status
    /// `nil`: all at once.
    public var limit: Int?
    /// ``Page/next`` of the page before.
    public var after: String?

    public init(
        grade: Int? = nil, classNumber: Int? = nil, studentID: Int? = nil, status: Status = .valid, limit: Int? = nil,
        after: String? = nil
    ) {
        self.grade = grade
        self.classNumber = classNumber
        self.studentID = studentID
        self.status = status
        self.limit = limit
        self.after = after
    }

    var query: RequestTask {
        .query([
            ("grade", grade.map { "\($0)" }), ("classNumber", classNumber.map { "\($0)" }),
            ("studentID", studentID.map { "\($0)" }), ("status", status == .valid ? nil : status.rawValue),
            ("limit", limit.map { "\($0)" }), ("after", after),
        ])
    }
}
