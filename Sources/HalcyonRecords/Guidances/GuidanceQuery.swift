/// Which guidances to list. Every condition that is not `nil` must hold.
package struct GuidanceQuery: Sendable, Hashable {
    package enum Status: String, Sendable, CaseIterable {
        case valid, deleted, all
    }

    package static let limitRange = 1...1000

    package var grade: Int?
    package var classNumber: Int?
    package var studentID: Int?
    /// Valid ones unless asked otherwise.
    package var status: Status
    /// 1…1000; `nil` for all of them, however many.
    package var limit: Int?
    /// ``GuidancePage/next`` of the page before.
    package var after: String?

    package init(
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
}

/// Guidances, newest first.
package struct GuidancePage: Sendable, Hashable {
    package let guidances: [Guidance]
    /// Where the next page begins, `nil` on the last. It names a moment and a guidance, not a row: pages neither repeat nor
    /// skip guidances while others come and go.
    package let next: String?
}

/// The place in the order after which a page begins: `milliseconds-id`.
struct GuidanceCursor {
    let createdAt: Int
    let id: Int

    init(_ guidance: Guidance) {
        createdAt = guidance.createdAt.milliseconds
        id = guidance.guidanceID
    }

    init(_ text: String) throws(RecordError) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        let numbers = parts.compactMap { $0 }.filter { $0 >= 0 }
        guard parts.count == 2, numbers.count == 2 else {
            throw .invalid(field: "after", accepted: "the `next` of the page before")
        }
        createdAt = numbers[0]
        id = numbers[1]
    }

    var text: String { "\(createdAt)-\(id)" }
}
