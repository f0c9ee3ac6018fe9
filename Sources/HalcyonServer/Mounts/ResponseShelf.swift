internal import Foundation
internal import Halcyon
internal import HalcyonCrypto
internal import HalcyonHTTP
internal import HalcyonStore

/// What is stored for one URL of a mount.
///
/// Under the URL's own key stands either the only response there is, which nothing chose, or the list of what chose the
/// responses: the names of `Vary`, the latest first. Each response then has a key that holds what a request said in them.
struct ResponseShelf: Sendable {
    struct Item: Sendable {
        var entry: CacheEntry
        var response: StoredResponse
        var isFromMemory: Bool
    }

    /// How long a stale response is kept, to be validated or to stand in for an origin that fails.
    static let retention: TimeInterval = 7 * 86_400
    private static let maximumLists = 8
    private static let listType = "application/x-halcyon-vary"

    let cache: ResponseCache
    let key: CacheKey
    let mount: Mount
    let now: @Sendable () -> Date

    /// The responses that the request may choose from, and the fields that chose the latest of all. Those of other requests
    /// cannot be told from the key, and are not looked for.
    func items(for request: HTTPFields) async -> (items: [Item], varyNames: [String]) {
        guard let (base, isFromMemory) = await cache.entry(for: key) else { return ([], []) }
        if let item = Self.item(base, isFromMemory) { return ([item], item.response.varyNames) }
        var items: [Item] = []
        let lists = Self.lists(in: base)
        for names in lists {
            for selection in Vary.selections(names, request) {
                if let (entry, isFromMemory) = await cache.entry(for: variantKey(names, selection: selection)),
                    let item = Self.item(entry, isFromMemory)
                {
                    items.append(item)
                }
            }
        }
        return (items, lists.first ?? [])
    }

    /// Whether anything is stored, for whatever request.
    var isEmpty: Bool {
        get async {
            let whole = await cache.entry(for: key)
            let part = await cache.entry(for: partKey)
            return whole == nil && part == nil
        }
    }

    /// The part that is kept for the request, if any.
    func part(for request: HTTPFields) async -> Item? {
        guard let (entry, isFromMemory) = await cache.entry(for: partKey) else { return nil }
        guard let item = Self.item(entry, isFromMemory), item.response.isSelected(by: request) else { return nil }
        return item
    }

    func keep(_ response: StoredResponse, _ bytes: [UInt8], ticket: ResponseCache.Ticket) async -> CacheEntry {
        let isPart = response.range != nil
        var target = isPart ? partKey : key
        if !isPart {
            let base = await cache.entry(for: key)
            let known = base.map { Self.lists(in: $0.entry) } ?? []
            if !response.varyNames.isEmpty || !known.isEmpty {
                target = variantKey(response.varyNames, selection: response.selection)
                var lists = known.filter { $0 != response.varyNames }
                lists.insert(response.varyNames, at: 0)
                // What nothing chose was stored under the URL's own key so far; it gives way.
                if lists != known { await keepList(Array(lists.prefix(Self.maximumLists)), ticket: ticket) }
            }
        }
        let entry = CacheEntry(key: target, bytes: EntryBytes(copying: bytes), metadata: metadata(response, bytes))
        await cache.keep(entry, ticket: ticket)
        if !isPart { await drop(partKey) }
        return entry
    }

    func refresh(_ item: Item, to response: StoredResponse, ticket: ResponseCache.Ticket) async -> Item {
        var metadata = item.entry.metadata
        describe(response, in: &metadata)
        let entry = await cache.refresh(item.entry, to: metadata, ticket: ticket)
        return Item(entry: entry, response: response, isFromMemory: item.isFromMemory)
    }

    /// Forgets what is stored under the URL: without the list nothing of it is found again.
    func invalidate() async throws {
        try await cache.remove(key)
        try await cache.remove(partKey)
    }

    // MARK: Parts

    private func drop(_ key: CacheKey) async {
        guard await cache.entry(for: key) != nil else { return }
        do { try await cache.remove(key) } catch {
            // It stays, and is found only where nothing complete is.
        }
    }

    private var partKey: CacheKey { key.variant("\u{1}part") }

    private func variantKey(_ names: [String], selection: [String]) -> CacheKey {
        let text = zip(names, selection).map { "\($0.utf8.count):\($0)\($1.utf8.count):\($1)" }.joined()
        // Long fields make no long keys.
        return key.variant(key.variant + "\u{2}" + Digest(of: Array(text.utf8)).hex)
    }

    private static func item(_ entry: CacheEntry, _ isFromMemory: Bool) -> Item? {
        guard let head = entry.metadata.responseHead, let response = StoredResponse(encoded: head) else { return nil }
        return Item(entry: entry, response: response, isFromMemory: isFromMemory)
    }

    private static func lists(in entry: CacheEntry) -> [[String]] {
        guard entry.metadata.contentType == listType else { return [] }
        let text = String(decoding: entry.bytes.array, as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.split(separator: ",").map(String.init) }
    }

    private func keepList(_ lists: [[String]], ticket: ResponseCache.Ticket) async {
        let bytes = Array(lists.map { $0.joined(separator: ",") }.joined(separator: "\n").utf8)
        let now = now()
        let metadata = EntryMetadata(
            contentType: Self.listType, host: mount.origin.host, tags: [tag], storedAt: now,
            expiresAt: now + Self.retention, lifetime: Self.retention, digest: bytes.withUnsafeBytes { Digest(of: $0) },
            byteCount: bytes.count)
        await cache.keep(
            CacheEntry(key: key, bytes: EntryBytes(copying: bytes), metadata: metadata), ticket: ticket)
    }

    private var tag: String { "mount:\(mount.path)" }

    private func metadata(_ response: StoredResponse, _ bytes: [UInt8]) -> EntryMetadata {
        var metadata = EntryMetadata(
            contentType: response.fields.first("Content-Type") ?? "application/octet-stream",
            host: mount.origin.host, tags: [tag], storedAt: response.responseTime, expiresAt: nil,
            digest: bytes.withUnsafeBytes { Digest(of: $0) }, byteCount: bytes.count)
        describe(response, in: &metadata)
        return metadata
    }

    private func describe(_ response: StoredResponse, in metadata: inout EntryMetadata) {
        let left = max(0, response.lifetime(mount.policy.rules) - response.initialAge)
        metadata.storedAt = response.responseTime
        metadata.ageAtStore = response.initialAge
        metadata.expiresAt = response.responseTime + left
        metadata.lifetime = left
        metadata.staleIfErrorUntil = response.responseTime + left + Self.retention
        metadata.responseHead = response.encoded
    }
}
