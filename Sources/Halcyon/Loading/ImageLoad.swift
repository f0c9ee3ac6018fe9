internal import Foundation
internal import HalcyonCrypto
internal import HalcyonHTTP
internal import HalcyonStore

/// One load, from the question to the kept image. The steps, in their order:
///
/// 1. `ImagePipeline.load` asks **memory**; a hit ends there.
/// 2. It joins the **flight** of the same image, or begins one; the rest is done once for all who wait.
/// 3. Memory again (a flight may have landed meanwhile), then **disk**; a fresh copy goes up into memory.
/// 4. A **failure remembered** from a moment ago is not tried again.
/// 5. **Fetch**, or **revalidate** the stale copy; 304 refreshes it, anything but 200 is a failure. Or ask the provider.
/// 6. **Check** that the bytes are a whole image within the limits.
/// 7. **Keep** on disk and in memory, unless a purge came in between.
///
/// Runs on ``LoadLanes``, where the disk may block.
///
/// A failure on the way ends in a stale copy if the policy allows one, and in an error otherwise.
struct ImageLoad: Sendable {
    let request: ResolvedRequest
    let settings: Settings
    let parts: PipelineParts
    let mode: Mode
    /// Whether the disk has just been asked for the key and knows nothing of it.
    var isKnownAbsent = false
    let onProgress: (@Sendable (ImageRequest.Progress) -> Void)?

    /// How a load treats what is kept.
    enum Mode: Sendable, Hashable {
        /// Fresh copies are taken, stale ones may be answered while they are revalidated.
        case normal
        /// The background half of stale-while-revalidate: fresh copies are taken, stale ones are not.
        case background
        /// Kept copies only lend their validators.
        case refresh
    }

    typealias Failure = ImagePipeline.Error

    func run() async throws(Failure) -> Flight.Landing {
        let now = settings.now
        // Taken before anything is read: what was read before a purge is not put back into memory after it.
        let ticket = parts.ticket()
        var kept: CacheEntry?
        if mode != .refresh, let entry = parts.memory.entry(for: request.key) {
            return landing(LoadedEntry(entry: entry, source: .memory))
        }
        var recordedFailure: FailureRecord?
        if request.usesDisk, !isKnownAbsent, let disk = parts.disk {
            (kept, recordedFailure) = disk.findBlocking(request.key, extending: request.diskExtension(settings))
        }
        if kept == nil { kept = parts.memory.staleEntry(for: request.key) }
        if let kept, mode != .refresh {
            if kept.isFresh(at: now) {
                request.keepInMemory(kept, parts: parts, ticket: ticket)
                return landing(LoadedEntry(entry: kept, source: .disk))
            }
            if mode == .normal, request.options.cachePolicy == .useCache, mayAnswerWhileRevalidating(kept, now: now) {
                return landing(LoadedEntry(entry: kept, source: .stale(.revalidating)))
            }
        }
        if request.options.cachePolicy == .onlyFromCache { throw .notCached }
        if mode != .refresh, let failure = rememberedFailure(recordedFailure, now: now) {
            return try staleLanding(kept, after: failure, now: now)
        }
        do {
            return try await fetch(revalidating: kept, ticket: ticket)
        } catch {
            var failure = error
            failure.wasForwarded =
                request.isFromOrigin && failure.kind != .refused && failure.kind != .overloaded
                && failure.reason != .breakerOpen
            return try await settle(failure, kept: kept)
        }
    }

    // MARK: Fetch or revalidate

    private func fetch(
        revalidating kept: CacheEntry?, ticket: PipelineParts.Ticket
    ) async throws(Failure) -> Flight.Landing {
        let url: CanonicalURL
        switch request.source {
        case .origin(let origin): url = origin
        case .provider(let provider):
            return try await keep(
                ReceivedImage(try await bytes(of: provider), now: settings.now), from: .provider, replacing: kept,
                ticket: ticket)
        }
        let originRequest = try await OriginRequestBuilder(url: url, request: request, settings: settings)
            .fetchRequest(revalidating: kept, onProgress: onProgress)
        let response: FetchResponse
        do throws(FetchError) {
            response = try await parts.fetcher.fetch(originRequest)
        } catch {
            throw Failure(error)
        }
        settings.configuration.onEvent(.fetched(.init(host: request.host, response: response)))
        switch response.status {
        case 200:
            return try await keep(ReceivedImage(response), from: .origin, replacing: kept, ticket: ticket)
        case 304:
            guard let kept, kept.metadata.hasValidator else {
                throw Failure(.protocolError, "the origin answered 304 to a request without conditions", status: 304)
            }
            return await refresh(kept, by: ReceivedImage(response), ticket: ticket)
        case 404, 410:
            throw Failure(.missing, "the origin has no such image (status \(response.status))", status: response.status)
        default:
            throw Failure(
                .originStatus, "the origin answered with status \(response.status)", status: response.status,
                retryAfter: RetryAfter.delay(in: response.fields, now: settings.now))
        }
    }

    private func bytes(of provider: ImageDataProvider) async throws(Failure) -> [UInt8] {
        let bytes: [UInt8]
        do {
            bytes = try await provider.data()
        } catch let error as Failure {
            throw error
        } catch is CancellationError {
            throw .cancelled
        } catch {
            // By its type alone: a description could hold a path.
            throw Failure(.provider, "the image's provider failed: \(type(of: error))")
        }
        let limit = settings.configuration.limits.maximumImageBytes
        guard bytes.count <= limit else { throw Failure(.tooLarge, "the image has more than \(limit) bytes") }
        return bytes
    }

    // MARK: Check and keep

