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
    let sources = VariantSources()
    let pixels: PixelWork
    let counters = PipelineCounters()
    private let epoch = Atomic<UInt64>(0)

    init(memory: MemoryCache, disk: DiskCache?, fetcher: Fetcher, pixels: PixelWork) {
        self.memory = memory
        self.disk = disk
        self.fetcher = fetcher
        self.pixels = pixels
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

    /// As a purge of `key`'s variants alone: what is made of its old bytes is not kept. The ticket of the caller, who has the
    /// new bytes, goes on to count, unless a purge has ended it already.
    func outdateVariants(_ ticket: Ticket) -> Ticket {
        sources.removeAll()
        let (isExchanged, _) = epoch.compareExchange(
            expected: ticket.epoch, desired: ticket.epoch + 1, ordering: .acquiringAndReleasing)
        return isExchanged ? Ticket(epoch: ticket.epoch + 1, generation: ticket.generation) : ticket
    }

    /// Called before a purge empties the memory, see ``isCurrent(_:)``.
    func beginPurge() {
        epoch.add(1, ordering: .acquiringAndReleasing)
        failures.removeAll()
        sources.removeAll()
    }
}
