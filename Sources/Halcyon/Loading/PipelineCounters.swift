internal import Synchronization

/// What a pipeline has done since it was made.
final class PipelineCounters: Sendable {
    /// A counter on a cache line of its own would not pay: the server counts its hits per thread.
    final class Counter: Sendable {
        private let value = Atomic<Int>(0)
        func add(_ amount: Int) { value.add(amount, ordering: .relaxed) }
        var count: Int { value.load(ordering: .relaxed) }
    }

    let memoryHits = Counter()
    let diskHits = Counter()
    let fetched = Counter()
    let revalidated = Counter()
    let stale = Counter()
    /// Callers who waited for a load that another had begun: N callers at once count N - 1.
    let followers = Counter()
    private let failures: [ImagePipeline.Error.Reason: Counter] = Dictionary(
        uniqueKeysWithValues: ImagePipeline.Error.Reason.allCases.map { ($0, Counter()) })

    func count(_ loaded: LoadedEntry) {
        switch loaded.source {
        case .memory: memoryHits.add(1)
        case .disk: diskHits.add(1)
        case .origin: fetched.add(1)
        case .revalidated: revalidated.add(1)
        case .stale: stale.add(1)
        case .provider, .placeholder, .rendered: break
        }
    }

    func count(_ error: ImagePipeline.Error) { failures[error.reason]?.add(1) }

    var failureCounts: [ImagePipeline.Error.Reason: Int] {
        failures.mapValues(\.count).filter { $0.value > 0 }
    }
}
