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

/// Work that reads folders or every object. On `maintenanceQueue`, in steps with pauses between them, so that it stays
/// out of the way.
extension DiskCache {
    /// Files younger than this may have a row on its way, from this process or another.
    private static let orphanGrace: TimeInterval = 60
    private static let rebuildBatch = 128

    // MARK: After opening

    /// Decides what has to be looked at, from a few rows. On `indexQueue`.
    func scheduleMaintenance(_ index: OpenIndex, isNew: Bool) {
        let pid = Int(getpid())
        do {
            let (isRebuilding, hasCrashed) = try index.writer.runBlocking { connection in
                try connection.transaction {
                    let state = StateTable(connection: connection)
                    var hasCrashed = false
                    for session in try state.sessions() where session.process != process {
                        // A process of another container looks dead from here; looking for orphans harms nobody.
                        guard kill(pid_t(session.pid), 0) != 0, errno == ESRCH else { continue }
                        hasCrashed = true
                        try state.endSession(session.process)
                    }
                    try state.beginSession(process, pid: pid)
                    return (try state.value(.isRebuilding) != 0, hasCrashed)
                }
            }
            indexQueue.async { self.mendFutureTimes() }
            if isNew, !folder.hasObjects {
                // A new folder: there is nothing to take up, and nothing in the way of the first stores.
                try index.writer.runBlocking { try StateTable(connection: $0).set(.isRebuilding, to: 0) }
                removeDamagedIndex()
            } else if isNew || isRebuilding {
                status.withLock { $0.isRebuilding = true }
                maintenanceQueue.async { self.rebuild() }
            } else if hasCrashed {
                maintenanceQueue.async { self.removeOrphans() }
            }
        } catch {
            _ = handle(error)
        }
    }

    func scheduleOrphanSweepIfDue() {
        guard let index = status.withLock({ $0.index }) else { return }
        let interval = Double(configuration.orphanSweepInterval.components.seconds)
        let now = configuration.wallClock().timeIntervalSince1970
        do {
            let last = try index.writer.runBlocking { try StateTable(connection: $0).value(.orphanSweepAt) }
            guard last == 0 || now - Double(last) >= interval || Double(last) > now else { return }
            try index.writer.runBlocking { try StateTable(connection: $0).set(.orphanSweepAt, to: Int(now)) }
            // The first time only begins the interval.
            if last != 0 { maintenanceQueue.async { self.removeOrphans() } }
        } catch {
            _ = handle(error)
        }
    }

    private var isStopping: Bool { status.withLock { $0.isStopping } }

    // MARK: Rebuilding

    /// Sets the index aside and begins a new one from the object files. Returns when it is complete.
    package func rebuildIndex() async throws(DiskFailure) {
        await run(on: indexQueue) {
            self.flush()
            self.replaceIndex(ifStill: self.status.withLock { $0.index?.identity })
        }
        await finishMaintenance()
        if let failure = status.withLock({ $0.failure }) { throw failure }
    }

    /// Takes up every file whose trailer holds and removes the others of ours.
    private func rebuild() {
        defer { status.withLock { $0.isRebuilding = false } }
        let generation = generation
        var (adopted, dropped) = (0, 0)
        for folderNumber in 0..<256 {
            guard !isStopping else { return }
            let files = folder.list(folder: folderNumber)
            for start in stride(from: 0, to: files.count, by: Self.rebuildBatch) {
                let batch = files[start..<min(start + Self.rebuildBatch, files.count)]
                let found = batch.map { ($0, self.folder.readTrailer(of: $0.name)) }
                let count = indexQueue.sync { adopt(found, generation) }
                guard let count else { return }
                adopted += count
                dropped += batch.count - count
            }
            if !files.isEmpty { usleep(1_000) }
        }
        indexQueue.sync {
            do {
                try status.withLock { $0.index }?.writer.runBlocking {
                    try StateTable(connection: $0).set(.isRebuilding, to: 0)
                }
            } catch {
                // Then it is done again at the next start.
                _ = handle(error)
            }
        }
        removeDamagedIndex()
        guard adopted + dropped > 0 else { return }
        report(.indexRebuilt(entries: adopted, dropped: dropped))
        if budget.withLock({ $0.committed > $0.limitBytes }) { startTrimming() }
    }

    /// Returns how many of the files are in the index now; `nil` if the index cannot take them. On `indexQueue`.
    private func adopt(
        _ found: [(ObjectFolder.Listed, (ObjectTrailer, size: Int)?)], _ generation: UInt64
    ) -> Int? {
        guard let index = status.withLock({ $0.index }) else { return nil }
        let now = configuration.wallClock()
        do {
            var unwanted: [ObjectName] = []
            let adopted = try index.writer.runBlocking { connection in
                try connection.transaction {
                    try learnOfPurges(connection)
                    let table = EntryTable(connection: connection)
                    var (adopted, count, bytes) = (0, 0, 0)
                    for (file, contents) in found {
                        guard let (trailer, size) = contents else {
                            // One that is being written has no trailer yet.
                            if now.timeIntervalSince(file.modifiedAt) > Self.orphanGrace { unwanted.append(file.name) }
                            continue
                        }
                        let metadata = trailer.metadata.clamped(to: now) ?? trailer.metadata
                        let old = try table.entry(for: trailer.key)
                        let isAdmitted = history.withLock {
                            $0.admits(trailer.key, metadata, since: generation, now: now)
                        }
                        if old?.name == file.name {
                            adopted += 1
                            continue
                        }
                        if !isAdmitted || (old?.metadata?.storedAt ?? .distantPast) >= metadata.storedAt {
                            if !isOnItsWay(file.name, trailer.key) { unwanted.append(file.name) }
                            continue
                        }
                        if let old {
                            try table.delete(old)
                            unwanted.append(old.name)
                            count -= 1
                            bytes -= old.size
                        }
                        try table.insert(file.name, size: size, key: trailer.key, metadata: metadata)
                        adopted += 1
                        count += 1
                        bytes += size
                    }
                    let state = StateTable(connection: connection)
                    try state.addToTotals(count: count, bytes: bytes)
                    let total = try state.value(.bytes)
                    budget.withLock { $0.committed = total }
                    return adopted
                }
            }
            for name in unwanted { folder.remove(name) }
            return adopted
        } catch {
            _ = handle(error)
            return nil
        }
    }

