internal import Glibc
internal import Synchronization

/// Counts of answers by route, source and class of status. The set of series is fixed when the server starts, whatever
/// is asked of it.
///
/// Guard: `slab` is written through atomics alone and freed with the object.
final class RequestMetrics: @unchecked Sendable {
    /// 1xx, 2xx … 5xx; 0 for exchanges that ended before an answer.
    private static let statusClasses = 6
    private static let series = RouteClass.allCases.count * AnswerSource.allCases.count * statusClasses
    /// One block of counters for some of the threads, so that they do not wait for each other's cache lines.
    private static let shards = 4
    /// A multiple of a cache line.
    private static let stride = (series + 1 + 7) / 8 * 8

    private let slab: UnsafeMutablePointer<Atomic<UInt64>>

    init() {
        slab = .allocate(capacity: Self.stride * Self.shards)
        for index in 0..<Self.stride * Self.shards { (slab + index).initialize(to: Atomic(0)) }
    }

    deinit {
        slab.deinitialize(count: Self.stride * Self.shards)
        slab.deallocate()
    }

    @inline(__always)
    func count(_ route: RouteClass, _ source: AnswerSource, status: Int, bytes: Int) {
        // Thread structures lie pages apart, so the low bits of their addresses are all alike.
        let shard = Int(truncatingIfNeeded: UInt(pthread_self()) >> 12) & (Self.shards - 1)
        let start = slab + shard * Self.stride
        start[Self.index(route, source, status / 100)].add(1, ordering: .relaxed)
        start[Self.series].add(UInt64(bytes), ordering: .relaxed)
    }

    struct Series {
        let route: RouteClass
        let source: AnswerSource
        let statusClass: Int
        let count: UInt64
    }

    /// The series that have been counted.
    var counted: [Series] {
        var all: [Series] = []
        for route in RouteClass.allCases {
            for source in AnswerSource.allCases {
                for statusClass in 0..<Self.statusClasses {
                    let count = total(Self.index(route, source, statusClass))
                    if count > 0 {
                        all.append(Series(route: route, source: source, statusClass: statusClass, count: count))
                    }
                }
            }
        }
        return all
    }

    var bytes: UInt64 { total(Self.series) }

    private func total(_ index: Int) -> UInt64 {
        (0..<Self.shards).reduce(0) { $0 + slab[$1 * Self.stride + index].load(ordering: .relaxed) }
    }

    private static func index(_ route: RouteClass, _ source: AnswerSource, _ statusClass: Int) -> Int {
        (route.rawValue * AnswerSource.allCases.count + source.rawValue) * statusClasses
            + min(max(0, statusClass), statusClasses - 1)
    }
}
