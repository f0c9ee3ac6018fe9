package import HalcyonHTTP
package import HalcyonImage
package import HalcyonStore

extension ImagePipeline {
    /// What a pipeline holds now and has done since it was made.
    public struct Statistics: Sendable {
        public var memoryEntries: Int
        /// Bytes of images and their fixed overhead.
        public var memoryBytes: Int
        public var memoryLimitBytes: Int
        public var diskEntries: Int
        /// Bytes of files.
        public var diskBytes: Int
        public var diskLimitBytes: Int
        /// `nil` while the disk cache works; why not, otherwise.
        public var diskFault: String?

        public var memoryHits: Int
        public var diskHits: Int
        public var fetched: Int
        public var revalidated: Int
        public var stale: Int
        /// Loads that waited for another's: N callers at once count N - 1.
        public var coalesced: Int
        public var failures: [Error.Reason: Int]
        public var flights: Int

        /// Hits of either layer among all loads that ended in an image; `nil` before the first.
        public var hitRatio: Double? {
            let hits = memoryHits + diskHits
            let all = hits + fetched + revalidated + stale
            return all == 0 ? nil : Double(hits) / Double(all)
        }
    }

    public func statistics() async -> Statistics {
        let memory = parts.memory.statistics
        let disk = await parts.disk?.statistics()
        let counters = parts.counters
        let configuration = configuration
        return Statistics(
            memoryEntries: memory.count,
            memoryBytes: memory.bytes,
            memoryLimitBytes: configuration.memory.limitBytes,
            diskEntries: disk?.count ?? 0,
            diskBytes: disk?.bytes ?? 0,
            diskLimitBytes: parts.disk == nil ? 0 : configuration.disk.limitBytes,
            diskFault: diskFault,
            memoryHits: counters.memoryHits.count,
            diskHits: counters.diskHits.count,
            fetched: counters.fetched.count,
            revalidated: counters.revalidated.count,
            stale: counters.stale.count,
            coalesced: counters.followers.count,
            failures: counters.failureCounts,
            flights: flightCount
        )
    }

    private var diskFault: String? {
        guard let disk = parts.disk, case .unavailable(let reason) = disk.state else { return nil }
        return "\(reason)"
    }
}

/// What the server and the commands of this package look at beyond ``ImagePipeline/Statistics``.
extension ImagePipeline {
    package var fetchStatistics: FetchStatistics { parts.fetcher.statistics }
    package var renderingStatistics: PixelLane.Statistics { parts.pixels.statistics }
    package var lostDecoders: Int { parts.pixels.lostDecoders }
    package var diskCache: DiskCache? { parts.disk }
    package var memoryCache: MemoryCache { parts.memory }
}
