internal import Foundation
internal import HalcyonHTTP
internal import HalcyonStore

extension ImagePipeline {
    /// What a purge removes.
    public enum Purge: Sendable, Hashable {
        /// What is past its expiry and past the time that it could still stand in for a failed fetch.
        case expired
        case all
        /// Every variant of the image.
        case url(String)
        /// What was kept under a key of the caller's, every variant of it too.
        case key(String)
        /// Everything fetched from the host, by its exact name.
        case host(String)
        /// Everything that carries one of the labels.
        case tags([String])
        /// What was fetched, or last vouched for, longer ago than this.
        case olderThan(Duration)
        /// The least recently used, until no more than this many bytes are on disk.
        case toSize(Int)
    }

    /// What a purge removed, or would remove.
    public struct PurgeReport: Sendable, Hashable {
        public var count: Int
        public var bytes: Int
    }

    /// Removes images from both caches, here and in every process that shares the folder.
    ///
    /// A fetch that was begun before may answer its caller, but is not kept.
    /// - Throws: `.invalidURL` for a URL that cannot be read; `.storage` if the index cannot be changed.
    @discardableResult
    public func purge(_ purge: Purge, isDryRun: Bool = false) async throws(Error) -> PurgeReport {
        let selector = try selector(for: purge)
        let inMemory: PurgeReport
        if isDryRun {
            inMemory = PurgeReport(count: 0, bytes: 0)
        } else {
            parts.beginPurge()
            inMemory = purgeMemory(selector)
        }
        guard let disk = parts.disk else { return inMemory }
        do {
            let report = try await disk.purge(selector, isDryRun: isDryRun)
            // A load that read the disk in between may have put its entry back.
            if !isDryRun { _ = purgeMemory(selector) }
            return PurgeReport(
                count: max(report.count, inMemory.count), bytes: max(report.bytes, inMemory.bytes))
        } catch {
            throw Error(.storage, "the cache index could not be changed: \(error)")
        }
    }

    /// Removes what has expired and what is over the limits. Done by itself at the configured interval.
    public func sweep() async {
        parts.memory.sweep(now: currentSettings.now)
        _ = await parts.disk?.sweep()
    }

    /// Follows the purges of other processes. Done by itself twice a second.
    package func applyExternalPurges() async {
        guard let disk = parts.disk else { return }
        guard let selectors = await disk.externalPurges() else {
            // More purges than are remembered: what they named is not known any more.
            parts.beginPurge()
            parts.memory.removeAll()
            return
        }
        guard !selectors.isEmpty else { return }
        parts.beginPurge()
        for selector in selectors { _ = purgeMemory(selector) }
    }

    /// The keys of those items of which the disk knows nothing. Items that cannot be read are left to their load.
    func absentKeys(_ items: [ImagePrefetcher.Item], options: ImageRequest.Options) async -> Set<CacheKey> {
        guard options.cachePolicy == .useCache, let disk = parts.disk else { return [] }
        let settings = currentSettings
        await disk.finishRebuilding()
        var absent: Set<CacheKey> = []
        for start in stride(from: 0, to: items.count, by: 1_000) {
            let keys = items[start..<min(start + 1_000, items.count)].compactMap { item -> CacheKey? in
                guard let url = item.url else { return nil }
                switch resolve(ImageRequest(url: url, options: options), settings) {
                case .success(let request): return request.key
                case .failure: return nil
                }
            }
            absent.formUnion(await disk.unknown(of: keys))
        }
        return absent
    }

    private func purgeMemory(_ selector: PurgeSelector) -> PurgeReport {
        let now = currentSettings.now
        let removed = parts.memory.purge { selector.matches($0, now: now) }
        return PurgeReport(count: removed.count, bytes: removed.bytes)
    }

    private func selector(for purge: Purge) throws(Error) -> PurgeSelector {
        switch purge {
        case .expired: return .expired
        case .all: return .all
        case .url(let text):
            let url = try ResolvedRequest.canonicalURL(text)
            let dropped = currentSettings.policy.rule(for: url)?.droppedQueryItems ?? []
            return .url(url.droppingQueryItems(named: dropped).text)
        case .key(let name): return .photo(.explicit(name))
        case .host(let name): return .host(name.lowercased())
        case .tags(let tags): return .tags(tags)
        case .olderThan(let age):
            guard age >= .zero else { throw Error(.invalidOption, "older than \(age): at least zero") }
            return .olderThan(age.seconds)
        case .toSize(let bytes):
            guard bytes >= 0 else { throw Error(.invalidOption, "to size \(bytes): at least 0 bytes") }
            return .toSize(bytes)
        }
    }
}
