/// What somebody said about a notice.
package struct NoticeComment: Sendable, Hashable, Encodable {
    /// Orders as the comments were made.
    package let id: String
    package let clubID: String
    package let noticeID: String
    package let author: NoticeAuthor
    /// ISO 8601, as it was given.
    package let createDate: String
    /// 1…2000 characters, line breaks among them.
    package let content: String

    static func content(_ text: String) throws(RecordError) -> String {
        try RecordText.check(text, field: "content", length: 1...2000, isMultiline: true)
    }

    /// How the journal names a comment.
    static func record(noticeID: String, id: String) -> String { "\(noticeID)/comments/\(id)" }

    func change(_ action: RecordChange.Action, fields: [String] = []) -> RecordChange {
        RecordChange(
            .noticeBoards, action, record: Self.record(noticeID: noticeID, id: id), scope: clubID, fields: fields)
    }
}
