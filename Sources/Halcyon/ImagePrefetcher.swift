internal import HalcyonStore
internal import Synchronization

/// Warms the caches with many images, a bounded number at a time.
///
/// ```swift
/// let summary = await ImagePrefetcher(pipeline: pipeline).run(urls.map { .init(id: $0, url: $0) })
/// ```
///
/// Loads run with ``ImageRequest/Priority/prefetch``, so that whoever looks at a screen goes first, and are kept on disk
/// alone by default, so that a whole school does not push the class on screen out of memory. Cancelling the calling task
/// ends the transfers and keeps what was fetched.
public struct ImagePrefetcher: Sendable {
    public static let defaultConcurrency = 16

    private let pipeline: ImagePipeline
    private let concurrency: Int

    /// - Parameter concurrency: loads at a time, at least 1. The configuration's limits per host and in all hold as well.
    public init(pipeline: ImagePipeline, concurrency: Int = defaultConcurrency) {
        self.pipeline = pipeline
        self.concurrency = max(1, concurrency)
    }

    /// One image to be had.
    public struct Item: Sendable {
        /// What the summary calls it: a URL, or a pupil's number.
        public let id: String
        /// `nil` for one that has no image, which is counted and is no failure, and for one that ``provider`` gives.
        public let url: String?
        public let provider: ImageDataProvider?
        public let tags: [String]

        public init(id: String, url: String?, tags: [String] = []) {
            self.id = id
            self.url = url
            self.provider = nil
            self.tags = tags
        }

        /// An image that is not fetched: it is read and checked, and counts as already fresh.
        public init(id: String, provider: ImageDataProvider, tags: [String] = []) {
            self.id = id
            self.url = nil
            self.provider = provider
            self.tags = tags
        }

        func request(_ variant: ImageVariant, _ options: ImageRequest.Options) -> ImageRequest? {
            if let provider { return ImageRequest(provider: provider, variant: variant, options: options) }
            return url.map { ImageRequest(url: $0, variant: variant, options: options) }
        }
    }

    /// Loads every item and says what became of each. The summary's numbers add up to the number of items.
    ///
    /// - Parameters:
    ///   - variants: what is made of every image, one after the other; an item counts once, by the first that fails or
    ///     had to be fetched. Empty: the original alone.
    ///   - options: for every load; the priority, and the items' tags, are set by the prefetcher.
    ///   - onItem: called after each item, from many threads: return at once.
    public func run(
        _ items: [Item],
        variants: [ImageVariant] = [],
        options: ImageRequest.Options = ImageRequest.Options(destination: .disk),
        onItem: (@Sendable (Item, Outcome) -> Void)? = nil
    ) async -> Summary {
        let next = Next(items.count)
        var options = options
        options.priority = .prefetch
        let failedBefore = await pipeline.diskCache?.commitPending() ?? 0
        let absent = AbsentKeys(await pipeline.absentKeys(items, options: options))
        var summary = await withTaskGroup(of: Summary.self) { group in
            for _ in 0..<min(concurrency, max(1, items.count)) {
                group.addTask(executorPreference: pipeline.lanes) { [options] in
                    var summary = Summary()
                    while let index = next.index() {
                        let outcome = await self.load(
                            items[index], variants.isEmpty ? [.original] : variants, options: options, absent: absent)
                        summary.add(outcome, for: items[index])
                        onItem?(items[index], outcome)
                    }
                    return summary
                }
            }
            return await group.reduce(into: Summary()) { $0.merge($1) }
        }
        // A file counts as kept once its row is in the index as well.
        let failed = (await pipeline.diskCache?.commitPending() ?? 0) - failedBefore
        summary.noteLost(failed - summary.notKept)
        return summary
    }

    private func load(
        _ item: Item, _ variants: [ImageVariant], options: ImageRequest.Options, absent: AbsentKeys
    ) async -> Outcome {
        var options = options
        options.tags += item.tags
        var outcome = Outcome.noPhoto
        for variant in variants {
            guard let request = item.request(variant, options) else { return .noPhoto }
            let next = await load(request, absent: absent)
            switch next {
            case .failed, .cancelled, .notKept: return next
            case .fetched, .revalidated: outcome = next
            case .alreadyFresh, .noPhoto: if outcome == .noPhoto { outcome = next }
            }
            // One answer of the origin is enough for all.
            if options.cachePolicy == .refresh { options.cachePolicy = .useCache }
        }
        return outcome
    }

    private func load(_ request: ImageRequest, absent: AbsentKeys) async -> Outcome {
        guard !Task.isCancelled else { return .cancelled }
        do throws(ImagePipeline.Error) {
            let loaded = try await pipeline.load(request, isKnownAbsent: absent.take)
            let bytes = loaded.entry.metadata.byteCount
            switch loaded.source {
            case .memory, .disk, .provider, .rendered, .stale(.revalidating): return .alreadyFresh(bytes: bytes)
            case .origin: return loaded.isKept ? .fetched(bytes: bytes) : .notKept(bytes: bytes)
            case .revalidated: return .revalidated(bytes: bytes)
            case .stale(let reason), .placeholder(let reason):
                return .failed(.init(reason, "a newer copy could not be had; the old one is kept"))
            }
        } catch {
            return error.kind == .cancelled ? .cancelled : .failed(error)
        }
    }

    /// Keys of which the disk knew nothing when the run began. Each is taken once: by the time that the same image comes
    /// up again, the disk has it.
    private final class AbsentKeys: Sendable {
        private let keys: Mutex<Set<CacheKey>>

        init(_ keys: Set<CacheKey>) { self.keys = Mutex(keys) }

        func take(_ key: CacheKey) -> Bool { keys.withLock { $0.remove(key) != nil } }
    }

    /// The next item that no worker has taken.
    private final class Next: Sendable {
        private let taken = Atomic<Int>(0)
        private let count: Int

        init(_ count: Int) { self.count = count }

        func index() -> Int? {
            let index = taken.add(1, ordering: .relaxed).oldValue
            return index < count ? index : nil
        }
    }
}
