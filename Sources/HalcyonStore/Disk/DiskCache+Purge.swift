internal import Dispatch
internal import HalcyonSQLite
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension DiskCache {
    private static let purgeBatch = 1_000

    /// Removes what `selector` picks, and the remembered failures with it. Recorded first, so that fetches which have
    /// begun are not kept and other processes drop their copies too; recorded again at the end if it took several
    /// transactions, for what was read in between. Purge memory after this returns.
    ///
    /// A dry run changes nothing. Throws if the index cannot be reached; the purge then still holds for fetches that
    /// this process has begun.
    package func purge(_ selector: PurgeSelector, isDryRun: Bool) async throws(DiskFailure) -> PurgeReport {
        // What the index does not know yet could not be removed, and would be taken up afterwards.
        await finishRebuilding()
        if isDryRun { return try await run(on: indexQueue) { self.dryRun(selector) }.get() }
        let lastID = try await run(on: indexQueue) { self.beginPurge(selector) }.get()
        var (total, isDone) = (PurgeReport(), false)
        while !isDone {
            let step = try await run(on: indexQueue) { self.purgeStep(selector, upTo: lastID) }.get()
            total += step
            isDone = step.count == 0
        }
        if total.count > Self.purgeBatch { try await run(on: indexQueue) { self.record(selector) }.get() }
        return total
    }

    private func attempt<T>(_ body: (Connection) throws -> T) -> Result<T, DiskFailure> {
        guard let index = currentIndexOnQueue() else {
            return .failure(status.withLock { $0.failure } ?? .unavailable)
        }
        do { return .success(try index.writer.runBlocking(body)) } catch { return .failure(handle(error)) }
    }

    private func dryRun(_ selector: PurgeSelector) -> Result<PurgeReport, DiskFailure> {
        flush()
        flushAccesses()
        let now = configuration.wallClock()
        return attempt { connection in
            let table = EntryTable(connection: connection)
            guard let condition = EntryTable.condition(selector, now: now) else {
                guard case .toSize(let size) = selector else { return PurgeReport() }
                var excess = try StateTable(connection: connection).value(.bytes) - size
                return PurgeReport(
                    try table.leastRecentlyUsed(limit: .max).prefix { entry in
                        defer { excess -= entry.size }
                        return excess > 0
                    })
            }
            let total = try table.total(where: condition)
            let sample = try table.entries(where: condition, limit: PurgeReport.sampleLimit)
            return PurgeReport(count: total.count, bytes: total.bytes, sample: PurgeReport(sample).sample)
        }
    }

    /// Records the purge; returns the last row that it may take, so that it ends while stores go on.
    private func beginPurge(_ selector: PurgeSelector) -> Result<Int, DiskFailure> {
        // What waits is either refused by the purge or older than it: both are decided before it is recorded.
        flush()
        flushAccesses()
        let recorded = record(selector)
        if case .failure(let failure) = recorded {
            history.withLock { $0.append(selector, isExternal: false) }
            return .failure(failure)
        }
        let now = configuration.wallClock()
        return attempt { connection in
            try FailureTable(connection: connection).purge(selector, now: now)
            return try EntryTable(connection: connection).lastID
        }
    }

    @discardableResult
    private func record(_ selector: PurgeSelector) -> Result<Void, DiskFailure> {
        attempt { connection in
            let sequence = try connection.transaction {
                try learnOfPurges(connection)
                return try PurgeLog(connection: connection).append(selector, process: process)
            }
            history.withLock {
                $0.append(selector, isExternal: false)
                $0.lastSequence = sequence
            }
        }
    }

    private func purgeStep(_ selector: PurgeSelector, upTo lastID: Int) -> Result<PurgeReport, DiskFailure> {
        let now = configuration.wallClock()
        guard let condition = EntryTable.condition(selector, now: now) else {
            guard case .toSize(let size) = selector else { return .success(PurgeReport()) }
            let excess = budget.withLock { $0.committed } - size
            return .success(excess > 0 ? evict(bytes: excess) : PurgeReport())
        }
        return remove(where: condition, upTo: lastID)
    }

    private func remove(
        where condition: (sql: String, values: [Value]), upTo lastID: Int
    ) -> Result<PurgeReport, DiskFailure> {
        attempt { connection in
            let removed = try connection.transaction {
                let found = try EntryTable(connection: connection).entries(
                    where: condition, upTo: lastID, limit: Self.purgeBatch)
                try delete(found, connection)
                return found
            }
            finishDeletion(of: removed)
            return PurgeReport(removed)
        }
    }

    // MARK: Sweep

    /// Removes what is past its freshness and its time for stale-if-error, then trims to the low-water mark if the
    /// limit is passed. Also writes down the reads since the last sweep and mends times from the future. Call it every
    /// ``DiskCacheConfiguration/sweepInterval``.
    package func sweep() async -> PurgeReport {
        await run(on: indexQueue) {
            self.flush()
            self.flushAccesses()
            self.mendFutureTimes()
        }
        var total = PurgeReport()
        while true {
            let step = await run(on: indexQueue) {
                let now = self.configuration.wallClock()
                return self.remove(where: EntryTable.removable(by: now), upTo: .max)
            }
            // A failure has been reported; the next sweep tries again.
            guard case .success(let report) = step, report.count > 0 else { break }
            counters.withLock { $0.expirations += report.count }
            total += report
        }
        var isTrimming = false
        while true {
            let goal = isTrimming ? lowWaterBytes : configuration.limitBytes
            let step = await run(on: indexQueue) { self.trimAfterSweep(above: goal) }
            guard step.count > 0 else { break }
            isTrimming = true
            total += step
            report(.evicted(count: step.count, bytes: step.bytes))
        }
        await run(on: indexQueue) { self.scheduleOrphanSweepIfDue() }
        return total
    }

    private func trimAfterSweep(above limit: Int) -> PurgeReport {
        let now = configuration.wallClock()
        let bytes = attempt { connection in
            try FailureTable(connection: connection).removeEnded(by: now)
            return try StateTable(connection: connection).value(.bytes)
        }
        guard case .success(let bytes) = bytes else { return PurgeReport() }
        budget.withLock { $0.committed = bytes }
        return bytes > limit ? evict(bytes: bytes - lowWaterBytes) : PurgeReport()
    }

    /// A clock that was put back would make what was written before it immortal.
    func mendFutureTimes() {
        let now = configuration.wallClock()
        _ = attempt { connection in
            try connection.transaction {
                let table = EntryTable(connection: connection)
                for entry in try table.entries(where: EntryTable.writtenAfter(now), limit: Self.purgeBatch) {
                    guard let metadata = entry.metadata?.clamped(to: now) else { continue }
                    try table.update(entry, to: metadata)
                }
                try connection.run(
                    "UPDATE entry SET lastAccess = ?1 WHERE lastAccess > ?1", [.real(now.timeIntervalSince1970)])
            }
        }
    }

    // MARK: Other processes

    /// The purges of other processes since the last call; `nil` if some were missed and everything has to be dropped
    /// from memory. Costs microseconds if there was none: call it every second.
    package func externalPurges() async -> [PurgeSelector]? {
        await run(on: indexQueue) {
            _ = self.attempt { connection in try self.learnOfPurges(connection) }
            return self.history.withLock { $0.takeExternal() }
        }
    }
}

extension PurgeReport {
    init(_ entries: some Sequence<EntryTable.Entry>) {
        self.init()
        for entry in entries {
            count += 1
            bytes += entry.size
            if sample.count < Self.sampleLimit, let key = CacheKey(encoded: entry.key) { sample.append(key) }
        }
    }
}
