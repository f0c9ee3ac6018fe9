internal import Foundation
internal import HalcyonCrypto
internal import HalcyonHTTP
internal import HalcyonImage
internal import HalcyonStore

/// One load of a variant. The steps, in their order:
///
/// 1. `ImagePipeline.load` asks memory for the variant; a hit ends there.
/// 2. It joins the flight of the same wish, or begins one.
/// 3. **Memory** again, then **disk**, for each of the variants that would do; the original is not looked at.
/// 4. The **original** is loaded as any image, so that it is fetched once for all its variants. Now the variant is known.
/// 5. A kept variant made from **these very bytes** is taken, with the original's new expiry.
/// 6. Otherwise one flight **makes** it on the pixel lanes, for all who wait for this variant by whatever wish.
/// 7. It is **kept** beside the original, with its tags and its expiry, unless a purge came in between.
struct VariantLoad: Sendable {
    let variant: Variant
    let accept: AcceptedFormats
    /// Of the original.
    let request: ResolvedRequest
    let settings: Settings
    let parts: PipelineParts
    let flights: FlightTable
    let mode: ImageLoad.Mode
    let original: @Sendable () async throws(Failure) -> LoadedEntry

    typealias Failure = ImagePipeline.Error

    /// The variants that would do, the best first: one, where the original is known.
    static func choices(_ variant: Variant, accept: AcceptedFormats, source: VariantSource?) -> [ResolvedVariant] {
        source.map { [variant.resolved(accept: accept, source: $0)] } ?? variant.candidates(accept: accept)
    }

    func run() async throws(Failure) -> Flight.Landing {
        // Taken before anything is read, as in ``ImageLoad``.
        let ticket = parts.ticket()
        var kept: CacheEntry?
        if mode == .normal {
            for choice in Self.choices(variant, accept: accept, source: parts.sources.source(of: request.key)) {
                let key = request.key.variant(choice.key)
                if let entry = parts.memory.entry(for: key) { return landing(entry, .memory) }
                guard let entry = onDisk(key) ?? parts.memory.staleEntry(for: key) else { continue }
                if entry.isFresh(at: settings.now) {
                    request.keepInMemory(entry, parts: parts, ticket: ticket)
                    return landing(entry, .disk)
                }
                kept = kept ?? entry
            }
        }
        let loaded: LoadedEntry
        do {
            loaded = try await original()
        } catch {
            return try stale(kept, after: error)
        }
        let source: VariantSource
        do throws(ImageError) {
            source = try VariantSource(loaded.entry.bytes.array, limits: settings.imageLimits)
        } catch {
            throw Failure(error)
        }
        if parts.isCurrent(ticket) { parts.sources.note(source, of: request.key) }
        return try await variant(variant.resolved(accept: accept, source: source), of: loaded, ticket: ticket)
    }

    // MARK: Steps

