internal import Dispatch
internal import HalcyonSQLite
internal import Synchronization

/// Keeping to the limit.
extension DiskCache {
    var lowWaterBytes: Int { Int(Double(configuration.limitBytes) * min(max(configuration.lowWater, 0), 1)) }

    private static let evictionBatch = 256

    /// Takes `bytes` of the budget for a file that is about to be written; waits for old entries to go if it has to.
    /// On a write lane.
    func reserve(_ bytes: Int) {
        while !budget.withLock({ $0.reserve(bytes) }) {
            let hasMadeRoom = indexQueue.sync { makeRoom(for: bytes) }
            if !hasMadeRoom {
                // Nothing left to evict: all that is there is on its way in. One object above the limit.
                budget.withLock { $0.reserved += bytes }
                return
            }
            startTrimming()
        }
    }

    /// `false` if nothing could be evicted. On `indexQueue`.
    private func makeRoom(for bytes: Int) -> Bool {
        flush()
        let excess = budget.withLock { $0.committed + $0.reserved + bytes - $0.limitBytes }
        return excess <= 0 || evict(bytes: excess).count > 0
    }

    func isOverLowWater(including bytes: Int) -> Bool {
        budget.withLock { $0.committed + $0.reserved + bytes > lowWaterBytes }
    }

    /// Goes down to the low-water mark in small steps, between which stores are committed.
    func startTrimming() {
        let isFirst = status.withLock { status in
            defer { status.isTrimming = true }
            return !status.isTrimming
        }
        if isFirst { indexQueue.async { self.trimStep() } }
    }

    private func trimStep() {
        let excess = budget.withLock { $0.committed - lowWaterBytes }
        if excess > 0, evict(bytes: excess).count > 0 {
            indexQueue.async { self.trimStep() }
        } else {
            status.withLock { $0.isTrimming = false }
        }
    }

    /// One step of an eviction: the least recently used entries, `bytes` of them or a batch full, whichever is less.
    /// On `indexQueue`.
    func evict(bytes: Int) -> PurgeReport {
        flushAccesses()
        guard let index = status.withLock({ $0.index }) else { return PurgeReport() }
        do {
            let evicted = try index.writer.runBlocking { connection in
                try connection.transaction {
                    let victims = try chooseVictims(bytes: bytes, connection)
                    try delete(victims, connection)
                    return victims
                }
            }
            finishDeletion(of: evicted)
            return noteEviction(of: evicted)
        } catch {
            _ = handle(error)
            return PurgeReport()
        }
    }

    private func chooseVictims(bytes: Int, _ connection: Connection) throws(DatabaseError) -> [EntryTable.Entry] {
        var freed = 0
        return try EntryTable(connection: connection).leastRecentlyUsed(limit: Self.evictionBatch).prefix { entry in
            defer { freed += entry.size }
            return freed < bytes
        }
    }

    private func noteEviction(of evicted: [EntryTable.Entry]) -> PurgeReport {
        let report = PurgeReport(evicted)
        guard report.count > 0 else { return report }
        counters.withLock {
            $0.evictions += report.count
            $0.evictedBytes += report.bytes
        }
        return report
    }

    /// The file system is full, so the index may not be able to write either: the files go first. A row without its
    /// file is a miss. On `indexQueue`.
    func evictBecauseDiskIsFull() {
        guard let index = status.withLock({ $0.index }) else { return }
        let wanted = max(budget.withLock { $0.committed } / 20, 1)
        do {
            let victims = try index.writer.runBlocking { connection in try chooseVictims(bytes: wanted, connection) }
            for victim in victims { folder.remove(victim.name) }
            let removed = remove(Dictionary(uniqueKeysWithValues: victims.map { ($0.id, $0.name) }))
            let evicted = noteEviction(of: removed)
            guard evicted.count > 0 else { return }
            // There is room again: the next store may try it at once.
            status.withLock { $0.writeRetryAt = nil }
            report(.evicted(count: evicted.count, bytes: evicted.bytes))
        } catch {
            _ = handle(error)
        }
    }

    /// Tells the index of the reads since the last time. On `indexQueue`.
    func flushAccesses() {
        guard let index = status.withLock({ $0.index }) else { return }
        let accesses = accesses.withLock { $0.take() }
        guard !accesses.isEmpty else { return }
        do {
            try index.writer.runBlocking { connection in
                try connection.transaction {
                    let table = EntryTable(connection: connection)
                    for (id, access) in accesses { try table.touch(id, access) }
                }
            }
        } catch {
            // The reads are forgotten: at worst something is evicted too early.
            _ = handle(error)
        }
    }
}
