package import HalcyonStore

/// What a load brought: the entry, whether or not a cache keeps it.
package struct LoadedEntry: Sendable {
    package let entry: CacheEntry
    package let source: ImageResponse.Source
    /// Whether the caller waited for a load that another had begun.
    package var isShared = false
    /// Whether a copy that was stale was replaced by a new one.
    package var replacesStale = false
    /// `false` for a photo that by its origin's or its configuration's word is kept nowhere.
    package var isStorable = true
    /// `false` where the disk should have kept a copy and did not take it.
    package var isKept = true

    init(
        entry: CacheEntry, source: ImageResponse.Source, isShared: Bool = false, replacesStale: Bool = false
    ) {
        self.entry = entry
        self.source = source
        self.isShared = isShared
        self.replacesStale = replacesStale
    }

    /// What was brought, in another form.
    package func with(_ entry: CacheEntry) -> LoadedEntry {
        var loaded = LoadedEntry(entry: entry, source: source, isShared: isShared, replacesStale: replacesStale)
        (loaded.isStorable, loaded.isKept) = (isStorable, isKept)
        return loaded
    }
}
