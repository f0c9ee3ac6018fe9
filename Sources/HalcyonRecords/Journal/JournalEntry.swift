internal import HalcyonSQLite

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A row of the journal: who changed which record, and when.
package struct JournalEntry: Sendable, Hashable {
    /// Grows with each entry and is never used twice.
    package let seq: Int
    package let at: Date
    /// As ``Actor`` describes itself.
    package let actor: String
    package let change: RecordChange

    static let columns = "seq, at, actor, topic, action, record, scope, fields"

    /// A row of ``columns``; `nil` for a topic or action of a newer program.
    init?(_ row: borrowing Row) {
        guard let topic = RecordChange.Topic(rawValue: row.text(3)),
            let action = RecordChange.Action(rawValue: row.text(4))
        else { return nil }
        seq = row.int(0)
        at = Date(milliseconds: row.int(1))
        actor = row.text(2)
        change = RecordChange(
            topic, action, record: row.text(5), scope: row.optionalText(6),
            fields: row.text(7).split(separator: ",").map(String.init))
    }
}
