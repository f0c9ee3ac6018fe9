/// What a reading of every stored object found.
package struct VerifyReport: Sendable, Hashable {
    package var checked = 0
    package var bytes = 0
    /// In the index, but without a file.
    package var missing = 0
    package var truncated = 0
    package var altered = 0
    /// Could not be read, for want of permission or because the disk failed.
    package var unreadable = 0
    /// Orphans that a repair could not remove.
    package var unremovable = 0
    /// Files that the index does not know.
    package var orphans = 0
    /// Whether the damaged entries and the orphans were removed.
    package var isRepaired = false

    package init() {}

    package var isSound: Bool { missing + truncated + altered + unreadable + orphans == 0 }
}
