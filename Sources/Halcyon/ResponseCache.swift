internal import HalcyonCrypto
package import HalcyonStore

/// The pipeline's caches as a mount uses them: for responses that are passed on as they came, by rules of their own.
package struct ResponseCache: Sendable {
    let parts: PipelineParts

    /// The moment at which a request went out, as purges count: what came of it is not kept if one has come since.
    package struct Ticket: Sendable {
        let ticket: PipelineParts.Ticket
    }

    package func ticket() -> Ticket { Ticket(ticket: parts.ticket()) }

    /// The entry in memory, if it is fresh. Does not suspend: the server's hot path.
    package func memoryEntry(for key: CacheKey) -> CacheEntry? {
        guard let entry = parts.memory.entry(for: key) else { return nil }
        parts.counters.memoryHits.add(1)
        return entry
    }

    /// The entry, fresh or stale, from memory or disk. One from the disk is kept in memory from now on while it is fresh.
    package func entry(for key: CacheKey) async -> (entry: CacheEntry, isFromMemory: Bool)? {
        if let entry = parts.memory.entry(for: key) ?? parts.memory.staleEntry(for: key) { return (entry, true) }
        guard let disk = parts.disk else { return nil }
        let ticket = parts.ticket()
        guard let entry = await disk.entry(for: key) else { return nil }
        if parts.isCurrent(ticket), disk.admits(key, entry.metadata, since: ticket.generation) {
            parts.memory.insert(entry)
        }
        return (entry, false)
    }

    /// Keeps a response, unless a purge has come since `ticket`.
    package func keep(_ entry: CacheEntry, ticket: Ticket) async {
        guard parts.isCurrent(ticket.ticket) else { return }
        parts.memory.insert(entry)
        // A purge in between finds it in memory or is seen here.
        if !parts.isCurrent(ticket.ticket) { parts.memory.remove(entry.key) }
        _ = await parts.disk?.store(
            entry.bytes.array, metadata: entry.metadata, for: entry.key, generation: ticket.ticket.generation,
            durability: .written)
    }

    /// The same bytes with new metadata, as after a 304.
    package func refresh(_ entry: CacheEntry, to metadata: EntryMetadata, ticket: Ticket) async -> CacheEntry {
        let fresh = entry.with(metadata)
        guard parts.isCurrent(ticket.ticket) else { return fresh }
        parts.memory.insert(fresh)
        if !parts.isCurrent(ticket.ticket) { parts.memory.remove(fresh.key) }
        await parts.disk?.refresh(metadata, for: fresh.key, generation: ticket.ticket.generation)
        return fresh
    }

    /// Forgets one response, here and on disk. What is on its way to take its place is the caller's to stop.
    package func remove(_ key: CacheKey) async throws {
        parts.memory.remove(key)
        _ = try await parts.disk?.purge(.key(key), isDryRun: false)
        parts.memory.remove(key)
    }
}

extension ImagePipeline {
    package var responses: ResponseCache { ResponseCache(parts: parts) }
}
