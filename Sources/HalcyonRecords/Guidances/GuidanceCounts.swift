#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Which valid guidances to count, and together with which others.
package struct GuidanceCountQuery: Sendable, Hashable {
    package enum Grouping: String, Sendable, CaseIterable {
        case student, `class`, reason
    }

    package var grouping: Grouping
    /// From this moment on.
    package var from: Date?
    /// Before this moment.
    package var to: Date?
    /// The class that the student is in now.
    package var grade: Int?
    package var classNumber: Int?

    package init(
        by grouping: Grouping = .class, from: Date? = nil, to: Date? = nil, grade: Int? = nil, classNumber: Int? = nil
    ) {
        self.grouping = grouping
        self.from = from
        self.to = to
        self.grade = grade
        self.classNumber = classNumber
    }
}

/// How many guidances a student, a class, or a reason has. What it is not grouped by is `nil` and left out of the JSON.
package struct GuidanceCount: Sendable, Hashable, Encodable {
    package var studentID: Int?
    package var grade: Int?
    package var classNumber: Int?
    package var number: Int?
    package var name: String?
    package var reason: GuidanceReason?
    package var count = 0
}
