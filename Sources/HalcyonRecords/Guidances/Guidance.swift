internal import HalcyonSQLite

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A guidance together with its student as recorded now.
package struct Guidance: Sendable, Hashable {
    package let guidanceID: Int
    package let student: Student
    package let reason: GuidanceReason
    /// 1…1000 characters, with ``GuidanceReason/other`` alone.
    package let detail: String?
    package let createdAt: Date
    /// `nil` while the guidance is valid.
    package let deletedAt: Date?
    /// The photo's URL as clients shall see it; the student's own unless replaced.
    package var photoURL: String?

    static let columns =
        "g.id, g.reason, g.detail, g.createdAt, g.deletedAt, s.id, s.grade, s.classNumber, s.number, s.name, s.profileImageURL, "
        + "s.photo"

    /// A row of ``columns``; `nil` for a reason that a later program wrote.
    init?(_ row: borrowing Row) {
        guard let reason = GuidanceReason(rawValue: row.text(1)) else { return nil }
        guidanceID = row.int(0)
        self.reason = reason
        detail = row.optionalText(2)
        createdAt = Date(milliseconds: row.int(3))
        deletedAt = row.optionalInt(4).map { Date(milliseconds: $0) }
        student = Student(row, at: 5)
        photoURL = student.profileImageURL
    }
}

extension Guidance: Encodable {
    private enum CodingKeys: String, CodingKey {
        case studentID, grade, classNumber, number, name, profileImageURL, profileURLImage, guidanceID, reason, detail,
            createdAt
    }

    /// The student's fields beside the guidance's. The photo goes under two names: the older app asks for
    /// `profileURLImage`. What is missing is `null`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(student.id, forKey: .studentID)
        try container.encode(student.grade, forKey: .grade)
        try container.encode(student.classNumber, forKey: .classNumber)
        try container.encode(student.number, forKey: .number)
        try container.encode(student.name, forKey: .name)
        try container.encode(photoURL, forKey: .profileImageURL)
        try container.encode(photoURL, forKey: .profileURLImage)
        try container.encode(guidanceID, forKey: .guidanceID)
        try container.encode(reason, forKey: .reason)
        try container.encode(detail, forKey: .detail)
        try container.encode(createdAt.formatted(.iso8601), forKey: .createdAt)
    }
}
