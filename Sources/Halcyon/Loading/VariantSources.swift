internal import HalcyonCrypto
internal import HalcyonImage
internal import HalcyonStore
internal import Synchronization

/// What originals are like, so that the format of a variant can be chosen without reading the original again. Bounded;
/// what is forgotten is found out anew from the bytes.
final class VariantSources: Sendable {
    private static let limit = 65_536

    private let sources = Mutex<[CacheKey: VariantSource]>([:])

    /// - Parameter key: of the original.
    func source(of key: CacheKey) -> VariantSource? { sources.withLock { $0[key] } }

    func note(_ source: VariantSource, of key: CacheKey) {
        sources.withLock { sources in
            if sources.count >= Self.limit, sources[key] == nil { sources.removeAll() }
            sources[key] = source
        }
    }

    func removeAll() { sources.withLock { $0.removeAll() } }
}
