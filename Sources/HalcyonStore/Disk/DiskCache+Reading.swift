internal import Dispatch
internal import HalcyonCrypto
internal import HalcyonSQLite
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension DiskCache {
    /// The entry, fresh or stale, with its digest verified. A file that is missing, cut short or altered is removed,
    /// counted and reported, and the answer is `nil`, as it is whenever the disk does not work.
    ///
    /// Take ``generation`` before, and ask ``admits(_:_:since:)`` before the entry is kept anywhere else. `extending`
    /// moves the expiry of an entry that is still fresh. A task that is cancelled before its turn touches no disk.
    package func entry(for key: CacheKey, extending: ExpirationExtension = .none) async -> CacheEntry? {
        await onReadLane { self.readEntry(for: key, extending: extending, lane: $0) }
    }

    /// What is known of a key: its entry, as ``entry(for:extending:)``, and where there is none that is fresh the failure
    /// that is remembered, as ``failure(for:)``. On the calling thread: for threads that may block, never on the
    /// cooperative pool.
    package func findBlocking(
        _ key: CacheKey, extending: ExpirationExtension = .none
    ) -> (entry: CacheEntry?, failure: FailureRecord?) {
        let now = configuration.wallClock()
        let lane = lane(of: readQueues)
        let entry = readEntry(for: key, extending: extending, lane: lane)
        if let entry, entry.isFresh(at: now) { return (entry, nil) }
        return (entry, readFailure(for: key, lane: lane, now: now))
    }

    /// Whether the index knows of a variant, or of the photo in another credential scope. On the calling thread, as
    /// ``findBlocking(_:extending:)``; `false` where the index cannot be read, and so nothing be found.
    package func hasVariantsBlocking(of key: CacheKey) -> Bool {
        guard let index = currentIndex() else { return false }
        do {
            return try index.readers[lane(of: readQueues)].runBlocking { connection in
                try EntryTable(connection: connection).hasVariants(of: key)
            }
        } catch {
            _ = handle(error)
            return false
        }
    }

    /// Which of `keys` have neither an entry nor a remembered failure: one visit to a read lane for all of them. What
    /// another process stores afterwards is not seen.
    package func unknown(of keys: [CacheKey]) async -> Set<CacheKey> {
        let now = configuration.wallClock()
        return await onReadLane { lane -> Set<CacheKey>? in
            guard let index = self.currentIndex() else { return nil }
            let pending = self.pending.withLock { pending in Set(keys.filter { pending.write(for: $0) != nil }) }
            do {
                return try index.readers[lane].runBlocking { connection in
                    // One read transaction: a lock taken and given back for each key would cost more than the search.
                    try connection.readTransaction {
                        let (entries, failures) = (
                            EntryTable(connection: connection), FailureTable(connection: connection)
                        )
                        return try Set(
                            keys.filter { key in
                                guard !pending.contains(key), try !entries.contains(key) else { return false }
                                return try failures.record(for: key).map { $0.until <= now } ?? true
                            })
                    }
                }
            } catch {
                _ = self.handle(error)
                return nil
            }
        } ?? []
    }

    /// `nil` for a task that was cancelled before its turn.
    private func onReadLane<T: Sendable>(_ body: @escaping @Sendable (_ lane: Int) -> T?) async -> T? {
        let lane = lane(of: readQueues)
        let isCancelled = CancellationFlag()
        return await withTaskCancellationHandler {
            await run(on: readQueues[lane]) { isCancelled.isSet ? nil : body(lane) }
        } onCancel: {
            isCancelled.set()
        }
    }

    private final class CancellationFlag: Sendable {
        private let flag = Atomic<Bool>(false)
        var isSet: Bool { flag.load(ordering: .relaxed) }
        func set() { flag.store(true, ordering: .relaxed) }
    }

    private func readEntry(for key: CacheKey, extending: ExpirationExtension, lane: Int) -> CacheEntry? {
        // A file may be replaced between look-up and opening; then there is a newer one to find.
        for _ in 0..<4 {
            guard let located = locate(key, lane: lane) else { break }
            switch folder.read(located.name, byteCount: located.metadata.byteCount, size: located.size) {
            case .bytes(let bytes):
                guard bytes.withUnsafeBytes({ Digest(of: $0) }) == located.metadata.digest else {
                    discard(located, .altered)
                    break
                }
                counters.withLock { $0.hits += 1 }
                return CacheEntry(key: key, bytes: bytes, metadata: noteAccess(to: located, extending: extending))
            case .missing:
                if let again = locate(key, lane: lane), again.name != located.name { continue }
                discard(located, .missing)
            case .truncated: discard(located, .truncated)
            case .failed(let failure): report(.writeFailed(failure), atMostOncePerMinute: "read")
            }
            break
        }
        counters.withLock { $0.misses += 1 }
        return nil
    }

    /// Where an entry's bytes are.
    struct Located {
        /// `nil` for one that is on its way into the index.
        let id: Int?
        let key: CacheKey
        let name: ObjectName
        let size: Int
        var metadata: EntryMetadata
    }

    private func locate(_ key: CacheKey, lane: Int) -> Located? {
        // One that a purge has covered since will not get its row either.
        let write = pending.withLock { $0.write(for: key) }.flatMap {
            admits(key, $0.metadata, since: $0.generation) ? $0 : nil
        }
        if let write, let file = write.file {
            return Located(id: nil, key: key, name: file.name, size: file.size, metadata: write.metadata)
        }
        guard let index = currentIndex() else { return nil }
        let entry: EntryTable.Entry?
        do {
            entry = try index.readers[lane].runBlocking { try EntryTable(connection: $0).entry(for: key) }
        } catch {
            _ = handle(error)
            return nil
        }
        guard let entry else { return nil }
        guard var metadata = write?.metadata ?? entry.metadata else {
            discard(entry.id, entry.name, .altered)
            return nil
        }
        if let expiry = accesses.withLock({ $0.expiry(of: entry.id, entry.name) }) { metadata.expiresAt = expiry.date }
        return Located(
            id: entry.id, key: key, name: entry.name, size: entry.size,
            metadata: metadata.clamped(to: configuration.wallClock()) ?? metadata)
    }

    private func noteAccess(to located: Located, extending: ExpirationExtension) -> EntryMetadata {
        guard let id = located.id else { return located.metadata }
        let now = configuration.wallClock()
        var metadata = located.metadata
        var expiry: AccessLog.Expiry?
        if metadata.isFresh(at: now), let old = metadata.expiresAt {
            let extended: Date?
            switch extending {
            case .none: extended = old
            case .cacheTime: extended = metadata.lifetime.map { now + $0 } ?? old
            case .expirationTime(let expiration):
                extended = expiration.deadline(from: now, originLifetime: metadata.lifetime)
            }
            if extended != old {
                metadata.expiresAt = extended
                expiry = AccessLog.Expiry(date: extended)
            }
        }
        let count = accesses.withLock { log in
            log.note(id, located.name, at: now, expiry: expiry)
            return log.accesses.count
        }
        if count == 4_096 { indexQueue.async { self.flushAccesses() } }
        return metadata
    }

    // MARK: Damage

    private func discard(_ located: Located, _ damage: StoreEvent.DamageKind) {
        if let id = located.id { return discard(id, located.name, damage) }
        // Still on its way: by the time this runs it has its row.
        indexQueue.async {
            self.flush()
            do {
                let entry = try self.status.withLock { $0.index }?.writer.runBlocking {
                    try EntryTable(connection: $0).entry(for: located.key)
                }
                if let entry, entry.name == located.name { self.discard(entry.id, entry.name, damage) }
            } catch {
                _ = self.handle(error)
            }
        }
    }

    /// Removes a damaged entry, if the row is still about the same file.
    func discard(_ id: Int, _ name: ObjectName, _ damage: StoreEvent.DamageKind) {
        indexQueue.async {
            // Several readers may have found the same damage; the first removes, counts and reports it.
            guard self.remove([id: name]).count == 1 else { return }
            self.counters.withLock { $0.damagedEntries += 1 }
            self.report(.entryDamaged(damage))
        }
    }

    /// Removes rows and files. On `indexQueue`.
    func remove(_ names: [Int: ObjectName]) -> [EntryTable.Entry] {
        guard let index = status.withLock({ $0.index }) else { return [] }
        do {
            let removed = try index.writer.runBlocking { connection in
                try connection.transaction {
                    let table = EntryTable(connection: connection)
                    var removed: [EntryTable.Entry] = []
                    for (id, name) in names {
                        let found = try table.entries(where: ("id = ?", [.init(id)]), limit: 1)
                        removed += found.filter { $0.name == name }
                    }
                    try delete(removed, connection)
                    return removed
                }
            }
            finishDeletion(of: removed)
            return removed
        } catch {
            _ = handle(error)
            return []
        }
    }

    /// Deletes rows within a transaction. ``finishDeletion(of:)`` follows when it has been committed.
    func delete(_ entries: [EntryTable.Entry], _ connection: Connection) throws(DatabaseError) {
        let table = EntryTable(connection: connection)
        for entry in entries { try table.delete(entry) }
        try StateTable(connection: connection).addToTotals(
            count: -entries.count, bytes: -entries.reduce(0) { $0 + $1.size })
    }

    /// The rows are gone, so the files may go.
    func finishDeletion(of entries: [EntryTable.Entry]) {
        for entry in entries { folder.remove(entry.name) }
        budget.withLock { $0.committed -= entries.reduce(0) { $0 + $1.size } }
    }
}
