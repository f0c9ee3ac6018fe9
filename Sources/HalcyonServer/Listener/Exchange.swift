internal import CMicroHTTPD
internal import Glibc
internal import HalcyonHTTP
internal import Synchronization

/// One request on its way: made when the request line is in, released when the answer has left or the connection is
/// gone.
///
/// Guard: the plain variables belong to the connection's I/O thread. While the connection is suspended only `outcome`
/// is touched, by whoever finishes first; `handle` stays valid until the resumption that finishing causes.
final class Exchange: @unchecked Sendable {
    enum Stage {
        case received, reading, suspended, answered
        /// Suspended until the origin of a mount lets the body begin or answers without it.
        case awaitingContinue
        /// The body goes on to the origin of a mount, whose answer may be there already.
        case passing
    }

    /// Guard: the connection cannot go while it is suspended, and is not used after it has been resumed.
    private struct SuspendedConnection: @unchecked Sendable {
        let handle: OpaquePointer
    }

    private enum Outcome {
        case none
        case waiting(SuspendedConnection)
        case settled(HTTPAnswer)
    }

    let connection: ClientConnection
    /// What the handler knew about the raw target, if it had seen it before.
    let known: (any KnownTarget)?
    private let unknownTarget: [UInt8]
    private(set) var method = RequestMethod.other
    var stage = Stage.received
    var header: HeaderSummary.Contents = []
    var body: [UInt8] = []
    /// Bytes that `body` may hold.
    var bodyLimit = 0
    var bodyFault: BodyFault?
    /// Of the route, for what is answered before it is asked.
    var envelope = AnswerEnvelope.records
    /// Takes the body instead of `body`.
    var upload: UploadReceiver?
    /// Where the request goes, if not to a route.
    var mount: Mount?
    /// Takes the body of a request to a mount.
    var pipe: BytePipe?
    /// When the body began to come in, in seconds of the listener's clock.
    var uploadBegan = 0
    /// Of the answer, for the log and the counters.
    var status = 0
    var byteCount = 0
    var route = RouteClass.other
    var source = AnswerSource.none
    /// Nanoseconds of the monotonic clock; 0 if nobody asked for it.
    let startedAt: UInt64
    private let outcome = Mutex(Outcome.none)

    init(connection: ClientConnection, known: any KnownTarget, startedAt: UInt64) {
        self.connection = connection
        self.known = known
        self.unknownTarget = []
        self.startedAt = startedAt
    }

    init(connection: ClientConnection, rawTarget: [UInt8], startedAt: UInt64) {
        self.connection = connection
        self.known = nil
        self.unknownTarget = rawTarget
        self.startedAt = startedAt
    }

    var rawTarget: [UInt8] { known?.rawTarget ?? unknownTarget }

    /// Called once the header is in.
    func begin(_ handle: OpaquePointer, method: UnsafePointer<CChar>) -> HeaderSummary {
        stage = .reading
        self.method = RequestMethod(method)
        return HeaderSummary(of: handle)
    }

    /// Called on the I/O thread. `false` if the answer is there already: then nothing has been suspended.
    @discardableResult
    func suspend(_ handle: OpaquePointer, as stage: Stage = .suspended) -> Bool {
        self.stage = stage
        let connection = SuspendedConnection(handle: handle)
        return outcome.withLock { outcome in
            if case .settled = outcome { return false }
            outcome = .waiting(connection)
            // Under the lock: whoever finishes is sure to find it suspended.
            MHD_suspend_connection(handle)
            return true
        }
    }

    /// Gives the answer and wakes the connection if it is suspended. Only the first call counts; later ones return `false`.
    @discardableResult
    func finish(with answer: HTTPAnswer) -> Bool {
        let (isFirst, waiting): (Bool, SuspendedConnection?) = outcome.withLock { outcome in
            switch outcome {
            case .settled: return (false, nil)
            case .none:
                outcome = .settled(answer)
                return (true, nil)
            case .waiting(let connection):
                outcome = .settled(answer)
                return (true, connection)
            }
        }
        if let waiting { MHD_resume_connection(waiting.handle) }
        return isFirst
    }

    /// Wakes a connection that waits for its body to be wanted.
    func proceed() {
        let waiting: SuspendedConnection? = outcome.withLock { outcome in
            guard case .waiting(let connection) = outcome else { return nil }
            outcome = .none
            return connection
        }
        if let waiting { MHD_resume_connection(waiting.handle) }
    }

    /// Sends an interim answer past libmicrohttpd, which knows of none but 100: while the connection is suspended it writes
    /// nothing itself. What the socket does not take at once, behind a client that does not read, ends the connection.
    func sendInterim(_ bytes: [UInt8]) {
        outcome.withLock { outcome in
            guard case .waiting = outcome else { return }
            let sent = bytes.withUnsafeBytes {
                send(connection.socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
            if sent > 0, sent < bytes.count { shutdown(connection.socket, Int32(SHUT_RDWR)) }
        }
    }

    /// The answer given while the connection was suspended.
    var settledAnswer: HTTPAnswer? {
        outcome.withLock { if case .settled(let answer) = $0 { answer } else { nil } }
    }

    /// The whole request, copied out of the connection's memory. `nil` if the target is none.
    func request(_ handle: OpaquePointer, method: UnsafePointer<CChar>) -> HTTPRequest? {
        guard let target = RequestTarget(rawTarget) else { return nil }
        var request = HTTPRequest(
            method: String(cString: method), target: target, rawTarget: rawTarget, fields: Self.fields(of: handle),
            body: body, client: Self.clientAddress(of: handle), bodyFault: bodyFault)
        guard let upload else { return request }
        // The files belong to the request now: they go with it.
        self.upload = nil
        do throws(BodyFault) { request.upload = try upload.finish() } catch { request.bodyFault = error }
        return request
    }

    /// Every header field, copied.
    static func fields(of handle: OpaquePointer) -> HTTPFields {
        var fields = HTTPFields()
        withUnsafeMutablePointer(to: &fields) { pointer in
            _ = MHD_get_connection_values_n(
                handle, .HEADER_KIND,
                { context, _, name, nameLength, value, valueLength in
                    guard let context, let name else { return .YES }
                    let text = { (start: UnsafePointer<CChar>?, count: Int) in
                        String(
                            decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count),
                            as: UTF8.self)
                    }
                    context.assumingMemoryBound(to: HTTPFields.self).pointee
                        .append(text(name, nameLength), text(value, valueLength))
                    return .YES
                }, pointer)
        }
        return fields
    }

    static func clientAddress(of handle: OpaquePointer) -> String {
        guard let address = halcyon_mhd_client_address(handle) else { return "" }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = Int32(address.pointee.sa_family)
        let raw = UnsafeRawPointer(address)
        let source =
            family == AF_INET6
            ? raw + (MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr) ?? 8)
            : raw + (MemoryLayout<sockaddr_in>.offset(of: \.sin_addr) ?? 4)
        guard inet_ntop(family, source, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
