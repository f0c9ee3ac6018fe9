internal import Foundation
package import HalcyonHTTP
package import HalcyonStore
internal import Synchronization

/// Fetches images once, keeps them in memory and on disk, and answers from there for as long as they are fresh.
///
/// ```swift
/// let pipeline = try ImagePipeline(configuration: .init(origins: [Origin(host: "photos.school.example")]))
/// await pipeline.open()
/// let response = try await pipeline.image(for: ImageRequest(url: "https://photos.school.example/202110107.jpg"))
/// ```
///
/// The steps of a load are listed in `Loading/ImageLoad.swift`. One pipeline owns its cache folder within a process;
/// other processes may share the folder.
public final class ImagePipeline: Sendable {
    private let settings: Mutex<Settings>
    let parts: PipelineParts
    let lanes = LoadLanes()
    let flights: FlightTable
    private struct Maintenance {
        var sweeping: Task<Void, Never>?
        var watching: Task<Void, Never>?
        var all: [Task<Void, Never>] { [sweeping, watching].compactMap { $0 } }
    }
    private let maintenance = Mutex(Maintenance())

    /// - Throws: `.invalidOption` naming the option and what is accepted.
    public init(configuration: Configuration = Configuration()) throws(Error) {
        let settings = try Settings(configuration)
        self.settings = Mutex(settings)
        self.parts = try PipelineParts(settings)
        self.flights = FlightTable(lanes: lanes)
    }

    deinit {
        for task in maintenance.withLock({ $0.all }) { task.cancel() }
    }

    /// Opens the disk cache and begins to sweep both caches. A folder that cannot be used is reported as an event, and
    /// images are kept in memory alone until it can.
    public func open() async {
        await parts.disk?.open()
        let tasks = Maintenance(sweeping: sweeping(), watching: watchingForPurges())
        maintenance.withLock { $0 = tasks }
    }

