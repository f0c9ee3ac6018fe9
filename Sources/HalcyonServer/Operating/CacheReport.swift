internal import Halcyon

/// `GET /cache/stats`.
struct CacheReport: Encodable, Sendable {
    struct Layer: Encodable, Sendable {
        let entries: Int
        let bytes: Int
        let limitBytes: Int
        let hits: Int
        /// Why the layer is not in use; `null` while it is.
        let fault: String?
    }

    let memory: Layer
    let disk: Layer
    let fetched: Int
    let revalidated: Int
    let stale: Int
    let coalesced: Int
    let hitRatio: Double?
    let failures: [String: Int]

    init(_ statistics: ImagePipeline.Statistics) {
        memory = Layer(
            entries: statistics.memoryEntries, bytes: statistics.memoryBytes,
            limitBytes: statistics.memoryLimitBytes, hits: statistics.memoryHits, fault: nil)
        disk = Layer(
            entries: statistics.diskEntries, bytes: statistics.diskBytes, limitBytes: statistics.diskLimitBytes,
            hits: statistics.diskHits, fault: statistics.diskFault)
        fetched = statistics.fetched
        revalidated = statistics.revalidated
        stale = statistics.stale
        coalesced = statistics.coalesced
        hitRatio = statistics.hitRatio
        failures = Dictionary(uniqueKeysWithValues: statistics.failures.map { ($0.key.rawValue, $0.value) })
    }
}
