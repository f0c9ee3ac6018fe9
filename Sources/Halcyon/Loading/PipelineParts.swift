internal import HalcyonHTTP
internal import HalcyonStore
internal import Synchronization

/// What every load of a pipeline shares.
final class PipelineParts: Sendable {
    let memory: MemoryCache
    /// `nil` where the configuration names no folder.
    let disk: DiskCache?
    let fetcher: Fetcher
    let failures = FailureTable()
    let unshareable = UnshareableMarks()
    let counters = PipelineCounters()
    private let epoch = Atomic<UInt64>(0)

    init(memory: MemoryCache, disk: DiskCache?, fetcher: Fetcher) {
        self.memory = memory
        self.disk = disk
        self.fetcher = fetcher
    }

    /// The moment at which a fetch began, as purges count.
    struct Ticket: Sendable {
        let epoch: UInt64
        /// The disk cache's own count, which other processes advance too.
        let generation: UInt64
    }

    func ticket() -> Ticket {
        Ticket(epoch: epoch.load(ordering: .acquiring), generation: disk?.generation ?? 0)
    }

    var currentEpoch: UInt64 { epoch.load(ordering: .acquiring) }

    /// Whether no purge has come since.
    func isCurrent(_ ticket: Ticket) -> Bool {
        epoch.load(ordering: .acquiring) == ticket.epoch
    }

    /// Called before a purge empties the memory, see ``isCurrent(_:)``.
    func beginPurge() {
        epoch.add(1, ordering: .acquiringAndReleasing)
        failures.removeAll()
    }
}
