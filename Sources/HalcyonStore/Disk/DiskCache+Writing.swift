internal import Dispatch
internal import Glibc
internal import HalcyonCrypto
internal import HalcyonSQLite
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension DiskCache {
    /// Keeps `bytes`, whose digest and length `metadata` holds, in place of an older entry of the key; a remembered
    /// failure of the key is forgotten. `generation` is the one that was current before the fetch began.
    package func store(
        _ bytes: [UInt8], metadata: EntryMetadata, for key: CacheKey, generation: UInt64,
        durability: StoreDurability = .committed
    ) async -> StoreOutcome {
        let queue = writeQueues[lane(of: writeQueues)]
        return await withCheckedContinuation { continuation in
            queue.async {
                let finish: @Sendable (StoreOutcome) -> Void = { continuation.resume(returning: $0) }
                let outcome = self.write(
                    bytes, metadata, key, generation, completion: durability == .committed ? finish : nil)
                if let outcome { finish(outcome) }
            }
        }
    }

    /// ``store(_:metadata:for:generation:durability:)`` with ``StoreDurability/written``, on the calling thread. For
    /// lanes of the caller's own, which save a hop; never from a task.
    package func storeBlocking(
        _ bytes: [UInt8], metadata: EntryMetadata, for key: CacheKey, generation: UInt64
    ) -> StoreOutcome {
        write(bytes, metadata, key, generation, completion: nil) ?? .stored
    }

    /// New metadata for an entry whose bytes are still right, as after a 304. Nothing happens if there is no entry,
    /// or if a purge since `generation` covers it.
    package func refresh(
        _ metadata: EntryMetadata, for key: CacheKey, generation: UInt64, durability: StoreDurability = .written
    ) async {
        guard currentGenerationAdmits(key, metadata, generation), await isUsable() else { return }
        guard durability == .committed else {
            append(PendingWrite(key: key, metadata: metadata, file: nil, generation: generation, completion: nil))
            return
        }
        _ = await withCheckedContinuation { continuation in
            append(
                PendingWrite(key: key, metadata: metadata, file: nil, generation: generation) {
                    continuation.resume(returning: $0)
                })
        }
    }

    /// Commits the rows of everything that was written.
    ///
    /// - Returns: how many stores have failed since the cache was made, rows included.
    package func commitPending() async -> Int {
        await run(on: indexQueue) { self.flush() }
        return counters.withLock { $0.failedStores }
    }

    private func isUsable() async -> Bool { await run(on: indexQueue) { self.currentIndexOnQueue() != nil } }

    private func currentGenerationAdmits(_ key: CacheKey, _ metadata: EntryMetadata, _ generation: UInt64) -> Bool {
        let isAdmitted = admits(key, metadata, since: generation)
        if !isAdmitted { counters.withLock { $0.superseded += 1 } }
        return isAdmitted
    }

    // MARK: The file

    /// Writes the file and hands its row over. `nil` if `completion` will be told the outcome.
    private func write(
        _ bytes: [UInt8], _ metadata: EntryMetadata, _ key: CacheKey, _ generation: UInt64,
        completion: (@Sendable (StoreOutcome) -> Void)?
    ) -> StoreOutcome? {
        guard currentGenerationAdmits(key, metadata, generation) else { return .superseded }
        precondition(metadata.byteCount == bytes.count, "the metadata describe other bytes")
        guard let failure = failureBeforeWriting() else {
            let trailer = ObjectTrailer(key: key, metadata: metadata).encoded
            let size = bytes.count + trailer.count
            // A trim goes down to the low-water mark and may not have to take the newest entry with it.
            guard size <= lowWaterBytes else { return .tooLarge }
            reserve(size)
            do throws(DiskFailure) {
                let name = try writeFile(bytes, trailer, key, metadata)
                append(
                    PendingWrite(
                        key: key, metadata: metadata, file: .init(name: name, size: size), generation: generation,
                        completion: completion))
                if pending.withLock({ $0.isFull }) { indexQueue.sync { flush() } }
                return completion == nil ? .stored : nil
            } catch {
                budget.withLock { $0.release(size) }
                counters.withLock { $0.failedStores += 1 }
                noteFailure(error)
                return .failed(error)
            }
        }
        counters.withLock { $0.failedStores += 1 }
        return .failed(failure)
    }

    /// A disk that has just failed is left alone for a while.
    private func failureBeforeWriting() -> DiskFailure? {
        guard currentIndex() != nil else { return status.withLock { $0.failure } ?? .unavailable }
        return status.withLock { status in
            status.writeRetryAt.flatMap { ContinuousClock.now < $0 ? status.writeFailure : nil }
        }
    }

    private func writeFile(
        _ bytes: [UInt8], _ trailer: [UInt8], _ key: CacheKey, _ metadata: EntryMetadata
    ) throws(DiskFailure) -> ObjectName {
        let name = ObjectName(for: key, contentType: metadata.contentType)
        do throws(DiskFailure) {
            try folder.write(bytes, trailer: trailer, to: name)
        } catch .system(ENOENT) {
            // The whole folder has gone. Begin a new one, once.
            guard indexQueue.sync(execute: { reopenIndex() }) != nil else { throw .system(ENOENT) }
            try folder.write(bytes, trailer: trailer, to: name)
        }
        return name
    }

    private func noteSuccess() {
        let hasRecovered = status.withLock { status in
            guard status.writeFailure != nil else { return false }
            status.writeFailure = nil
            status.writeRetryAt = nil
            status.lastReports["write"] = nil
            return true
        }
        if hasRecovered { report(.recovered) }
    }

    func noteFailure(_ failure: DiskFailure) {
        status.withLock {
            $0.writeFailure = failure
            $0.writeRetryAt = .now + configuration.retryInterval
        }
        report(.writeFailed(failure), atMostOncePerMinute: "write")
        if [.system(ENOSPC), .system(EDQUOT)].contains(failure) || failure.isIndexFull {
            indexQueue.async { self.evictBecauseDiskIsFull() }
        }
    }

    // MARK: The row

    private func append(_ write: PendingWrite) {
        switch pending.withLock({ $0.append(write) }) {
        case .none: break
        case .now: indexQueue.async { self.flush() }
        case .later:
            indexQueue.asyncAfter(deadline: .now() + .milliseconds(PendingWrites.delayMilliseconds)) { self.flush() }
        }
    }

    /// Commits what waits. On `indexQueue`.
    func flush() {
        let writes = pending.withLock { $0.take() }
        guard !writes.isEmpty else { return }
        let outcomes: [StoreOutcome]
        var replaced: [ObjectName] = []
        do {
            guard let index = currentIndexOnQueue() else { throw DiskFailure.unavailable }
            (outcomes, replaced) = try index.writer.runBlocking { connection in
                try connection.transaction { try commit(writes, connection) }
            }
        } catch {
            let failure = handle(error)
            outcomes = writes.map { _ in .failed(failure) }
        }
        finish(writes, outcomes, replaced)
    }

    private func finish(_ writes: [PendingWrite], _ outcomes: [StoreOutcome], _ replaced: [ObjectName]) {
        pending.withLock { $0.finish(writes) }
        for name in replaced { folder.remove(name) }
        var counts = DiskStatistics.Counters()
        for (write, outcome) in zip(writes, outcomes) {
            if let file = write.file {
                budget.withLock { $0.release(file.size) }
                switch outcome {
                case .stored: counts.stores += 1
                case .superseded: counts.superseded += 1
                case .failed, .tooLarge: counts.failedStores += 1
                }
                if outcome != .stored { folder.remove(file.name) }
            }
        }
        counters.withLock {
            $0.stores += counts.stores
            $0.superseded += counts.superseded
            $0.failedStores += counts.failedStores
        }
        if counts.stores > 0 { noteSuccess() }
        for (write, outcome) in zip(writes, outcomes) { write.completion?(outcome) }
        if isOverLowWater(including: 0), budget.withLock({ $0.committed > $0.limitBytes }) { startTrimming() }
    }

    /// Within a transaction that holds the write lock: no purge can come between the check and the commit.
    private func commit(
        _ writes: [PendingWrite], _ connection: Connection
    ) throws -> ([StoreOutcome], replaced: [ObjectName]) {
        let (entries, state) = (EntryTable(connection: connection), StateTable(connection: connection))
        try learnOfPurges(connection)
        let now = configuration.wallClock()
        var replacedKeys: [CacheKey] = []
        var (outcomes, replaced, count, bytes): ([StoreOutcome], [ObjectName], Int, Int) = ([], [], 0, 0)
        for write in writes {
            let isAdmitted = history.withLock {
                $0.admits(write.key, write.metadata, since: write.generation, now: now)
            }
            guard isAdmitted else {
                outcomes.append(.superseded)
                continue
            }
            let old = try entries.entry(for: write.key)
            if let file = write.file {
                if let old {
                    if old.metadata?.digest != write.metadata.digest { replacedKeys.append(write.key) }
                    try entries.delete(old)
                    count -= 1
                    bytes -= old.size
                    // A rebuild may have found the new file before its row came.
                    if old.name != file.name { replaced.append(old.name) }
                }
                try entries.insert(file.name, size: file.size, key: write.key, metadata: write.metadata)
                count += 1
                bytes += file.size
                try FailureTable(connection: connection).remove(write.key)
            } else if let old {
                try entries.update(old, to: write.metadata)
            }
            outcomes.append(.stored)
        }
        // Other processes may hold the old picture in memory.
        for key in replacedKeys { _ = try PurgeLog(connection: connection).append(.key(key), process: process) }
        try state.addToTotals(count: count, bytes: bytes)
        let total = try state.value(.bytes)
        budget.withLock { $0.committed = total }
        return (outcomes, replaced)
    }

    /// Takes over what other processes have purged since this one looked. Within a transaction.
    func learnOfPurges(_ connection: Connection) throws {
        let log = PurgeLog(connection: connection)
        let seen = history.withLock { $0.lastSequence } ?? 0
        guard try log.last > seen else { return }
        let isBehind = try log.first > seen + 1
        let records = try log.records(after: seen).filter { $0.process != process }
        let last = try log.last
        history.withLock { history in
            if isBehind { history.lose() }
            for record in records { history.append(record.selector ?? .all, isExternal: true) }
            history.lastSequence = last
        }
    }

    /// The open index, on `indexQueue`, after a look whether it is still the one at its path.
    func currentIndexOnQueue() -> OpenIndex? { isIndexLost ? reopenIndex() : openIndexIfDue() }
}
