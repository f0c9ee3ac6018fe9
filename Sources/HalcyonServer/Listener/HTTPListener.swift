internal import CMicroHTTPD
internal import Foundation
internal import Glibc
internal import HalcyonHTTP
internal import Synchronization

/// libmicrohttpd on epoll, one I/O thread a processor. It parses and frames; what is answered is the handler's affair.
///
/// It must be stopped before it is released.
final class HTTPListener: Sendable {
    let configuration: ListenerConfiguration
    let handler: any ExchangeHandler
    let connections = ConnectionTable()
    let pending = PendingExchanges()
    let streams = StreamTable()
    let sources = SourceTable()
    let uploads: UploadFolder
    let lingering = Lingering()
    let counters: ServerCounters
    let clock: @Sendable () -> Int
    private let logger: Logger

    /// Guard: taken out under `state` by the one who stops it; libmicrohttpd's own calls are safe from any thread.
    private struct Daemon: @unchecked Sendable {
        let pointer: OpaquePointer
        let callbacks: UnsafeMutablePointer<halcyon_mhd_callbacks>
        /// Where it listens; libmicrohttpd closes it when it stops.
        let socket: Int32
    }

    private struct State {
        var daemon: Daemon?
        var sweeping: Task<Void, Never>?
        var hasStarted = false
        var hasQuiesced = false
    }
    private let state = Mutex(State())

    /// `clock` gives seconds that never go back; whole seconds are enough for it.
    init(
        configuration: ListenerConfiguration, handler: any ExchangeHandler, counters: ServerCounters, logger: Logger,
        clock: @escaping @Sendable () -> Int = HTTPListener.coarseSeconds
    ) {
        self.configuration = configuration
        self.handler = handler
        self.counters = counters
        self.logger = logger
        self.clock = clock
        uploads = UploadFolder(path: configuration.uploadFolder, limit: configuration.maximumUploads)
    }

    /// Seconds since the machine started, from the clock that costs no system call.
    static let coarseSeconds: @Sendable () -> Int = {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return time.tv_sec
    }

    /// Binds and begins to answer. Returns the address with the port that was had.
    func start() throws(ListenerError) -> ListenAddress {
        let isFirst = state.withLock { state in
            defer { state.hasStarted = true }
            return !state.hasStarted
        }
        guard isFirst else { throw .alreadyStarted }
        uploads.removeLeftovers()
        let certificate = try configuration.certificatePath.map(Self.pem)
        let key = try configuration.keyPath.map(Self.pem)
        let (socket, bound) = try configuration.address.listen()
        let callbacks = makeCallbacks()
        var flags =
            MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_ERROR_LOG.rawValue
            | MHD_USE_TURBO.rawValue
        if bound.isIPv6 { flags |= MHD_USE_IPv6.rawValue }
        if certificate != nil { flags |= MHD_USE_TLS.rawValue }
        let pointer = Self.startDaemon(flags, callbacks, options(socket: socket), certificate, key)
        guard let pointer else {
            close(socket)
            callbacks.deallocate()
            throw .notStarted(certificate == nil ? "no threads or memory" : "the certificate or its key is not usable")
        }
        let daemon = Daemon(pointer: pointer, callbacks: callbacks, socket: socket)
        // Holds what it needs, not the listener: a weak reference would make every retain on the hit path a slow one.
        let sweeping = Task.detached { [sweeper] in
            while true {
                do { try await Task.sleep(for: .seconds(1)) } catch { return }
                sweeper.sweep()
            }
        }
        state.withLock {
            $0.daemon = daemon
            $0.sweeping = sweeping
        }
        return bound
    }

    /// Shuts down connections that are slower than the limits allow, and ends what is done for clients that have left.
    func sweep() {
        sweeper.sweep()
    }

    private var sweeper: Sweeper {
        Sweeper(connections: connections, pending: pending, counters: counters, limits: configuration, clock: clock)
    }

    private struct Sweeper: Sendable {
        let connections: ConnectionTable
        let pending: PendingExchanges
        let counters: ServerCounters
        let limits: ListenerConfiguration
        let clock: @Sendable () -> Int

        func sweep() {
            pending.cancelAbandoned()
            let count = connections.sweep(now: clock(), limits: limits)
            if count > 0 { counters.overdueConnections.add(count, ordering: .relaxed) }
        }
    }

