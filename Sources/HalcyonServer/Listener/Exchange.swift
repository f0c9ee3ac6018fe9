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

    /// Called on the I/O thread just before the work begins.
    func suspend(_ handle: OpaquePointer) {
        stage = .suspended
        let connection = SuspendedConnection(handle: handle)
        outcome.withLock { $0 = .waiting(connection) }
        MHD_suspend_connection(handle)
    }

    /// Gives the answer and wakes the connection. Only the first call counts; later ones return `false`.
    @discardableResult
    func finish(with answer: HTTPAnswer) -> Bool {
        let waiting: SuspendedConnection? = outcome.withLock { outcome in
            guard case .waiting(let connection) = outcome else { return nil }
            outcome = .settled(answer)
            return connection
        }
        guard let waiting else { return false }
        MHD_resume_connection(waiting.handle)
        return true
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

    private static func clientAddress(of handle: OpaquePointer) -> String {
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
