internal import Glibc
internal import Synchronization

/// From the bytes of a request target to what it led to last time, so that a hit parses nothing. Bounded: when the
/// newer half is full it becomes the older half, and what was not asked for since is forgotten.
final class TargetTable: Sendable {
    private struct Half {
        var newer: [Int: PhotoTarget] = [:]
        /// What the newer half costs.
        var bytes = 0
        var older: [Int: PhotoTarget] = [:]
    }

    private final class Shard: Sendable {
        let halves = Mutex(Half())
    }

    /// Longer targets are not remembered: they would make the bound on the count useless.
    static let maximumTargetBytes = 2048

    private let shards: [Shard]
    /// What a target costs besides its bytes: its objects and its place.
    static let overheadBytes = 256
    private let halfBytes: Int

    /// Room for the targets of a quarter of a million photos by default; used only as far as so many are asked for.
    /// In `shardCount` (a power of two) shards.
    init(capacityBytes: Int = 160 << 20, shardCount: Int = 16) {
        shards = (0..<shardCount).map { _ in Shard() }
        halfBytes = capacityBytes / shardCount / 2
    }

    /// Allocates nothing.
    func target(_ raw: UnsafeRawBufferPointer) -> PhotoTarget? {
        let hash = Self.hash(raw)
        return shards[shardIndex(hash)].halves.withLock { halves in
            if let found = halves.newer[hash] { return found.isFor(raw) ? found : nil }
            guard let found = halves.older[hash], found.isFor(raw) else { return nil }
            insert(found, hash, &halves)
            return found
        }
    }

    func remember(_ target: PhotoTarget) {
        guard target.rawTarget.count <= Self.maximumTargetBytes else { return }
        let hash = target.rawTarget.withUnsafeBytes { Self.hash($0) }
        shards[shardIndex(hash)].halves.withLock { insert(target, hash, &$0) }
    }

    func forgetAll() {
        for shard in shards { shard.halves.withLock { $0 = Half() } }
    }

    var count: Int { shards.reduce(0) { $0 + $1.halves.withLock { $0.newer.count + $0.older.count } } }

    private func insert(_ target: PhotoTarget, _ hash: Int, _ halves: inout Half) {
        let cost = target.rawTarget.count + Self.overheadBytes
        if halves.bytes + cost > halfBytes, !halves.newer.isEmpty {
            halves.older = halves.newer
            halves.newer = [:]
            halves.bytes = 0
        }
        // What other clients accept of the same target goes on to be remembered.
        if let keys = target.acceptedKeys, let old = halves.newer[hash] ?? halves.older[hash], old !== target,
            old.rawTarget == target.rawTarget, old.recordsEpoch == target.recordsEpoch, let others = old.acceptedKeys
        {
            let newest = keys.copy()
            keys.add(others)
            keys.add(newest)
        }
        halves.older[hash] = nil
        if let old = halves.newer.updateValue(target, forKey: hash) {
            halves.bytes -= old.rawTarget.count + Self.overheadBytes
        }
        halves.bytes += cost
    }

    private func shardIndex(_ hash: Int) -> Int { (hash >> 40) & (shards.count - 1) }

    /// Seeded for each process, so that nobody can make targets that collide.
    private static func hash(_ raw: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: raw)
        return hasher.finalize()
    }
}

extension PhotoTarget {
    func isFor(_ raw: UnsafeRawBufferPointer) -> Bool {
        guard rawTarget.count == raw.count, let start = raw.baseAddress else { return rawTarget.count == raw.count }
        return memcmp(rawTarget, start, raw.count) == 0
    }
}
