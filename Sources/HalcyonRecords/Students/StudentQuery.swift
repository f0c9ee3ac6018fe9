/// Which students to list. Every condition that is not `nil` must hold.
package struct StudentQuery: Sendable, Hashable {
    package static let limitRange = 1...1000
    package static let defaultLimit = 100

    package var grade: Int?
    package var classNumber: Int?
    /// The beginning of the name or of one of its words, or its initial consonants: see ``NamePattern``. In either case and
    /// any Unicode form; white space alone asks for nothing.
    package var nameQuery: String?
    /// 1…1000, default 100.
    package var limit: Int
    /// ``StudentPage/next`` of the page before.
    package var after: String?

    package init(
        grade: Int? = nil, classNumber: Int? = nil, nameQuery: String? = nil, limit: Int = defaultLimit,
        after: String? = nil
    ) {
        self.grade = grade
        self.classNumber = classNumber
        self.nameQuery = nameQuery
        self.limit = limit
        self.after = after
    }
}

/// Students in order of grade, class, number.
package struct StudentPage: Sendable, Hashable {
    package let students: [Student]
    /// Where the next page begins, `nil` on the last. It names a seat, not a row, so that pages neither repeat nor skip
    /// students who stay where they are while others come and go.
    package let next: String?
}

/// The place in the order after which a page begins: `grade-class-number`.
struct StudentCursor {
    let seat: Student.Seat

    init(_ student: Student) { seat = student.seat }

    init(_ text: String) throws(RecordError) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        let numbers = parts.compactMap { $0 }.filter { StudentRules.seatRange.contains($0) }
        guard parts.count == 3, numbers.count == 3 else {
            throw .invalid(field: "after", accepted: "the `next` of the page before")
        }
        seat = Student.Seat(grade: numbers[0], classNumber: numbers[1], number: numbers[2])
    }

    var text: String { seat.numbers.map(String.init).joined(separator: "-") }
}
