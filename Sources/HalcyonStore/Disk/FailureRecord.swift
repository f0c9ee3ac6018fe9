#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// What is remembered of a photo that could not be had.
package struct FailureRecord: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// 404 and 410: the origin says there is none.
        case missing
        /// Timeouts, refused connections, 5xx: it may be there.
        case unavailable
    }

    package var kind: Kind
    /// A token of a closed list.
    package var reason: String
    /// How many times in a row, this one included.
    package var count: Int
    package var until: Date
    package var host: String
    package var tags: [String]

    package init(
        kind: Kind, reason: String, count: Int = 1, until: Date, host: String = "", tags: [String] = []
    ) {
        self.kind = kind
        self.reason = reason
        self.count = count
        self.until = until
        self.host = host
        self.tags = tags
    }
}
