internal import Glibc
internal import Synchronization

/// From the bytes of a request target to what it led to last time, so that a hit parses nothing. Bounded: when the
/// newer half is full it becomes the older half, and what was not asked for since is forgotten.
final class TargetTable: Sendable {
    private struct Half {
        var newer: [Int: PhotoTarget] = [:]
        var older: [Int: PhotoTarget] = [:]
    }

    private final class Shard: Sendable {
        let halves = Mutex(Half())
    }

    /// Longer targets are not remembered: they would make the bound on the count useless.
    static let maximumTargetBytes = 2048

    private let shards: [Shard]
    private let halfCapacity: Int

    /// At most `capacity` targets, in `shardCount` (a power of two) shards.
    init(capacity: Int = 65_536, shardCount: Int = 16) {
        shards = (0..<shardCount).map { _ in Shard() }
        halfCapacity = max(1, capacity / shardCount / 2)
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
        if halves.newer.count >= halfCapacity {
            halves.older = halves.newer
            halves.newer = [:]
        }
        halves.older[hash] = nil
        halves.newer[hash] = target
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
