/// Which guidances to list. Every condition that is not `nil` must hold.
package struct GuidanceQuery: Sendable, Hashable {
    package enum Status: String, Sendable, CaseIterable {
        case valid, deleted, all
    }

    package var grade: Int?
    package var classNumber: Int?
    package var studentID: Int?
    /// Valid ones unless asked otherwise.
    package var status: Status

    package init(grade: Int? = nil, classNumber: Int? = nil, studentID: Int? = nil, status: Status = .valid) {
        self.grade = grade
        self.classNumber = classNumber
        self.studentID = studentID
        self.status = status
    }
}
