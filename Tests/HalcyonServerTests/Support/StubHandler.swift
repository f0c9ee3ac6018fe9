import HalcyonTestSupport
import Synchronization

@testable import HalcyonServer

/// Answers `/hold` when its gate opens, `/echo` with the body, and everything else with the target.
final class StubHandler: ExchangeHandler {
    let gate = Gate()
    let held = Watched(0)
    let ended = Watched(0)

    func knownTarget(_ raw: UnsafeRawBufferPointer) -> (any KnownTarget)? { nil }
    func immediateAnswer(_ exchange: HalcyonServer.Exchange, handle: OpaquePointer) -> PreparedResponse? { nil }
    var startOfMeasurement: UInt64 { 0 }

    func finished(_ exchange: HalcyonServer.Exchange, isComplete: Bool) { ended.update { $0 += 1 } }

    func answer(to request: HTTPRequest) async -> HTTPAnswer {
        switch request.target.rawPath {
        case "/hold":
            held.update { $0 += 1 }
            await gate.wait()
            return HTTPAnswer(status: 200, body: .bytes(Array("held".utf8)))
        case "/echo" where request.isBodyTooLarge: return HTTPAnswer(status: 413)
        case "/echo": return HTTPAnswer(status: 200, body: .bytes(request.body))
        default: return HTTPAnswer(status: 200, body: .bytes(request.rawTarget))
        }
    }

    func answer(to refusal: RequestRefusal) -> HTTPAnswer {
        switch refusal {
        case .badTarget, .ambiguous, .hostMissing: HTTPAnswer(status: 400)
        case .headerTooLarge: HTTPAnswer(status: 431)
        case .bodyTooLarge: HTTPAnswer(status: 413)
        case .shuttingDown: HTTPAnswer(status: 503)
        case .outOfMemory: HTTPAnswer(status: 500)
        }
    }
}

/// A listener on a free port with a clock moved by hand.
final class ListenerUnderTest: Sendable {
    let handler = StubHandler()
    let counters = ServerCounters()
    let listener: HTTPListener
    let port: Int

    init(_ change: (inout ListenerConfiguration) throws -> Void = { _ in }) throws {
        var configuration = ListenerConfiguration(address: try ListenAddress("127.0.0.1:0"))
        try change(&configuration)
        let clock = ManualSeconds()
        self.clock = clock
        listener = HTTPListener(
            configuration: configuration, handler: handler, counters: counters, logger: Logger(level: .off),
            clock: { clock.now })
        port = Int(try listener.start().port)
    }

    let clock: ManualSeconds

    deinit { listener.stop() }
}

final class ManualSeconds: Sendable {
    private let value = Atomic(1000)
    var now: Int { value.load(ordering: .relaxed) }
    func advance(_ seconds: Int) { value.add(seconds, ordering: .relaxed) }
}
