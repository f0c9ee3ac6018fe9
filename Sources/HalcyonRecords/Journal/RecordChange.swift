/// One record that a commit changed. It names the record and the fields, never what they hold: the journal is kept for
/// long after the record is gone.
package struct RecordChange: Sendable, Hashable {
    /// As clients of `GET /events` ask for it.
    package enum Topic: String, Sendable, CaseIterable, Codable {
        case students, guidances, noticeBoards, posts, users
    }

    package enum Action: String, Sendable, CaseIterable, Codable {
        case created, changed, removed, restored
    }

    package let topic: Topic
    package let action: Action
    /// The record's id as text.
    package let record: String
    /// The club of a notice or comment, the author's id of a post; `nil` for the other topics.
    package let scope: String?
    /// Names of the fields that changed.
    package let fields: [String]

    package init(
        _ topic: Topic, _ action: Action, record: some CustomStringConvertible, scope: String? = nil,
        fields: [String] = []
    ) {
        self.topic = topic
        self.action = action
        self.record = record.description
        self.scope = scope
        self.fields = fields
    }
}