    private func keep(
        _ response: ReceivedImage, from source: ImageResponse.Source, replacing kept: CacheEntry?,
        ticket: PipelineParts.Ticket
    ) async throws(Failure) -> Flight.Landing {
        let metadata = try EntryDescription(request: request, settings: settings).metadata(for: response)
        let entry = CacheEntry(key: request.key, bytes: EntryBytes(copying: response.body), metadata: metadata.entry)
        parts.failures.clear(request.key)
        var loaded = LoadedEntry(entry: entry, source: source, replacesStale: kept != nil)
        guard metadata.isStorable else {
            loaded.isStorable = false
            return landing(loaded, isShareable: metadata.isShareable)
        }
        let ticket = await dropVariants(ofOtherThan: metadata.entry.digest, kept: kept, ticket: ticket)
        if request.usesDisk, let disk = parts.disk {
            switch disk.storeBlocking(
                response.body, metadata: metadata.entry, for: request.key, generation: ticket.generation)
            {
            case .stored: break
            case .superseded:
                loaded.isKept = false
                return landing(loaded)
            case .failed: loaded.isKept = false
            // A cache that is to hold nothing has lost nothing.
            case .tooLarge: loaded.isKept = settings.configuration.disk.limitBytes == 0
            }
        }
        request.keepInMemory(entry, parts: parts, ticket: ticket)
        if !request.usesMemory, let old = parts.memory.staleEntry(for: request.key),
            old.metadata.digest != metadata.entry.digest
        {
            // What was fetched for the disk alone still puts an end to the old picture.
            parts.memory.remove(request.key)
        }
        return landing(loaded)
    }

    /// A new picture puts an end to what was made of the old one. Where the old one is not kept, it may have been another.
    private func dropVariants(
        ofOtherThan digest: Digest, kept: CacheEntry?, ticket: PipelineParts.Ticket
    ) async -> PipelineParts.Ticket {
        guard kept?.metadata.digest != digest, !isKnownAbsent,
            parts.sources.source(of: request.key) != nil || parts.disk?.hasVariantsBlocking(of: request.key) ?? false
        else { return ticket }
        let isOutdated = { (entry: CacheEntry) in
            !entry.key.variant.isEmpty && entry.key.isOfSamePhoto(as: request.key)
                && entry.metadata.sourceDigest != digest
        }
        let newTicket = parts.outdateVariants(ticket)
        parts.memory.purge(where: isOutdated)
        if let disk = parts.disk { await remove(.variants(request.key), from: disk) }
        parts.memory.purge(where: isOutdated)
        return newTicket
    }

    private func refresh(
        _ kept: CacheEntry, by response: ReceivedImage, ticket: PipelineParts.Ticket
    ) async -> Flight.Landing {
        let metadata = EntryDescription(request: request, settings: settings).refreshed(kept.metadata, by: response)
        let entry = CacheEntry(key: kept.key, bytes: kept.bytes, metadata: metadata)
        parts.failures.clear(request.key)
        if request.usesDisk { await parts.disk?.refresh(metadata, for: request.key, generation: ticket.generation) }
        request.keepInMemory(entry, parts: parts, ticket: ticket)
        return landing(LoadedEntry(entry: entry, source: .revalidated))
    }

    // MARK: Failure

    /// This process's own records come first: they know of a success that came after.
    private func rememberedFailure(_ recorded: FailureRecord?, now: Date) -> Failure? {
        if let record = parts.failures.record(for: request.key, now: now) { return Failure(record, now: now) }
        guard let recorded, recorded.until > now else { return nil }
        parts.failures.note(recorded, for: request.key)
        return Failure(recorded, now: now)
    }

    private func settle(_ failure: Failure, kept: CacheEntry?) async throws(Failure) -> Flight.Landing {
        let now = settings.now
        settings.configuration.onEvent(.failed(host: request.host, failure.reason))
        if let record = parts.failures.recordFailure(
            failure, for: request.key, maximum: settings.negativeExpiry, now: now),
            // What this configuration refuses, another may allow.
            failure.kind != .refused, request.isFromOrigin
        {
            await parts.disk?.recordFailure(record, for: request.key)
        }
        if failure.kind == .missing, let kept {
            // The origin vouches that the image is gone: no copy outlives that.
            parts.memory.purge { $0.key.isOfSamePhoto(as: kept.key) }
            if request.usesDisk, let disk = parts.disk { await remove(.photo(kept.key), from: disk) }
            throw failure
        }
        // Whoever asks for a refresh wants to know that there was none.
        if mode == .refresh { throw failure }
        return try staleLanding(kept, after: failure, now: now)
    }

    private func remove(_ selector: PurgeSelector, from disk: DiskCache) async {
        do throws(DiskFailure) {
            _ = try await disk.purge(selector, isDryRun: false)
        } catch {
            settings.configuration.onEvent(.storage(.init(isFault: true, description: "\(error)")))
        }
    }

    private func staleLanding(
        _ kept: CacheEntry?, after failure: Failure, now: Date
    ) throws(Failure) -> Flight.Landing {
        guard let kept, kept.metadata.mayServeStale, let limit = kept.metadata.staleIfErrorUntil, now < limit,
            failure.mayBeHidden
        else { throw failure }
        settings.configuration.onEvent(.servedStale(host: request.host, failure.reason))
        return landing(LoadedEntry(entry: kept, source: .stale(failure.reason)))
    }

    private func mayAnswerWhileRevalidating(_ kept: CacheEntry, now: Date) -> Bool {
        guard kept.metadata.mayServeStale, let expiresAt = kept.metadata.expiresAt else { return false }
        let window = kept.metadata.staleWhileRevalidate ?? settings.staleWhileRevalidate
        return now < expiresAt.addingTimeInterval(window)
    }

    private func landing(_ loaded: LoadedEntry, isShareable: Bool = true) -> Flight.Landing {
        Flight.Landing(loaded: loaded, isShareable: isShareable)
    }
}
