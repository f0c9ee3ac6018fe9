internal import Dispatch
internal import Glibc
internal import HalcyonSQLite
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Opening the index, losing it, and getting it back. On `indexQueue`, unless said otherwise.
extension DiskCache {
    var indexPath: String { "\(folder.path)/index.sqlite" }

    /// The open index. From any lane: opens it if it is down and due to be tried again.
    func currentIndex() -> OpenIndex? {
        let (index, isDue) = status.withLock { ($0.index, $0.index == nil && Self.isOpeningDue($0)) }
        if isDue { return indexQueue.sync { openIndexIfDue() } }
        return index
    }

    private static func isOpeningDue(_ status: Status) -> Bool {
        guard status.isOpen else { return false }
        return status.retryAt.map { ContinuousClock.now >= $0 } ?? true
    }

    @discardableResult
    func openIndexIfDue() -> OpenIndex? {
        let (index, isDue, wasFailing) = status.withLock {
            ($0.index, $0.index == nil && Self.isOpeningDue($0), $0.retryAt != nil)
        }
        guard index == nil, isDue else { return index }
        do {
            let (index, isNew) = try openIndex()
            status.withLock {
                $0.index = index
                $0.failure = nil
                $0.retryAt = nil
            }
            if wasFailing {
                status.withLock { $0.lastReports["unavailable"] = nil }
                report(.recovered)
            }
            scheduleMaintenance(index, isNew: isNew)
            return index
        } catch {
            degrade(failure(from: error))
            return nil
        }
    }

    func closeIndex() {
        guard let index = status.withLock({ $0.index }) else { return }
        do {
            try index.writer.runBlocking { connection in
                try StateTable(connection: connection).endSession(process)
                // SQLite would do it when the last connection closes, but a reader may be that and cannot.
                try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            }
        } catch {
            // Then the next process looks for orphans and reads the log: all that this would have saved it.
        }
        status.withLock { $0.index = nil }
    }

    /// Takes the cache out of service until the next try.
    func degrade(_ failure: DiskFailure) {
        status.withLock {
            $0.index = nil
            $0.failure = failure
            $0.retryAt = .now + configuration.retryInterval
        }
        report(.unavailable(failure), atMostOncePerMinute: "unavailable")
    }

    /// What a failed statement means for the index. From any lane.
    func handle(_ error: any Error) -> DiskFailure {
        let failure = failure(from: error)
        switch failure {
        case .indexCorrupt:
            let damaged = status.withLock { $0.index?.identity }
            indexQueue.async { self.replaceIndex(ifStill: damaged) }
        case .index(let code):
            switch code & 0xff {
            // IOERR, READONLY, CANTOPEN: the file is not there any more, or not ours to write.
            case 10, 8, 14:
                indexQueue.async { if self.isIndexLost { self.reopenIndex() } else { self.degrade(failure) } }
            // FULL: reads go on, stores wait for room.
            case 13: noteFailure(failure)
            // BUSY and the rest concern one statement alone.
            default: report(.writeFailed(failure), atMostOncePerMinute: "index")
            }
        case .system, .unavailable: report(.writeFailed(failure), atMostOncePerMinute: "index")
        }
        return failure
    }

    func failure(from error: any Error) -> DiskFailure {
        switch error {
        case let error as DiskFailure: error
        // CORRUPT, NOTADB
        case let error as DatabaseError: [11, 26].contains(error.primaryCode) ? .indexCorrupt : .index(error.code)
        default: .unavailable
        }
    }

    // MARK: Opening

    private func openIndex() throws -> (OpenIndex, isNew: Bool) {
        try folder.create()
        var isNew = try createIndexFile()
        let index: OpenIndex
        do { index = try connect() } catch  where failure(from: error) == .indexCorrupt {
            try setIndexAside(unless: nil)
            isNew = try createIndexFile()
            index = try connect()
            report(.indexReplaced)
        }
        try index.writer.runBlocking { connection in
            let (log, state) = (PurgeLog(connection: connection), StateTable(connection: connection))
            let last = try log.last
            let isFirst = history.withLock { history in
                guard history.lastSequence == nil else { return false }
                history.lastSequence = last
                return true
            }
            let isSame = status.withLock { status in
                defer { status.lastIdentity = index.identity }
                return status.lastIdentity == index.identity
            }
            if !isFirst, !isSame { history.withLock { $0.follow(logEndingAt: last) } }
            let bytes = try state.value(.bytes)
            budget.withLock { $0.committed = bytes }
        }
        return (index, isNew)
    }

