internal import Synchronization

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A kept photo: its key, bytes and metadata, none of which change. A refresh makes a new entry over the same bytes.
package final class CacheEntry: Sendable {
    package let key: CacheKey
    package let bytes: EntryBytes
    package let metadata: EntryMetadata
    private let slot = Mutex<(any AnyObject & Sendable)?>(nil)

    package init(key: CacheKey, bytes: EntryBytes, metadata: EntryMetadata) {
        self.key = key
        self.bytes = bytes
        self.metadata = metadata
    }

    /// What a server prepared from this entry and wants to find again with it; freed with the entry.
    package var attachment: (any AnyObject & Sendable)? {
        get { slot.withLock { $0 } }
        set {
            // The old one may be large: it goes after the lock.
            let old = slot.withLock { current in
                let old = current
                current = newValue
                return old
            }
            _ = consume old
        }
    }

    package func isFresh(at now: Date) -> Bool { metadata.isFresh(at: now) }
    package func age(at now: Date) -> TimeInterval { metadata.age(at: now) }

    /// The same bytes under other metadata, as after a 304.
    package func with(_ metadata: EntryMetadata) -> CacheEntry {
        CacheEntry(key: key, bytes: bytes, metadata: metadata)
    }
}