    private func isOnItsWay(_ name: ObjectName, _ key: CacheKey) -> Bool {
        pending.withLock { $0.write(for: key)?.file?.name == name }
    }

    // MARK: Orphans

    /// Removes files that have no row: left by a crash between file and row, or between the end of a row and its file.
    private func removeOrphans() {
        let orphans = listOrphans(olderThan: Self.orphanGrace)
        let bytes = orphans.reduce(0) { $0 + $1.size }
        for orphan in orphans { folder.remove(orphan.name) }
        guard !orphans.isEmpty else { return }
        counters.withLock { $0.orphansRemoved += orphans.count }
        report(.orphansRemoved(count: orphans.count, bytes: bytes))
    }

    private func listOrphans(olderThan grace: TimeInterval) -> [ObjectFolder.Listed] {
        let begin = Date()
        // Eight bytes of each name: what is taken for known by mistake stays an orphan, nothing else can happen.
        var known: Set<UInt64> = []
        let isComplete = forEachEntry { known.insert(Self.prefix($0.name)) }
        guard isComplete else { return [] }
        var orphans: [ObjectFolder.Listed] = []
        for folderNumber in 0..<256 where !isStopping {
            let files = folder.list(folder: folderNumber)
            orphans += files.filter {
                begin.timeIntervalSince($0.modifiedAt) > grace && !known.contains(Self.prefix($0.name))
            }
            if grace > 0, !files.isEmpty { usleep(2_000) }
        }
        return orphans
    }

    private static func prefix(_ name: ObjectName) -> UInt64 {
        name.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Pages through all rows on a connection of the readers. `false` if it could not be finished.
    private func forEachEntry(_ body: (EntryTable.Entry) -> Void) -> Bool {
        guard let reader = status.withLock({ $0.index })?.readers.last else { return false }
        var last = 0
        do {
            while !isStopping {
                let page = try reader.runBlocking { try EntryTable(connection: $0).page(after: last, limit: 512) }
                guard let end = page.last else { return true }
                for entry in page { body(entry) }
                last = end.id
            }
        } catch {
            _ = handle(error)
        }
        return false
    }

    // MARK: Verifying

    /// Reads every object and compares length, digest and trailer; also looks for files without a row. `repair`
    /// removes what does not hold.
    package func verify(repair: Bool) async throws(DiskFailure) -> VerifyReport {
        await finishRebuilding()
        await run(on: indexQueue) { self.flush() }
        return try await run(on: maintenanceQueue) { self.verifyNow(repair: repair) }.get()
    }

    private func verifyNow(repair: Bool) -> Result<VerifyReport, DiskFailure> {
        guard currentIndex() != nil else { return .failure(status.withLock { $0.failure } ?? .unavailable) }
        var report = VerifyReport()
        var damaged: [Int: ObjectName] = [:]
        let isComplete = forEachEntry { entry in
            report.checked += 1
            report.bytes += entry.size
            guard let damage = self.damage(of: entry) else { return }
            damaged[entry.id] = entry.name
            switch damage {
            case .missing: report.missing += 1
            case .truncated: report.truncated += 1
            case .altered: report.altered += 1
            case .unreadable:
                // Whether it is whole cannot be said, and it is not ours to remove.
                report.unreadable += 1
                damaged[entry.id] = nil
            }
        }
        guard isComplete else { return .failure(.unavailable) }
        // Without repair nothing can be harmed, so young files count too.
        let orphans = listOrphans(olderThan: repair ? Self.orphanGrace : 0)
        report.orphans = orphans.count
        if repair {
            _ = indexQueue.sync { remove(damaged) }
            report.unremovable = orphans.count { !folder.remove($0.name) }
            counters.withLock {
                $0.damagedEntries += damaged.count
                $0.orphansRemoved += orphans.count - report.unremovable
            }
            report.isRepaired = true
        }
        return .success(report)
    }

    private func damage(of entry: EntryTable.Entry) -> StoreEvent.DamageKind? {
        guard let metadata = entry.metadata else { return .altered }
        switch folder.read(entry.name, byteCount: metadata.byteCount, size: entry.size) {
        case .missing: return .missing
        case .truncated: return .truncated
        case .failed: return .unreadable
        case .bytes(let bytes):
            guard bytes.withUnsafeBytes({ Digest(of: $0) }) == metadata.digest,
                let (trailer, _) = folder.readTrailer(of: entry.name), trailer.key.encoded == entry.key
            else { return .altered }
            return nil
        }
    }
}
