/// Who answers. All but `answer(to:)` are called on I/O threads and must not block, allocate much, or wait for a lock
/// that somebody holds across a system call.
protocol ExchangeHandler: AnyObject, Sendable {
    /// What is remembered about this raw request target, if anything.
    func knownTarget(_ raw: UnsafeRawBufferPointer) -> (any KnownTarget)?

    /// An answer that needs no waiting, with `status`, `byteCount`, `route` and `source` noted in the exchange.
    /// `handle` gives access to the header. `nil`: run `answer(to:)`.
    func immediateAnswer(_ exchange: Exchange, handle: OpaquePointer) -> PreparedResponse?

    /// Where the request goes if not to a route.
    func mount(for exchange: Exchange) -> Mount?

    /// The answer to a request to a mount; its body may still be coming in.
    func answer(to request: MountRequest) async -> HTTPAnswer

    /// What becomes of the body that the header announces; a database may be asked.
    func admission(_ exchange: Exchange, handle: OpaquePointer, method: String) -> BodyAdmission

    /// The answer to a request that has to wait. No I/O thread is held meanwhile.
    func answer(to request: HTTPRequest) async -> HTTPAnswer

    /// The answer to what never reached a route.
    func answer(to refusal: RequestRefusal, in envelope: AnswerEnvelope) -> HTTPAnswer

    /// Nanoseconds of a monotonic clock, or 0 while nobody wants to know how long answers take.
    var startOfMeasurement: UInt64 { get }

    /// An exchange is over; not `isComplete` if the client left or was too slow.
    func finished(_ exchange: Exchange, isComplete: Bool)
}

extension ExchangeHandler {
    func answer(to refusal: RequestRefusal) -> HTTPAnswer { answer(to: refusal, in: .records) }
}

/// What a handler remembers about a request target that it has seen before.
protocol KnownTarget: AnyObject, Sendable {
    var rawTarget: [UInt8] { get }
}

/// Why a request is refused before any route sees it.
enum RequestRefusal: Error, Sendable {
    case badTarget, ambiguous, hostMissing, headerTooLarge, bodyTooLarge, tooManyUploads, shuttingDown, outOfMemory
}

enum RequestMethod: Sendable {
    case get, head, other

    init(_ name: UnsafePointer<CChar>) {
        if name[0] == 0x47, name[1] == 0x45, name[2] == 0x54, name[3] == 0 {
            self = .get
        } else if name[0] == 0x48, name[1] == 0x45, name[2] == 0x41, name[3] == 0x44, name[4] == 0 {
            self = .head
        } else {
            self = .other
        }
    }

    var name: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .other: "other"
        }
    }
}
