/// One part of a ``MemoryCache``: a hash table over a queue that is evicted by SIEVE (Zhang et al., NSDI 2024).
/// Single-threaded; the cache holds the lock.
///
/// New entries join at the head. A hit sets the entry's bit and moves nothing. The hand walks from the tail to the
/// head: an entry with its bit set loses the bit and stays where it is, the first without is evicted. What is never
/// asked for again (a prefetch of the whole school) passes by the hand without moving what is.
struct MemoryShard {
    struct Slot {
        var entry: CacheEntry?
        var hash: UInt64 = 0
        /// Monotonic nanoseconds.
        var deadline: UInt64 = 0
        /// Monotonic nanoseconds that no extension passes.
        var latestDeadline: UInt64 = 0
        /// What a hit puts on the deadline; 0 for nothing.
        var extensionNanoseconds: UInt64 = 0
        /// Seconds since 1970.
        var wallDeadline = Double.infinity
        var cost = 0
        /// Towards the tail.
        var older: Int32 = -1
        /// Towards the head. Doubles as the link of the list of unused slots.
        var newer: Int32 = -1
        var isVisited = false

        @inline(__always)
        func isFresh(_ now: UInt64, _ wall: Double) -> Bool { now < deadline && wall < wallDeadline }
    }

    private static let none: Int32 = -1

    /// Positions in `slots`; linear probing, never more than half full.
    private var table: [Int32]
    private var slots: [Slot] = []
    private var unused = none
    private var head = none
    private var tail = none
    private var hand = none
    var statistics = MemoryCacheStatistics()

    init() { table = Array(repeating: Self.none, count: 16) }

    // MARK: Lookup

    @inline(__always)
    private func bucket(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (table.count - 1) }

    @inline(__always)
    private func find(_ key: CacheKey) -> Int32 {
        let hash = key.precomputedHash
        var bucket = bucket(of: hash)
        while true {
            let position = table[bucket]
            if position == Self.none { return position }
            if slots[Int(position)].hash == hash, slots[Int(position)].entry?.key == key { return position }
            bucket = (bucket + 1) & (table.count - 1)
        }
    }

    @inline(__always)
    mutating func freshEntry(for key: CacheKey, now: UInt64, wall: Double) -> CacheEntry? {
        let position = find(key)
        guard position != Self.none else {
            statistics.misses += 1
            return nil
        }
        let index = Int(position)
        guard slots[index].isFresh(now, wall) else {
            statistics.misses += 1
            statistics.expiredLookups += 1
            return nil
        }
        slots[index].isVisited = true
        if slots[index].extensionNanoseconds != 0 {
            let (sum, overflow) = now.addingReportingOverflow(slots[index].extensionNanoseconds)
            let extended = overflow ? UInt64.max : sum
            slots[index].deadline = max(slots[index].deadline, min(extended, slots[index].latestDeadline))
        }
        statistics.hits += 1
        return slots[index].entry
    }

    func anyEntry(for key: CacheKey) -> CacheEntry? {
        let position = find(key)
        return position == Self.none ? nil : slots[Int(position)].entry
    }

    // MARK: Change

    /// Puts a filled slot at the head, in place of the entry with the same key. Returns that entry, for the caller to
    /// let go once the lock is free.
    mutating func insert(_ slot: consuming Slot, key: CacheKey) -> CacheEntry? {
        var replaced: CacheEntry?
        let old = find(key)
        if old != Self.none {
            statistics.replacements += 1
            // A replaced photo keeps its standing: it is as wanted as it was.
            slot.isVisited = slots[Int(old)].isVisited
            replaced = remove(at: old)
        }
        let position = takeUnusedSlot()
        slot.hash = key.precomputedHash
        slot.older = head
        slot.newer = Self.none
        statistics.count += 1
        statistics.bytes += slot.cost
        statistics.insertions += 1
        slots[Int(position)] = slot
        if head != Self.none { slots[Int(head)].newer = position }
        head = position
        if tail == Self.none { tail = position }
        addToTable(position)
        return replaced
    }

    mutating func remove(_ key: CacheKey) -> CacheEntry? {
        let position = find(key)
        guard position != Self.none else { return nil }
        statistics.removals += 1
        return remove(at: position)
    }

    /// Evicts one entry, but never the one under `kept`; `nil` if there is no other.
    mutating func evict(keeping kept: CacheKey?) -> CacheEntry? {
        let keptPosition = kept.map { find($0) } ?? Self.none
        guard statistics.count > (keptPosition == Self.none ? 0 : 1) else { return nil }
        var position = hand == Self.none ? tail : hand
        while true {
            if position == Self.none { position = tail }
            let index = Int(position)
            if position == keptPosition {
                position = slots[index].newer
            } else if slots[index].isVisited {
                slots[index].isVisited = false
                position = slots[index].newer
            } else {
                hand = position
                statistics.evictions += 1
                return remove(at: position)
            }
        }
    }

    /// Removes every entry that `isUnwanted` picks, and returns them.
    mutating func removeAll(where isUnwanted: (CacheEntry, Slot) -> Bool) -> [CacheEntry] {
        var removed: [CacheEntry] = []
        var position = tail
        while position != Self.none {
            let next = slots[Int(position)].newer
            if let entry = slots[Int(position)].entry, isUnwanted(entry, slots[Int(position)]) {
                removed.append(entry)
                _ = remove(at: position)
            }
            position = next
        }
        return removed
    }

    private mutating func remove(at position: Int32) -> CacheEntry? {
        let index = Int(position)
        removeFromTable(position)
        let (older, newer) = (slots[index].older, slots[index].newer)
        if older == Self.none { tail = newer } else { slots[Int(older)].newer = newer }
        if newer == Self.none { head = older } else { slots[Int(newer)].older = older }
        if hand == position { hand = newer }
        statistics.count -= 1
        statistics.bytes -= slots[index].cost
        let entry = slots[index].entry
        slots[index] = Slot(newer: unused)
        unused = position
        return entry
    }

    private mutating func takeUnusedSlot() -> Int32 {
        guard unused != Self.none else {
            slots.append(Slot())
            return Int32(slots.count - 1)
        }
        let position = unused
        unused = slots[Int(position)].newer
        return position
    }

    // MARK: Table

    private mutating func addToTable(_ position: Int32) {
        if statistics.count * 2 > table.count { growTable() } else { place(position) }
    }

    private mutating func place(_ position: Int32) {
        var bucket = bucket(of: slots[Int(position)].hash)
        while table[bucket] != Self.none { bucket = (bucket + 1) & (table.count - 1) }
        table[bucket] = position
    }

    private mutating func growTable() {
        table = Array(repeating: Self.none, count: table.count * 2)
        var position = tail
        while position != Self.none {
            place(position)
            position = slots[Int(position)].newer
        }
    }

    /// Closes the gap by moving later ones of the same run back, so that no markers of deleted entries pile up.
    private mutating func removeFromTable(_ position: Int32) {
        let mask = table.count - 1
        var gap = bucket(of: slots[Int(position)].hash)
        while table[gap] != position { gap = (gap + 1) & mask }
        var next = (gap + 1) & mask
        while table[next] != Self.none {
            let home = bucket(of: slots[Int(table[next])].hash)
            // Movable if its home does not lie in the run between the gap and where it stands.
            if (next - home) & mask >= (next - gap) & mask {
                table[gap] = table[next]
                gap = next
            }
            next = (next + 1) & mask
        }
        table[gap] = Self.none
    }
}
