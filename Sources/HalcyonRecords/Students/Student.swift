internal import HalcyonCrypto
internal import HalcyonSQLite

/// A pupil. Every value that exists is valid: the initialiser checks what the schema checks.
package struct Student: Sendable, Hashable {
    /// 1…2^53 − 1, so that it survives any JSON reader.
    package let id: Int
    /// 1…99, as are ``classNumber`` and ``number``. The three together are the seat, which one student has.
    package let grade: Int
    package let classNumber: Int
    package let number: Int
    /// 1…100 characters without control characters; surrounding white space is dropped.
    package let name: String
    /// An absolute http or https URL of at most 8 KiB, as it was given; `nil` if none was.
    package let profileImageURL: String?
    /// A photo of the student's own, kept here. It comes before the URL; not part of the JSON form.
    package let photo: MediaID?

    /// - Throws: ``RecordError/invalid(field:accepted:)`` naming the first field that is out of its range.
    package init(
        id: Int, grade: Int, classNumber: Int, number: Int, name: String, profileImageURL: String? = nil,
        photo: MediaID? = nil
    ) throws(RecordError) {
        self.id = try StudentRules.id(id)
        self.grade = try StudentRules.seat(grade, field: "grade")
        self.classNumber = try StudentRules.seat(classNumber, field: "classNumber")
        self.number = try StudentRules.seat(number, field: "number")
        self.name = try StudentRules.name(name)
        self.profileImageURL = try StudentRules.photoURL(profileImageURL)
        self.photo = photo
    }

    /// Changes when, and only when, the photo does: with the bytes of ``photo``, else with ``profileImageURL``. 16
    /// hexadecimal digits, `nil` without a photo.
    package var photoVersion: String? {
        if let photo { return String(photo.digestText.prefix(16)) }
        return profileImageURL.map { Hex.encode(Digest(of: Array($0.utf8)).bytes.prefix(8)) }
    }

    /// As given anew, in place of `old`: what was said last about the photo counts. Another URL replaces the photo that
    /// is kept here; the same URL, or none, says nothing about it.
    func replacing(_ old: Student) -> Student {
        let isNewURL = profileImageURL != nil && profileImageURL != old.profileImageURL
        return Student(self, photo: isNewURL ? nil : old.photo)
    }

    func withID(_ id: Int) -> Student { Student(self, id: id, photo: photo) }

    private init(_ student: Student, id: Int? = nil, photo: MediaID?) {
        self.id = id ?? student.id
        grade = student.grade
        classNumber = student.classNumber
        number = student.number
        name = student.name
        profileImageURL = student.profileImageURL
        self.photo = photo
    }

    /// Grade, class and number, which one student has.
    var seat: Seat { Seat(grade: grade, classNumber: classNumber, number: number) }

    struct Seat: Sendable, Hashable {
        let grade: Int
        let classNumber: Int
        let number: Int

        var numbers: [Int] { [grade, classNumber, number] }
        /// In the order of seats.
        var rank: Int { (grade * 100 + classNumber) * 100 + number }
    }

    /// The change that made this student of `old`; of nobody, if there was none.
    func change(from old: Student?) -> RecordChange {
        guard let old else { return RecordChange(.students, .created, record: id) }
        let fields = [
            ("id", id != old.id), ("grade", grade != old.grade), ("classNumber", classNumber != old.classNumber),
            ("number", number != old.number), ("name", name != old.name),
            ("profileImageURL", profileImageURL != old.profileImageURL), ("photo", photo != old.photo),
        ]
        return RecordChange(.students, .changed, record: id, fields: fields.filter(\.1).map(\.0))
    }

    static let columns = "id, grade, classNumber, number, name, profileImageURL, photo"
    static let columnCount = 7

    /// A row of ``columns``, which the schema has checked.
    init(_ row: borrowing Row, at column: Int = 0) {
        id = row.int(column)
        grade = row.int(column + 1)
        classNumber = row.int(column + 2)
        number = row.int(column + 3)
        name = row.text(column + 4)
        profileImageURL = row.optionalText(column + 5)
        photo = row.optionalText(column + 6).flatMap { MediaID($0) }
    }

    var values: [Value] {
        [
            Value(id), Value(grade), Value(classNumber), Value(number), .text(name), Value(profileImageURL),
            Value(photo?.description),
        ]
    }
}

extension Student: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, grade, classNumber, number, name, profileImageURL
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            id: container.decode(Int.self, forKey: .id),
            grade: container.decode(Int.self, forKey: .grade),
            classNumber: container.decode(Int.self, forKey: .classNumber),
            number: container.decode(Int.self, forKey: .number),
            name: container.decode(String.self, forKey: .name),
            profileImageURL: container.decodeIfPresent(String.self, forKey: .profileImageURL)
        )
    }

    /// `profileImageURL` is written as `null` rather than left out: older clients ask for the key.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(grade, forKey: .grade)
        try container.encode(classNumber, forKey: .classNumber)
        try container.encode(number, forKey: .number)
        try container.encode(name, forKey: .name)
        try container.encode(profileImageURL, forKey: .profileImageURL)
    }
}
