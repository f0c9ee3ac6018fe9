internal import Synchronization

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Entries kept in memory, within a limit of bytes and of count. Safe from any thread; nothing here suspends.
///
/// Split into shards by the key's hash, each with a lock, so that threads do not queue. The limits hold for all shards
/// together: an insertion evicts from its own shard first and from the next ones if that is not enough.
package final class MemoryCache: Sendable {
    /// What an entry costs besides its bytes and a response's header: the objects, their texts, the slot and its share of the
    /// table.
    package static let entryOverheadBytes = 1_024

    package let configuration: MemoryCacheConfiguration
    private let shards: [Shard]
    private let bytes = Atomic<Int>(0)
    private let count = Atomic<Int>(0)

    private final class Shard: Sendable {
        let state = Mutex(MemoryShard())
    }

    package init(configuration: MemoryCacheConfiguration = .init()) {
        self.configuration = configuration
        var shardCount = 1
        while shardCount < min(configuration.shardCount, 256) { shardCount *= 2 }
        self.shards = (0..<shardCount).map { _ in Shard() }
    }

    /// The low bits choose the bucket within a shard, so the high ones choose the shard.
    @inline(__always)
    private func shardIndex(of key: CacheKey) -> Int {
        Int(truncatingIfNeeded: key.precomputedHash >> 48) & (shards.count - 1)
    }

    // MARK: Reading

    /// The entry, if it is fresh. Allocates nothing.
    package func entry(for key: CacheKey) -> CacheEntry? {
        let now = configuration.monotonicClock()
        let wall = configuration.wallClock().timeIntervalSince1970
        return shards[shardIndex(of: key)].state.withLock { $0.freshEntry(for: key, now: now, wall: wall) }
    }

    /// The entry, expired or not. Counts as neither hit nor miss.
    package func staleEntry(for key: CacheKey) -> CacheEntry? {
        shards[shardIndex(of: key)].state.withLock { $0.anyEntry(for: key) }
    }

    // MARK: Writing

    /// Keeps `entry` for `expiration`, but fresh no longer than its own `expiresAt`. `nil` takes the configured
    /// values. An older entry of the same key goes in any case.
    ///
    /// - Returns: `false` if it is larger than one entry may be, or to be kept for no time.
    @discardableResult
    package func insert(
        _ entry: CacheEntry, expiration: Expiration? = nil, extension: ExpirationExtension? = nil
    ) -> Bool {
        let cost = entry.bytes.count + (entry.metadata.responseHead?.count ?? 0) + Self.entryOverheadBytes
        let index = shardIndex(of: entry.key)
        guard let times = times(of: entry, expiration, `extension`), cost <= maximumEntryBytes,
            configuration.countLimit > 0
        else {
            let old = shards[index].state.withLock { shard in
                shard.statistics.refusals += 1
                return removing(&shard) { $0.remove(entry.key).map { [$0] } ?? [] }
            }
            _ = consume old
            return false
        }
        var slot = times
        slot.entry = entry
        slot.cost = cost
        let replaced = shards[index].state.withLock { shard -> CacheEntry? in
            let before = (shard.statistics.bytes, shard.statistics.count)
            let replaced = shard.insert(slot, key: entry.key)
            account(before, shard)
            return replaced
        }
        _ = consume replaced
        makeRoom(startingAt: index, keeping: entry.key)
        return true
    }

    package func remove(_ key: CacheKey) {
        let old = shards[shardIndex(of: key)].state.withLock { shard in
            removing(&shard) { $0.remove(key).map { [$0] } ?? [] }
        }
        _ = consume old
    }

    /// Removes what `isUnwanted` picks. It is called under a lock and may not call back into this cache.
    @discardableResult
    package func purge(where isUnwanted: (CacheEntry) -> Bool) -> (count: Int, bytes: Int) {
        removeFromAllShards(counting: \.removals) { entry, _ in isUnwanted(entry) }
    }

    package func removeAll() { purge { _ in true } }

    /// Removes what has expired by `now`, or by the monotonic clock whatever `now` says.
    @discardableResult
    package func sweep(now: Date) -> (count: Int, bytes: Int) {
        let monotonic = configuration.monotonicClock()
        let wall = now.timeIntervalSince1970
        return removeFromAllShards(counting: \.expirations) { _, slot in !slot.isFresh(monotonic, wall) }
    }

    package var statistics: MemoryCacheStatistics {
        var total = MemoryCacheStatistics()
        for shard in shards { total += shard.state.withLock { $0.statistics } }
        return total
    }

    // MARK: Parts

    private var maximumEntryBytes: Int {
        Int(Double(configuration.limitBytes) * configuration.maximumEntryFraction)
    }

    /// A slot with its deadlines; `nil` if the entry would be kept for no time at all.
    ///
    /// The memory lifetime runs on the monotonic clock. The disk copy's deadline is a wall time and is held twice: as
    /// that, for a clock that is put forward, and as what remained at insertion, for one that is put back.
    private func times(
        of entry: CacheEntry, _ expiration: Expiration?, _ extension: ExpirationExtension?
    ) -> MemoryShard.Slot? {
        let wall = configuration.wallClock()
        let now = configuration.monotonicClock()
        let expiration = expiration ?? configuration.expiration
        let originLifetime = entry.metadata.lifetime
        let lifetime = expiration.lifetime(from: wall, originLifetime: originLifetime)
        if let lifetime, lifetime <= 0 { return nil }
        var slot = MemoryShard.Slot()
        slot.wallDeadline = entry.metadata.expiresAt?.timeIntervalSince1970 ?? .infinity
        slot.latestDeadline = Self.instant(
            now, after: entry.metadata.expiresAt.map { max(0, $0.timeIntervalSince(wall)) })
        slot.deadline = min(Self.instant(now, after: lifetime), slot.latestDeadline)
        switch `extension` ?? configuration.expirationExtension {
        case .none: break
        case .cacheTime: slot.extensionNanoseconds = Self.instant(0, after: lifetime)
        case .expirationTime(let other):
            slot.extensionNanoseconds = Self.instant(
                0, after: other.lifetime(from: wall, originLifetime: originLifetime))
        }
        return slot
    }

    private static func instant(_ now: UInt64, after seconds: TimeInterval?) -> UInt64 {
        // Beyond a century it makes no difference, and the sum cannot overflow.
        guard let seconds, seconds < 3.2e9 else { return .max }
        return now &+ UInt64(seconds * 1e9)
    }

    private func makeRoom(startingAt first: Int, keeping key: CacheKey) {
        var (index, emptyShards) = (first, 0)
        while emptyShards < shards.count, isOverLimit {
            let evicted = shards[index].state.withLock { shard -> CacheEntry? in
                let before = (shard.statistics.bytes, shard.statistics.count)
                let evicted = shard.evict(keeping: index == first ? key : nil)
                account(before, shard)
                return evicted
            }
            if evicted == nil {
                emptyShards += 1
                index = (index + 1) & (shards.count - 1)
            }
        }
    }

    private var isOverLimit: Bool {
        bytes.load(ordering: .relaxed) > configuration.limitBytes
            || count.load(ordering: .relaxed) > configuration.countLimit
    }

    private func account(_ before: (bytes: Int, count: Int), _ shard: borrowing MemoryShard) {
        bytes.add(shard.statistics.bytes - before.bytes, ordering: .relaxed)
        count.add(shard.statistics.count - before.count, ordering: .relaxed)
    }

    private func removing(
        _ shard: inout MemoryShard, _ body: (inout MemoryShard) -> [CacheEntry]
    ) -> [CacheEntry] {
        let before = (shard.statistics.bytes, shard.statistics.count)
        let removed = body(&shard)
        account(before, shard)
        return removed
    }

    private func removeFromAllShards(
        counting counter: WritableKeyPath<MemoryCacheStatistics, Int>,
        _ isUnwanted: (CacheEntry, MemoryShard.Slot) -> Bool
    ) -> (count: Int, bytes: Int) {
        var total = (count: 0, bytes: 0)
        for shard in shards {
            // The entries themselves go when this array does, after the lock.
            let removed = shard.state.withLock { shard in
                removing(&shard) {
                    let removed = $0.removeAll(where: isUnwanted)
                    $0.statistics[keyPath: counter] += removed.count
                    return removed
                }
            }
            total.count += removed.count
            total.bytes += removed.reduce(0) { $0 + $1.bytes.count }
        }
        return total
    }
}
