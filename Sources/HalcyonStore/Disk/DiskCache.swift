internal import Synchronization

package final class DiskCache: Sendable {
    package let configuration: DiskCacheConfiguration
    private let entries = Mutex<[CacheKey: CacheEntry]>([:])
    private let failures = Mutex<[CacheKey: FailureRecord]>([:])
    private let generationCounter = Atomic<UInt64>(0)

    package init(configuration: DiskCacheConfiguration) { self.configuration = configuration }

    package func open() async {}
    package func close() async {}
    package var state: DiskState { .available }
    package var generation: UInt64 { generationCounter.load(ordering: .acquiring) }

    package func entry(for key: CacheKey, extending: ExpirationExtension = .none) async -> CacheEntry? {
        entries.withLock { $0[key] }
    }

    package func store(
        _ bytes: [UInt8], metadata: EntryMetadata, for key: CacheKey, generation: UInt64,
        durability: StoreDurability = .committed
    ) async -> StoreOutcome {
        guard generation == self.generation else { return .superseded }
        let entry = CacheEntry(key: key, bytes: EntryBytes(copying: bytes), metadata: metadata)
        entries.withLock { $0[key] = entry }
        return .stored
    }

    package func refresh(
        _ metadata: EntryMetadata, for key: CacheKey, generation: UInt64, durability: StoreDurability = .written
    ) async {
        entries.withLock { $0[key] = $0[key]?.with(metadata) }
    }

    /// Whether an entry that was fetched since `generation` may be kept: no purge since then covers it.
    package func admits(_ key: CacheKey, _ metadata: EntryMetadata, since generation: UInt64) -> Bool {
        generation == self.generation
    }

    package func purge(_ selector: PurgeSelector, isDryRun: Bool) async throws(DiskFailure) -> PurgeReport {
        let now = configuration.wallClock()
        let gone = entries.withLock { $0.values.filter { selector.matches($0, now: now) } }
        if !isDryRun {
            generationCounter.add(1, ordering: .acquiringAndReleasing)
            entries.withLock { for entry in gone { $0[entry.key] = nil } }
        }
        return PurgeReport(count: gone.count, bytes: gone.reduce(0) { $0 + $1.bytes.count })
    }

    package func sweep() async -> PurgeReport { PurgeReport() }
    package func verify(repair: Bool) async throws(DiskFailure) -> VerifyReport { VerifyReport() }
    package func rebuildIndex() async throws(DiskFailure) {}
    package func statistics() async -> DiskStatistics { DiskStatistics() }
    package func externalPurges() async -> [PurgeSelector]? { [] }

    package func failure(for key: CacheKey) async -> FailureRecord? { failures.withLock { $0[key] } }
    package func recordFailure(_ record: FailureRecord, for key: CacheKey) async {
        failures.withLock { $0[key] = record }
    }
    package func clearFailure(for key: CacheKey) async { failures.withLock { $0[key] = nil } }
}