    private func variant(
        _ choice: ResolvedVariant, of loaded: LoadedEntry, ticket: PipelineParts.Ticket
    ) async throws(Failure) -> Flight.Landing {
        let key = request.key.variant(choice.key)
        if let kept = parts.memory.staleEntry(for: key) ?? onDisk(key),
            kept.metadata.sourceDigest == loaded.entry.metadata.digest
        {
            return await renewed(kept, by: loaded, ticket: ticket)
        }
        if let record = parts.failures.record(for: key, now: settings.now) { throw Failure(record, now: settings.now) }
        let flightKey = FlightTable.Key(
            cacheKey: key, mode: .normal, isCacheOnly: false, destination: request.options.destination,
            epoch: ticket.epoch)
        let (outcome, _) = await flights.outcome(for: flightKey, onProgress: nil) { _ in
            do throws(Failure) {
                return .success(try await self.make(choice, key: key, from: loaded, ticket: ticket))
            } catch {
                _ = self.parts.failures.recordFailure(
                    error, for: key, maximum: self.settings.negativeExpiry, now: self.settings.now)
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private func make(
        _ choice: ResolvedVariant, key: CacheKey, from loaded: LoadedEntry, ticket: PipelineParts.Ticket
    ) async throws(Failure) -> Flight.Landing {
        let image: RenderedImage
        do throws(RenderError) {
            image = try await parts.pixels.render(loaded.entry.bytes.array, as: choice, limits: settings.imageLimits)
        } catch {
            settings.configuration.onEvent(.failed(host: request.host, Failure(error).reason))
            throw Failure(error)
        }
        var metadata = described(loaded.entry.metadata)
        metadata.contentType = image.format.contentType
        metadata.pixelWidth = image.width
        metadata.pixelHeight = image.height
        metadata.digest = Digest(of: image.bytes)
        metadata.byteCount = image.bytes.count
        metadata.sourceDigest = loaded.entry.metadata.digest
        let entry = CacheEntry(key: key, bytes: EntryBytes(copying: image.bytes), metadata: metadata)
        var result = loaded.made(entry)
        // One made from a stale original is for those who wait for it now.
        guard loaded.isStorable, loaded.isKept, loaded.entry.isFresh(at: settings.now) else {
            return Flight.Landing(loaded: result, isShareable: loaded.isStorable)
        }
        if isKeptOnDisk, let disk = parts.disk {
            switch disk.storeBlocking(image.bytes, metadata: metadata, for: key, generation: ticket.generation) {
            case .stored: break
            case .superseded:
                result.isKept = false
                return Flight.Landing(loaded: result, isShareable: true)
            case .failed: result.isKept = false
            case .tooLarge: result.isKept = settings.configuration.disk.limitBytes == 0
            }
        }
        request.keepInMemory(entry, parts: parts, ticket: ticket)
        return Flight.Landing(loaded: result, isShareable: true)
    }

    /// The kept variant under what now holds of its original.
    private func renewed(
        _ kept: CacheEntry, by loaded: LoadedEntry, ticket: PipelineParts.Ticket
    ) async -> Flight.Landing {
        var metadata = described(loaded.entry.metadata)
        metadata.contentType = kept.metadata.contentType
        metadata.pixelWidth = kept.metadata.pixelWidth
        metadata.pixelHeight = kept.metadata.pixelHeight
        metadata.digest = kept.metadata.digest
        metadata.byteCount = kept.metadata.byteCount
        metadata.sourceDigest = kept.metadata.sourceDigest
        let entry = kept.with(metadata)
        if loaded.isStorable, loaded.isKept, loaded.entry.isFresh(at: settings.now) {
            if isKeptOnDisk { await parts.disk?.refresh(metadata, for: kept.key, generation: ticket.generation) }
            request.keepInMemory(entry, parts: parts, ticket: ticket)
        }
        return Flight.Landing(loaded: loaded.made(entry), isShareable: loaded.isStorable)
    }

    private func described(_ original: EntryMetadata) -> EntryMetadata {
        var metadata = original
        metadata.tags = Array(Set(original.tags).union(request.options.tags)).sorted()
        return metadata
    }

    /// A kept variant whose original cannot be had (RFC 5861 §4).
    private func stale(_ kept: CacheEntry?, after failure: Failure) throws(Failure) -> Flight.Landing {
        guard mode != .refresh, let kept, kept.metadata.mayServeStale, let limit = kept.metadata.staleIfErrorUntil,
            settings.now < limit, failure.mayBeHidden
        else { throw failure }
        settings.configuration.onEvent(.servedStale(host: request.host, failure.reason))
        return landing(kept, .stale(failure.reason))
    }

    // MARK: Keeping

    /// Variants of what lies on this machine are kept too: making them is what costs.
    private var isKeptOnDisk: Bool {
        let destination = request.options.destination
        return !request.origin.isMemoryOnly && (destination == .memoryAndDisk || destination == .disk)
    }

    private func onDisk(_ key: CacheKey) -> CacheEntry? {
        guard isKeptOnDisk, let disk = parts.disk else { return nil }
        return disk.findBlocking(key, extending: request.diskExtension(settings)).entry
    }

    private func landing(_ entry: CacheEntry, _ source: ImageResponse.Source) -> Flight.Landing {
        Flight.Landing(loaded: LoadedEntry(entry: entry, source: source), isShareable: true)
    }
}

extension LoadedEntry {
    /// A variant made from this original.
    fileprivate func made(_ variant: CacheEntry) -> LoadedEntry {
        let source: ImageResponse.Source =
            switch self.source {
            case .memory, .disk, .provider, .rendered: .rendered
            case .origin, .revalidated, .stale, .placeholder: self.source
            }
        var made = LoadedEntry(entry: variant, source: source)
        (made.isShared, made.replacesStale, made.isStorable, made.isKept) =
            (isShared, replacesStale, isStorable, isKept)
        return made
    }
}
