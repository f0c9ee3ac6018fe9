#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Which entries of the journal to list. Every condition that is not `nil` must hold.
package struct AuditQuery: Sendable, Hashable {
    package static let limitRange = 1...1000
    package static let defaultLimit = 100

    package var topic: RecordChange.Topic?
    /// As ``Actor`` describes itself: `user:7`.
    package var actor: String?
    /// The id of a record, as text.
    package var record: String?
    package var since: Date?
    /// Only entries with a larger number.
    package var after: Int?
    /// Only entries with a smaller number: the last of the page before.
    package var before: Int?
    /// 1…1000, default 100.
    package var limit = defaultLimit

    package init() {}
}
