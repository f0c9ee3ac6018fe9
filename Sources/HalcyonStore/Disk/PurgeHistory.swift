#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The purges that this process knows of. Its generations are its own count of them; the sequence of the shared log
/// only tells which ones it has seen.
struct PurgeHistory {
    private(set) var generation: UInt64 = 0
    /// The last purge of the shared log that is in here.
    var lastSequence: Int?
    private var recent: [(generation: UInt64, selector: PurgeSelector)] = []
    private var unreported: [PurgeSelector]? = []

    private static let limit = 1_000

    mutating func append(_ selector: PurgeSelector, isExternal: Bool) {
        generation += 1
        recent.append((generation, selector))
        if recent.count > Self.limit { recent.removeFirst(recent.count - Self.limit) }
        guard isExternal, let count = unreported?.count else { return }
        if count < Self.limit { unreported?.append(selector) } else { unreported = nil }
    }

    /// Purges of other processes were missed: what is in memory may be covered by one of them, and so may a fetch that
    /// began before.
    mutating func lose() {
        append(.all, isExternal: false)
        unreported = nil
    }

    /// The log itself was replaced. What the old one held is known up to the last look, moments ago; memory is dropped
    /// to be sure.
    mutating func follow(logEndingAt last: Int) {
        lastSequence = last
        unreported = nil
    }

    /// Purges of other processes since the last call; `nil` if some were missed.
    mutating func takeExternal() -> [PurgeSelector]? {
        defer { unreported = [] }
        return unreported
    }

    /// Whether no purge since `generation` covers the entry.
    func admits(_ key: CacheKey, _ metadata: EntryMetadata, since generation: UInt64, now: Date) -> Bool {
        if generation >= self.generation { return true }
        // Older than what is remembered: it cannot be told, so it is not kept.
        guard let first = recent.first, generation + 1 >= first.generation else { return false }
        return !recent.contains { $0.generation > generation && $0.selector.matches(key, metadata, now: now) }
    }
}
