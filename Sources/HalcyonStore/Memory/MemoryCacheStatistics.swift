/// What a ``MemoryCache`` holds and has done since it was made. Exact: every number is kept under its shard's lock.
package struct MemoryCacheStatistics: Sendable, Hashable {
    package var count = 0
    /// Cost of what is held: bytes and overhead.
    package var bytes = 0
    package var hits = 0
    /// Lookups that found nothing fresh; ``expiredLookups`` of them found something stale.
    package var misses = 0
    package var expiredLookups = 0
    package var insertions = 0
    /// Insertions that took the place of an entry with the same key.
    package var replacements = 0
    /// Entries that were pushed out for room.
    package var evictions = 0
    /// Entries that a sweep removed.
    package var expirations = 0
    /// Entries removed by key or by a purge.
    package var removals = 0
    /// Insertions that were too large or expired already.
    package var refusals = 0

    package init() {}

    static func += (left: inout Self, right: Self) {
        left.count += right.count
        left.bytes += right.bytes
        left.hits += right.hits
        left.misses += right.misses
        left.expiredLookups += right.expiredLookups
        left.insertions += right.insertions
        left.replacements += right.replacements
        left.evictions += right.evictions
        left.expirations += right.expirations
        left.removals += right.removals
        left.refusals += right.refusals
    }
}
