/// Something an operator should see. Failures that repeat are reported once a minute at most.
package enum StoreEvent: Sendable, Hashable {
    /// The disk cache stopped working; photos come from memory and the origins alone.
    case unavailable(DiskFailure)
    case recovered
    /// A file or the index could not be read or written.
    case writeFailed(DiskFailure)
    /// An entry was missing, cut short or altered; it is gone now.
    case entryDamaged(DamageKind)
    /// The index was damaged or of another version; it was set aside and is being rebuilt from the object files.
    case indexReplaced
    case indexRebuilt(entries: Int, dropped: Int)
    case orphansRemoved(count: Int, bytes: Int)
    case evicted(count: Int, bytes: Int)

    package enum DamageKind: String, Sendable, Hashable, CaseIterable {
        case missing, truncated, altered, unreadable
    }
}