    /// Ends the transfers, whose callers get `.shutDown`, and writes what has yet to be written.
    public func shutDown() async {
        let tasks = maintenance.withLock { tasks in
            defer { tasks = Maintenance() }
            return tasks.all
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        await parts.fetcher.shutDown()
        parts.pixels.stop()
        await parts.disk?.close()
    }

    /// Takes over origins, lifetimes, limits and timeouts for the loads that begin from now on. The cache folder and the
    /// sizes of the caches stay as they were.
    public func reconfigure(_ configuration: Configuration) throws(Error) {
        let settings = try Settings(configuration)
        parts.fetcher.reconfigure(settings.fetchConfiguration)
        // What failed under the old settings may not fail under these.
        parts.failures.removeAll()
        let old = self.settings.withLock { current in
            defer { current = settings }
            return current
        }
        guard old.configuration.disk.sweepInterval != settings.configuration.disk.sweepInterval else { return }
        // The new interval counts from now: the old one may be long.
        let next = sweeping()
        let replaced = maintenance.withLock { maintenance in
            guard maintenance.sweeping != nil else { return next }
            defer { maintenance.sweeping = next }
            return maintenance.sweeping ?? next
        }
        replaced.cancel()
    }

    public var configuration: Configuration { currentSettings.configuration }

    var currentSettings: Settings { settings.withLock { $0 } }

    /// How its fetches are made, for others that go to origins.
    package var fetchConfiguration: FetchConfiguration { currentSettings.fetchConfiguration }

    // MARK: Loads

    /// The image, from memory, disk or its origin.
    ///
    /// Callers who ask for the same image at the same time share one request to the origin. Cancelling one of them leaves
    /// the others their result; the transfer ends when the last one leaves.
    public func image(for request: ImageRequest) async throws(Error) -> ImageResponse {
        do throws(Error) {
            return ImageResponse(try await load(request), now: currentSettings.now)
        } catch {
            guard let placeholder = request.options.placeholder, error.kind != .cancelled else { throw error }
            return ImageResponse(placeholder, reason: error.reason)
        }
    }

    /// The image if memory holds a fresh copy. Does not suspend and does not touch the disk.
    public func cachedImage(for request: ImageRequest) -> ImageResponse? {
        let settings = currentSettings
        guard case .success(let resolved) = resolve(request, settings),
            let entry = memoryEntry(among: keys(of: request, resolved))
        else {
            return nil
        }
        return ImageResponse(LoadedEntry(entry: entry, source: .memory), now: settings.now)
    }

    /// ``image(for:)`` for callers in this package, with the cache's own entry.
    ///
    /// - Parameter isKnownAbsent: says of a key that the disk has just been asked for it and knows nothing.
    package func load(
        _ request: ImageRequest, isKnownAbsent: (CacheKey) -> Bool = { _ in false }
    ) async throws(Error) -> LoadedEntry {
        let settings = currentSettings
        let resolved = try ResolvedRequest(request, settings: settings)
        let mode: ImageLoad.Mode = request.options.cachePolicy == .refresh ? .refresh : .normal
        if mode == .normal, resolved.usesMemory,
            let entry = memoryEntry(among: keys(of: request, resolved))
        {
            return LoadedEntry(entry: entry, source: .memory)
        }
        do throws(Error) {
            let loaded =
                request.variant.isOriginal
                ? try await load(
                    resolved, settings: settings, mode: mode, isKnownAbsent: isKnownAbsent(resolved.key))
                : try await load(request.variant, of: resolved, settings: settings, mode: mode)
            parts.counters.count(loaded)
            if loaded.source == .stale(.revalidating) { revalidate(resolved, settings: settings) }
            return loaded
        } catch {
            parts.counters.count(error)
            throw error
        }
    }

    /// The key under which the image is kept.
    package func key(for request: ImageRequest) throws(Error) -> CacheKey {
        try ResolvedRequest(request, settings: currentSettings).key
    }

    /// The fresh entry in memory: the server's hot path.
    package func memoryEntry(for key: CacheKey) -> CacheEntry? {
        guard let entry = parts.memory.entry(for: key) else { return nil }
        parts.counters.memoryHits.add(1)
        return entry
    }

    /// A loop, as a lazy sequence looks for its first element twice.
    private func memoryEntry(among keys: [CacheKey]) -> CacheEntry? {
        for key in keys {
            if let entry = memoryEntry(for: key) { return entry }
        }
        return nil
    }

    func load(
        _ request: ResolvedRequest, settings: Settings, mode: ImageLoad.Mode, isKnownAbsent: Bool = false
    ) async throws(Error) -> LoadedEntry {
        // An image that is good for one request alone is fetched by each: nobody is shown another's.
        if request.expiration(settings).isUnkept || parts.unshareable.contains(request.key, now: settings.now) {
            return try await loadAlone(request, settings: settings, mode: mode)
        }
        let ticket = parts.ticket()
        let key = FlightTable.Key(
            cacheKey: request.key, mode: mode, isCacheOnly: request.options.cachePolicy == .onlyFromCache,
            destination: request.options.destination, epoch: ticket.epoch)
        let (outcome, isFollower) = await flights.outcome(
            for: key, onProgress: request.options.onProgress
        ) { flight in
            let load = ImageLoad(
                request: request, settings: settings, parts: self.parts, mode: mode, isKnownAbsent: isKnownAbsent,
                onProgress: flight.report)
            do throws(Error) {
                return .success(try await load.run())
            } catch {
                return .failure(error)
            }
        }
        let landing = try outcome.get()
        guard isFollower else {
            if !landing.isShareable { parts.unshareable.mark(request.key, now: settings.now) }
            return landing.loaded
        }
        guard landing.isShareable else {
            // The origin wants each caller to ask for itself. In parallel, not in a chain.
            return try await loadAlone(request, settings: settings, mode: mode)
        }
        var loaded = landing.loaded
        // What the flight found in memory was there for each of them: nobody waited for another's load.
        if loaded.source == .memory { return loaded }
        parts.counters.followers.add(1)
        if loaded.isStorable, loaded.isKept { request.keepInMemory(loaded.entry, parts: parts, ticket: ticket) }
        loaded.isShared = true
        return loaded
    }

    private func loadAlone(
        _ request: ResolvedRequest, settings: Settings, mode: ImageLoad.Mode
    ) async throws(Error) -> LoadedEntry {
        let load = ImageLoad(
            request: request, settings: settings, parts: parts, mode: mode, onProgress: request.options.onProgress)
        let outcome = await withTaskExecutorPreference(lanes) { () async -> Flight.Outcome in
            do throws(Error) {
                return .success(try await load.run())
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get().loaded
    }

    /// The background half of a stale answer. However many stale answers are given, one flight fetches.
    func revalidate(_ request: ResolvedRequest, settings: Settings) {
        Task.detached(priority: .utility) { [weak self] in
            do throws(Error) {
                _ = try await self?.load(request, settings: settings, mode: .background)
            } catch {
                // Counted and reported where it happened; the stale copy has been answered.
            }
        }
    }

    func resolve(_ request: ImageRequest, _ settings: Settings) -> Result<ResolvedRequest, Error> {
        do throws(Error) {
            return .success(try ResolvedRequest(request, settings: settings))
        } catch {
            return .failure(error)
        }
    }

    /// Loads in progress.
    var flightCount: Int { flights.count }

    /// Callers who wait for them.
    package var passengerCount: Int { flights.passengerCount }

    // MARK: Maintenance

    private func sweeping() -> Task<Void, Never> {
        let clock = ContinuousClock()
        return Task.detached(priority: .background) { [weak self] in
            while !Task.isCancelled {
                guard let interval = self?.currentSettings.configuration.disk.sweepInterval else { return }
                do { try await clock.sleep(for: interval) } catch { return }
                await self?.sweep()
                self?.parts.pixels.endIdleDecoders()
            }
        }
    }

    /// Other processes purge too; memory follows within half a second.
    private func watchingForPurges() -> Task<Void, Never> {
        let clock = ContinuousClock()
        return Task.detached(priority: .utility) { [weak self] in
            while !Task.isCancelled {
                do { try await clock.sleep(for: .milliseconds(500)) } catch { return }
                guard let self else { return }
                await self.applyExternalPurges()
            }
        }
    }
}
