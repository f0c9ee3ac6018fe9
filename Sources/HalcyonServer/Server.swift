internal import Foundation
internal import Glibc
package import Halcyon
internal import HalcyonHTTP
package import HalcyonRecords
internal import Synchronization

/// The service: photos and records over HTTP.
///
/// A request goes `HTTPListener` → `Site` → for a hit in memory straight back; for all else `Router` → a route →
/// `PhotoService` or the records.
package final class Server: Sendable {
    private let configuration: ServerConfiguration
    private let pipeline: ImagePipeline
    private let records: RecordStore
    private let logger: Logger
    private let settings: SettingsBox
    private let photos: PhotoService
    private let readiness = Readiness()
    private let health: RecordsHealth
    private let jobs: JobTable
    private let access: AccessControl
    let events: EventHub
    /// What is served, for the tests that go through all of it.
    let routes: [Route]
    let mounts: MountService
    let listener: HTTPListener
    private let background = Mutex<[Task<Void, Never>]>([])
    private let hasStopped = Mutex(false)
    /// `nil` until it listens.
    private let boundAddress = Mutex<ListenAddress?>(nil)

    /// - Parameter changes: what the store was given as `onChange`; without it, changes of this process are noticed as
    ///   late as those of others, within half a second.
    package init(
        configuration: ServerConfiguration, pipeline: ImagePipeline, records: RecordStore, changes: ChangeRelay? = nil,
        logger: Logger
    ) {
        self.configuration = configuration
        self.pipeline = pipeline
        self.records = records
        self.logger = logger
        let settings = SettingsBox(Settings(configuration))
        let media = MediaStore(path: configuration.mediaFolder)
        let photos = PhotoService(
            pipeline: pipeline, records: records, media: media, settings: settings, logger: logger)
        self.settings = settings
        self.photos = photos
        let counters = ServerCounters()
        jobs = JobTable(now: configuration.now)
        let health = RecordsHealth(records: records, now: configuration.now, logger: logger)
        self.health = health
        let operating = OperatingRoutes(
            pipeline: pipeline, records: records, media: media, readiness: readiness, health: health,
            counters: counters, jobs: jobs,
            logger: logger)
        let access = AccessControl(
            records: records, isOpen: configuration.isOpen, isLoopback: configuration.listener.address.isLoopback,
            now: configuration.now)
        self.access = access
        let signIn = SignInService(
            records: records, limiter: SignInLimiter(now: configuration.now), now: configuration.now)
        let events = EventHub(records: records, counters: counters, logger: logger)
        self.events = events
        let families: [any RouteFamily] = [
            photos,
            SheetRoutes(
                sheet: ClassSheet(pipeline: pipeline, records: records, media: photos.media), settings: settings),
            StudentRoutes(records: records, settings: settings),
            StudentEditing(records: records, photos: photos, settings: settings),
            GuidanceRoutes(records: records, settings: settings),
            NoticeTreeRoutes(records: records, settings: settings, hub: events),
            NoticeRoutes(records: records, settings: settings),
            NoticeCommentRoutes(records: records, settings: settings),
            NoticeImageRoutes(records: records, photos: photos, settings: settings), UserRoutes(service: signIn),
            AccountRoutes(records: records), PostRoutes(records: records, settings: settings),
            PostImageRoutes(records: records, photos: photos, settings: settings),
            ExerciserRoutes(records: records, service: signIn, settings: settings), AuditRoutes(records: records),
            EventRoutes(hub: events, access: access), operating,
        ]
        let described = families.flatMap(\.routes)
        let openAPI = OpenAPIRoute(
            routes: described, schemas: families.reduce(into: [:]) { $0.merge(type(of: $1).schemas) { $1 } })
        let router = Router(routes: described + [openAPI.route], access: access)
        routes = router.routes
        mounts = MountService(
            mounts: configuration.mounts, access: access, pipeline: pipeline,
            client: Self.streamClient(configuration.mounts, pipeline, logger), targets: photos.targets,
            settings: settings, logger: logger)
        let site = Site(
            photos: photos, mounts: mounts, router: router, settings: settings, counters: counters, logger: logger)
        var listening = configuration.listener
        listening.uploadFolder = configuration.uploadFolder ?? media.incomingFolder
        listener = HTTPListener(
            configuration: listening, handler: site, counters: counters, logger: logger)
        changes?.receive { [photos, access, events] changes in
            events.changed()
            if changes.contains(where: { $0.topic == .students }) { photos.recordsChanged() }
            if changes.contains(where: { $0.topic == .users }) { access.usersChanged() }
        }
    }

    /// Binds and begins to serve.
    ///
    /// - Returns: the address, with the port that the system chose if it was asked to.
    /// - Throws: `openToOthers` for an address beyond loopback while there are no users, without
    ///   ``ServerConfiguration/isOpen``.
    package func start() throws(ListenerError) -> String {
        let address = configuration.listener.address
        guard address.isLoopback || access.mayListenToOthers else { throw .openToOthers(address.description) }
        // A log or a client that goes away is an error of that write, not the end of the service.
        signal(SIGPIPE, SIG_IGN)
        do throws(MediaError) { try photos.media.makeIncomingFolder() } catch {
            logger.log(.warning, "images of records", ["problem": .text(error.description)])
        }
        let bound = try listener.start()
        boundAddress.withLock { $0 = bound }
        settings.current = configured(configuration)
        let checking = Task.detached(priority: .background) { [health] in await health.run() }
        let tasks =
            [watchRecords(), checking, sweepingMedia(), beating()]
            + (configuration.purgeSchedule.map { [purging($0)] } ?? [])
        background.withLock { $0 = tasks }
        logger.log(.info, "listening", ["address": .text(bound.description)])
        return bound.description
    }

    /// Serves until the task is cancelled, then stops, with all the time that is configured for it.
    package func run() async {
        while !Task.isCancelled {
            do { try await Task.sleep(for: .seconds(3600)) } catch { break }
        }
        await Task.detached { await self.stop() }.value
    }

    /// Takes over placeholder, signing keys, photo URLs and lifetimes, and for mounts which origins may be asked. Addresses,
    /// mounts and limits of connections stay as they were.
    package func reload(_ configuration: ServerConfiguration) {
        settings.current = configured(configuration)
        // The pipeline's policy may have changed with it.
        photos.targets.forgetAll()
        mounts.reconfigure(pipeline.fetchConfiguration)
        logger.log(.info, "reloaded")
    }

    /// Says that it is not ready, closes the port, lets answers in progress finish for as long as is configured, and
    /// stops. Further calls return at once. A caller that is cancelled waits for nothing: call it from a task that the
    /// end of the process does not cancel.
    package func stop() async {
        let isFirst = hasStopped.withLock { hasStopped in
            defer { hasStopped = true }
            return !hasStopped
        }
        guard isFirst else { return }
        readiness.beginStopping()
        logger.log(.info, "stopping")
        if configuration.readinessDelay > .zero {
            do { try await Task.sleep(for: configuration.readinessDelay) } catch {
                // Cancelled: whoever waits for the stop is in a hurry.
            }
        }
        listener.quiesce()
        listener.endStreams()
        let isDrained = await listener.drain(within: configuration.stopGrace)
        jobs.cancelAll()
        let tasks = background.withLock { tasks in
            defer { tasks = [] }
            return tasks
        }
        for task in tasks { task.cancel() }
        listener.stop()
        mounts.shutDown()
        logger.log(isDrained ? .info : .warning, "stopped", ["complete": .flag(isDrained)])
        logger.flush()
    }

    /// The settings, with the address that was bound where an option left it open.
    private func configured(_ configuration: ServerConfiguration) -> Settings {
        var settings = Settings(configuration)
        if let address = boundAddress.withLock({ $0 }) {
            settings.photoURLs = settings.photoURLs.completed(
                by: address, isTLS: configuration.listener.certificatePath != nil)
        }
        return settings
    }

    /// Images that no record names any more go now and once a day.
    private func sweepingMedia() -> Task<Void, Never> {
        Task.detached(priority: .background) { [records, photos, logger] in
            while true {
                do {
                    let swept = try await records.sweepMedia(in: photos.media)
                    if swept.files > 0 {
                        logger.log(
                            .info, "unused images removed",
                            ["count": .number(swept.files), "bytes": .number(swept.bytes)])
                    }
                } catch {
                    logger.log(.warning, "unused images", ["problem": .text("\(error)")])
                }
                do { try await Task.sleep(for: .seconds(86_400)) } catch { return }
            }
        }
    }

    private func purging(_ schedule: Schedule) -> Task<Void, Never> {
        let loop = MaintenanceLoop(schedule: schedule, now: configuration.now)
        return Task.detached { [pipeline, logger] in
            await loop.run {
                do throws(ImagePipeline.Error) {
                    let report = try await pipeline.purge(.expired)
                    logger.log(.info, "purge", ["count": .number(report.count), "bytes": .number(report.bytes)])
                } catch {
                    logger.log(.error, "purge", ["problem": .text(error.description)])
                }
            }
        }
    }

    private func beating() -> Task<Void, Never> {
        Task.detached { [events, configuration] in await events.run(every: configuration.heartbeat) }
    }

    /// Other processes change records too.
    private func watchRecords() -> Task<Void, Never> {
        Task.detached { [records, photos, access, events, logger] in
            var last: Int?
            while true {
                do throws(RecordError) {
                    let version = try records.dataVersion()
                    if let last, last != version {
                        events.changed()
                        photos.recordsChanged()
                        access.usersChanged()
                    }
                    last = version
                } catch {
                    // What is not known to be unchanged has to be looked up again.
                    photos.recordsChanged()
                    access.usersChanged()
                    logger.log(.warning, "records", ["problem": .text(error.description)])
                }
                do { try await Task.sleep(for: .milliseconds(500)) } catch { return }
            }
        }
    }
}