    /// Makes the file with mode 0600 before SQLite sees it; its companions take the same mode. `false` if it is there.
    private func createIndexFile() throws(DiskFailure) -> Bool {
        let descriptor = Glibc.open(indexPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { return false }
            throw .system(errno)
        }
        fchmod(descriptor, 0o600)
        Glibc.close(descriptor)
        return true
    }

    private func connect() throws -> OpenIndex {
        let options = Connection.Options(isSynchronousFull: false)
        let writer: Database
        do { writer = try Database(path: indexPath, options: options, migrations: IndexSchema.migrations) } catch let
            error as DatabaseError where error.primaryCode == 20
        {
            // A schema of a later version: MISMATCH. Treated like a damaged one, since a cache can be made again.
            throw DiskFailure.indexCorrupt
        }
        try writer.runBlocking { connection in
            guard try StateTable(connection: connection).value(.keyVersion) == IndexSchema.version else {
                throw DiskFailure.indexCorrupt
            }
            // A checkpoint syncs; four times the default keeps bulk work from waiting for it.
            try connection.execute("PRAGMA wal_autocheckpoint=4000; PRAGMA cache_size=-8000")
        }
        guard let identity = FileIdentity(path: indexPath) else { throw DiskFailure.system(ENOENT) }
        let readOptions = Connection.Options(isReadOnly: true, isSynchronousFull: false)
        let readers = try readQueues.map { _ in try Database(path: indexPath, options: readOptions) }
        return OpenIndex(writer: writer, readers: readers, identity: identity)
    }

    // MARK: Losing and replacing

    /// Whether the path leads to another file than the open one: the folder was removed, or another process replaced
    /// the index.
    var isIndexLost: Bool {
        guard let index = status.withLock({ $0.index }) else { return false }
        return FileIdentity(path: indexPath) != index.identity
    }

    /// Gives up an index that is not at its path any more and opens the one that is.
    @discardableResult
    func reopenIndex() -> OpenIndex? {
        status.withLock {
            $0.index = nil
            $0.retryAt = nil
        }
        return openIndexIfDue()
    }

    /// Sets a damaged index aside, begins a new one and fills it from the object files.
    func replaceIndex(ifStill identity: FileIdentity?) {
        // The same damage is often seen by several readers.
        guard let damaged = status.withLock({ $0.index }), damaged.identity == identity else { return }
        status.withLock {
            $0.index = nil
            $0.retryAt = nil
        }
        do {
            try setIndexAside(unless: damaged.identity)
            report(.indexReplaced)
        } catch {
            degrade(failure(from: error))
            return
        }
        openIndexIfDue()
    }

    /// Under a lock of the folder, so that of two processes that see the damage one acts.
    private func setIndexAside(unless expected: FileIdentity?) throws(DiskFailure) {
        let lock = Glibc.open("\(folder.path)/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw .system(errno) }
        defer { Glibc.close(lock) }
        guard flock(lock, LOCK_EX) == 0 else { throw .system(errno) }
        if let expected, FileIdentity(path: indexPath) != expected { return }
        for suffix in Self.indexSuffixes {
            guard rename(indexPath + suffix, damagedIndexPath + suffix) == 0 || errno == ENOENT else {
                throw .system(errno)
            }
        }
    }

    private static var indexSuffixes: [String] { ["-wal", "-shm", ""] }
    private var damagedIndexPath: String { "\(folder.path)/index.damaged.sqlite" }

    /// What was set aside names photos that a purge would have to remove, so it does not outlive the rebuild.
    func removeDamagedIndex() {
        for suffix in Self.indexSuffixes { unlink(damagedIndexPath + suffix) }
    }
}
