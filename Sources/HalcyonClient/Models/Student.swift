/// A pupil.
public struct Student: Sendable, Hashable, Codable, Identifiable {
    public let id: Int
    public let grade: Int
    public let classNumber: Int
    public let number: Int
    public let name: String
    /// Where the photo is to be had; `nil` if there is none.
    public let profileImageURL: String?

    public init(
        id: Int, grade: Int, classNumber: Int, number: Int, name: String, profileImageURL: String? = nil
    ) {
        self.id = id
        self.grade = grade
        self.classNumber = classNumber
        self.number = number
        self.name = name
        self.profileImageURL = profileImageURL
    }
}

/// A pupil to be added.
public struct NewStudent: Sendable, Hashable, Encodable {
    /// `nil`: made of school year, grade, class and number.
    public var id: Int?
    /// `nil`: the present one.
    public var schoolYear: Int?
    public var grade: Int
    public var classNumber: Int
    public var number: Int
    public var name: String
    public var profileImageURL: String?

    public init(
        id: Int? = nil, schoolYear: Int? = nil, grade: Int, classNumber: Int, number: Int, name: String,
        profileImageURL: String? = nil
    ) {
        self.id = id
        self.schoolYear = schoolYear
        self.grade = grade
        self.classNumber = classNumber
        self.number = number
        self.name = name
        self.profileImageURL = profileImageURL
    }
}

/// What an edit of a student changes; `nil` leaves the field as it is.
public struct StudentChange: Sendable, Hashable, Encodable {
    public var grade: Int?
    public var classNumber: Int?
    public var number: Int?
    public var name: String?
    public var profileImageURL: FieldChange<String>

    public init(
        grade: Int? = nil, classNumber: Int? = nil, number: Int? = nil, name: String? = nil,
        profileImageURL: FieldChange<String> = .unchanged
    ) {
        self.grade = grade
        self.classNumber = classNumber
        self.number = number
        self.name = name
        self.profileImageURL = profileImageURL
    }

    private enum CodingKeys: CodingKey { case grade, classNumber, number, name, profileImageURL }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(grade, forKey: .grade)
        try container.encodeIfPresent(classNumber, forKey: .classNumber)
        try container.encodeIfPresent(number, forKey: .number)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encode(profileImageURL, forKey: .profileImageURL)
    }
}

/// Which students of the list.
public struct StudentFilter: Sendable, Hashable {
    public var grade: Int?
    public var classNumber: Int?
    /// The beginning of a name, or of its initial consonants (`ㄱㅁㅈ`).
    public var name: String?
    /// 1…500; `nil`: what the service chooses.
    public var limit: Int?
    /// ``Page/next`` of the page before.
    public var after: String?

    public init(
        grade: Int? = nil, classNumber: Int? = nil, name: String? = nil, limit: Int? = nil, after: String? = nil
    ) {
        self.grade = grade
        self.classNumber = classNumber
        self.name = name
        self.limit = limit
        self.after = after
    }

    var query: RequestTask {
        .query([
            ("grade", grade.map { "\($0)" }), ("classNumber", classNumber.map { "\($0)" }), ("q", name),
            ("limit", limit.map { "\($0)" }), ("after", after),
        ])
    }
}

/// How many classes and students there are.
public struct SchoolTotals: Sendable, Hashable, Codable {
    /// Grade → classes.
    public let numOfClasses: [Int: Int]
    /// Grade → class → students.
    public let numOfStudents: [Int: [Int: Int]]

    public init(numOfClasses: [Int: Int], numOfStudents: [Int: [Int: Int]]) {
        self.numOfClasses = numOfClasses
        self.numOfStudents = numOfStudents
    }
}