    /// Takes no more connections; those that are open go on. The port is free when this returns.
    ///
    /// `MHD_quiesce_daemon` would be the call for this, but it races with the I/O threads for the removal of the socket
    /// from their epoll sets, and the loser ends the process. So the descriptor is made to be of something on which
    /// nothing ever arrives: the kernel closes the socket and takes it out of the sets, and libmicrohttpd goes on.
    func quiesce() {
        state.withLock { state in
            guard let daemon = state.daemon, !state.hasQuiesced else { return }
            state.hasQuiesced = true
            let silent = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            // Without a descriptor to spare the port stays open until the stop.
            guard silent >= 0 else { return }
            dup2(silent, daemon.socket)
            _ = fcntl(daemon.socket, F_SETFD, FD_CLOEXEC)
            close(silent)
        }
    }

    /// Ends every stream, and each that begins from now on: nobody waits for their clients.
    func endStreams() { streams.endAll() }

    /// Waits until no request is being answered, at most for `limit`. Says whether it came to that.
    func drain(within limit: Duration) async -> Bool {
        let end = ContinuousClock.now + limit
        while counters.runningRequests.load(ordering: .acquiring) > 0 {
            guard ContinuousClock.now < end else { return false }
            do { try await Task.sleep(for: .milliseconds(10)) } catch { return false }
        }
        return true
    }

    /// Answers what is still waiting with 503, closes every connection and joins the threads. Blocks for as long as
    /// the I/O threads need for what they are doing.
    func stop() {
        quiesce()
        pending.stop(answeringWith: handler.answer(to: .shuttingDown))
        endStreams()
        sources.endAll()
        let daemon = state.withLock { state in
            defer { state.daemon = nil }
            state.sweeping?.cancel()
            return state.daemon
        }
        if let daemon {
            MHD_stop_daemon(daemon.pointer)
            daemon.callbacks.deallocate()
        }
    }

    func log(_ message: UnsafePointer<CChar>) {
        logger.log(.debug, "http", ["message": .text(String(cString: message))])
    }

    private func options(socket: Int32) -> [MHD_OptionItem] {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let threads = max(1, configuration.threads ?? processors)
        var items = [
            MHD_OptionItem(option: .LISTEN_SOCKET, value: Int(socket), ptr_value: nil),
            MHD_OptionItem(option: .CONNECTION_TIMEOUT, value: configuration.idleSeconds, ptr_value: nil),
            MHD_OptionItem(
                option: .CONNECTION_LIMIT, value: max(threads, configuration.maximumConnections), ptr_value: nil),
            MHD_OptionItem(
                option: .CONNECTION_MEMORY_LIMIT, value: configuration.connectionMemoryBytes, ptr_value: nil),
        ]
        // A pool of one is not a pool for libmicrohttpd.
        if threads > 1 {
            items.append(MHD_OptionItem(option: .THREAD_POOL_SIZE, value: threads, ptr_value: nil))
        }
        if let limit = configuration.maximumConnectionsPerAddress {
            items.append(MHD_OptionItem(option: .PER_IP_CONNECTION_LIMIT, value: limit, ptr_value: nil))
        }
        return items
    }

    /// libmicrohttpd reads the PEM texts while it starts.
    private static func startDaemon(
        _ flags: UInt32, _ callbacks: UnsafeMutablePointer<halcyon_mhd_callbacks>, _ options: [MHD_OptionItem],
        _ certificate: [CChar]?, _ key: [CChar]?
    ) -> OpaquePointer? {
        var certificate = certificate ?? []
        var key = key ?? []
        return certificate.withUnsafeMutableBufferPointer { certificate in
            key.withUnsafeMutableBufferPointer { key in
                var items = options
                if !certificate.isEmpty {
                    items.append(
                        MHD_OptionItem(option: .HTTPS_MEM_CERT, value: 0, ptr_value: certificate.baseAddress))
                    items.append(MHD_OptionItem(option: .HTTPS_MEM_KEY, value: 0, ptr_value: key.baseAddress))
                }
                items.append(MHD_OptionItem(option: .END, value: 0, ptr_value: nil))
                return halcyon_mhd_start(flags, callbacks, &items)
            }
        }
    }

    private static func pem(_ path: String) throws(ListenerError) -> [CChar] {
        guard let data = FileManager.default.contents(atPath: path), !data.isEmpty else {
            throw .unreadable(path: path)
        }
        return data.map(CChar.init(bitPattern:)) + [0]
    }
}
