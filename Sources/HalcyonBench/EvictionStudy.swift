internal import Foundation

/// Which entries a full memory cache should give up: three policies over the same traces, in entries of equal size.
///
/// The traces are made from fixed seeds, so every run prints the same table. `docs/eviction.md` holds it, with what was
/// concluded from it.
struct EvictionStudy {
    private static let capacities = [100, 300, 1_000]

    func run() {
        let traces: [EvictionTrace] = [.zipf, .zipfWithPrefetch, .loopingClass, .loopingSchool]
        for trace in traces {
            print("\n\(trace.title)\n")
            print("| capacity | " + EvictionPolicyKind.allCases.map(\.rawValue).joined(separator: " | ") + " |")
            print("|---:|" + EvictionPolicyKind.allCases.map { _ in "---:|" }.joined())
            for capacity in Self.capacities {
                let ratios = EvictionPolicyKind.allCases.map { hitRatio(of: $0.make(capacity: capacity), on: trace) }
                print("| \(capacity) | " + ratios.map { decimal($0 * 100) + " %" }.joined(separator: " | ") + " |")
            }
        }
    }

    /// Of the requests that people made; what a prefetch does is not one.
    private func hitRatio(of policy: any EvictionPolicy, on trace: EvictionTrace) -> Double {
        var (hits, requests) = (0, 0)
        for access in trace.accesses {
            let isHit = policy.access(access.photo)
            if access.isCounted {
                requests += 1
                hits += isHit ? 1 : 0
            }
        }
        return Double(hits) / Double(requests)
    }
}
