#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// What a purge removes.
package enum PurgeSelector: Sendable, Codable, Hashable {
    /// What is no longer fresh, even if it might still be served stale.
    case expired
    case all
    /// A canonical URL: the original and every variant, in every credential scope.
    case url(String)
    case host(String)
    /// Entries with any of the tags.
    case tags([String])
    /// Stored longer ago than this many seconds.
    case olderThan(TimeInterval)
    /// The least recently used, until this many bytes are left on disk.
    case toSize(Int)
    /// One entry.
    case key(CacheKey)
    /// The original of this key and every variant of it; on disk in other credential scopes too.
    case photo(CacheKey)
    /// Every variant of this key's original, which stays; on disk in other credential scopes too.
    case variants(CacheKey)

    /// Whether an entry falls under the selector by itself; ``toSize(_:)``, which looks at all of them, picks none.
    package func matches(_ key: CacheKey, _ metadata: EntryMetadata, now: Date) -> Bool {
        switch self {
        case .expired: !metadata.isFresh(at: now)
        case .all: true
        case .url(let url): !key.isExplicit && key.url == url
        case .host(let host): metadata.host == host
        case .tags(let tags): metadata.tags.contains { tags.contains($0) }
        case .olderThan(let seconds): now.timeIntervalSince(metadata.storedAt) > seconds
        case .toSize: false
        case .key(let other): key == other
        case .photo(let other): key.isOfSamePhoto(as: other)
        case .variants(let other): !key.variant.isEmpty && key.isOfSamePhoto(as: other)
        }
    }

    package func matches(_ entry: CacheEntry, now: Date) -> Bool { matches(entry.key, entry.metadata, now: now) }
}
