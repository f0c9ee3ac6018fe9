internal import Dispatch
internal import Glibc
internal import HalcyonSQLite
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Entries kept on disk: one immutable file each, and an index in SQLite that commits them.
///
/// A write makes a new file (bytes, then ``ObjectTrailer``) and then a row. The row is the commit: after a crash at any
/// point the index leads to a whole old object or a whole new one, and a file without a row is swept. Several processes
/// may have one folder open.
///
/// Nothing here throws because a disk fails. A folder that cannot be used makes reads miss and stores fail, with one
/// ``StoreEvent``, and is tried again after ``DiskCacheConfiguration/retryInterval``.
///
/// Blocking work runs on queues of its own: `readQueues` look up and read, `writeQueues` write files, `indexQueue`
/// alone changes the index, `maintenanceQueue` walks the folders when that has to be.
package final class DiskCache: Sendable {
    package let configuration: DiskCacheConfiguration
    let folder: ObjectFolder
    let indexQueue = DispatchQueue(label: "halcyon.store.index")
    let maintenanceQueue = DispatchQueue(label: "halcyon.store.maintenance", qos: .utility)
    let readQueues: [DispatchQueue]
    let writeQueues: [DispatchQueue]
    let nextLane = Atomic<Int>(0)
    /// Tells the processes that share the folder apart.
    let process = Int.random(in: 1...Int.max)

    let status: Mutex<Status>
    let budget: Mutex<DiskBudget>
    let pending = Mutex(PendingWrites())
    let accesses = Mutex(AccessLog())
    let history = Mutex(PurgeHistory())
    let counters = Mutex(DiskStatistics.Counters())

    struct Status {
        var index: OpenIndex?
        /// The index that was open last.
        var lastIdentity: FileIdentity?
        var failure: DiskFailure? = .unavailable
        var isOpen = false
        /// Neither opening nor writing is tried before.
        var retryAt: ContinuousClock.Instant?
        var writeFailure: DiskFailure?
        var writeRetryAt: ContinuousClock.Instant?
        var lastReports: [String: ContinuousClock.Instant] = [:]
        var isTrimming = false
        /// Whether the index is being completed from the files.
        var isRebuilding = false
        /// Seen by long work in the background, which stops at the next step.
        var isStopping = false
    }

    package init(configuration: DiskCacheConfiguration) {
        self.configuration = configuration
        self.folder = ObjectFolder(path: configuration.folder)
        self.readQueues = (0..<max(1, configuration.readLanes)).map { DispatchQueue(label: "halcyon.store.read.\($0)") }
        self.writeQueues = (0..<max(1, configuration.writeLanes)).map {
            DispatchQueue(label: "halcyon.store.write.\($0)")
        }
        self.status = Mutex(Status())
        self.budget = Mutex(DiskBudget(limitBytes: configuration.limitBytes))
    }

    /// Opens the index, in time that does not depend on how much is in it. What has to be looked at after a crash is
    /// looked at in the background. A folder that cannot be used leaves the cache ``DiskState/unavailable(_:)``.
    package func open() async {
        await run(on: indexQueue) {
            self.status.withLock {
                $0.isOpen = true
                $0.isStopping = false
            }
            self.openIndexIfDue()
        }
    }

    /// Commits what is on its way and closes the index. The cache can be opened again.
    package func close() async {
        status.withLock { $0.isStopping = true }
        await run(on: maintenanceQueue) {}
        for queue in writeQueues { await run(on: queue) {} }
        await run(on: indexQueue) {
            self.flush()
            self.flushAccesses()
            self.closeIndex()
            self.status.withLock {
                $0.isOpen = false
                $0.failure = .unavailable
            }
        }
    }

    package var state: DiskState {
        status.withLock { status in
            if let failure = status.failure ?? status.writeFailure { return .unavailable(failure) }
            return .available
        }
    }

    /// A number that grows with every purge. Take it before a fetch begins and give it to the store.
    package var generation: UInt64 { history.withLock { $0.generation } }

    /// Whether an entry whose fetch or read began at `generation` may be kept: no purge since then covers it.
    package func admits(_ key: CacheKey, _ metadata: EntryMetadata, since generation: UInt64) -> Bool {
        let now = configuration.wallClock()
        return history.withLock { $0.admits(key, metadata, since: generation, now: now) }
    }

    /// Waits for work in the background that has begun: rebuilding, looking for orphans, trimming.
    package func finishMaintenance() async {
        await run(on: maintenanceQueue) {}
        while status.withLock({ $0.isTrimming }) { await run(on: indexQueue) {} }
    }

    /// Waits until the index knows every file, if it was lost and is being rebuilt. For questions whose answer would be
    /// wrong before; a server goes on serving meanwhile.
    package func finishRebuilding() async {
        guard status.withLock({ $0.isRebuilding }) else { return }
        await run(on: maintenanceQueue) {}
    }

    // MARK: Queues

    func run<T: Sendable>(on queue: DispatchQueue, _ body: @escaping @Sendable () -> T) async -> T {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }

    func lane(of queues: [DispatchQueue]) -> Int {
        (nextLane.add(1, ordering: .relaxed).newValue & Int.max) % queues.count
    }

    // MARK: Reports

    func report(_ event: StoreEvent) { configuration.onEvent(event) }

    /// Reports an event of a kind that repeats, once a minute.
    func report(_ event: StoreEvent, atMostOncePerMinute kind: String) {
        let isDue = status.withLock { status in
            let now = ContinuousClock.now
            if let last = status.lastReports[kind], now < last + .seconds(60) { return false }
            status.lastReports[kind] = now
            return true
        }
        if isDue { report(event) }
    }
}
