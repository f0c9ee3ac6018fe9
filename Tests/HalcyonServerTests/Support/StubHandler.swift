import Foundation
import Glibc
import HalcyonTestSupport
import Synchronization

@testable import HalcyonServer

/// Answers `/hold` when its gate opens, `/echo` with the body, `/upload` with a list of what came, `/hold-upload` so when
/// its gate opens, `/stream` with a stream that a test writes, `/secret` not at all, and everything else with the target.
final class StubHandler: ExchangeHandler {
    let gate = Gate()
    let held = Watched(0)
    let ended = Watched(0)
    let streams = Watched<[ResponseStream]>([])
    let endedStreams = Watched(0)
    /// What `/stream` answers instead of one of its own.
    let givenStream = Mutex<ResponseStream?>(nil)
    let streamLimitBytes = Atomic(ResponseStream.defaultLimitBytes)

    func knownTarget(_ raw: UnsafeRawBufferPointer) -> (any KnownTarget)? { nil }
    func immediateAnswer(_ exchange: HalcyonServer.Exchange, handle: OpaquePointer) -> PreparedResponse? { nil }
    var startOfMeasurement: UInt64 { 0 }
    func mount(for exchange: HalcyonServer.Exchange) -> Mount? { nil }
    func answer(to request: MountRequest) async -> HTTPAnswer { HTTPAnswer(status: 404) }

    func finished(_ exchange: HalcyonServer.Exchange, isComplete: Bool) { ended.update { $0 += 1 } }

    func answer(to request: HTTPRequest) async -> HTTPAnswer {
        switch request.target.rawPath {
        case "/hold":
            held.update { $0 += 1 }
            await gate.wait()
            return HTTPAnswer(status: 200, body: .bytes(Array("held".utf8)))
        case "/echo" where request.bodyFault == .tooLarge: return HTTPAnswer(status: 413)
        case "/echo": return HTTPAnswer(status: 200, body: .bytes(request.body))
        case "/upload", "/hold-upload":
            guard let upload = request.upload else { return Problem(request.bodyFault ?? .noRoom).answer }
            if request.target.rawPath == "/hold-upload" {
                held.update { $0 += 1 }
                await gate.wait()
            }
            return HTTPAnswer(status: 200, body: .bytes(Array(list(upload).utf8)))
        case "/stream":
            if let given = givenStream.withLock({ $0 }) { return HTTPAnswer(status: 200, body: .stream(given)) }
            let stream = ResponseStream(limitBytes: streamLimitBytes.load(ordering: .relaxed)) { [endedStreams] in
                endedStreams.update { $0 += 1 }
            }
            streams.update { $0.append(stream) }
            return HTTPAnswer(status: 200, body: .stream(stream))
        default: return HTTPAnswer(status: 200, body: .bytes(request.rawTarget))
        }
    }

    func admission(_ exchange: HalcyonServer.Exchange, handle: OpaquePointer, method: String) -> BodyAdmission {
        let target = String(decoding: exchange.rawTarget, as: UTF8.self)
        if target == "/secret" { return .refuse(HTTPAnswer(status: 401, body: .bytes(Array("no".utf8)))) }
        return target.hasSuffix("upload") ? .take(.file(limit: 1 << 20)) : .take(.memory())
    }

    private func list(_ upload: Upload) -> String {
        let fields = upload.fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let files = upload.files.map { file in
            var status = stat()
            stat(file.path, &status)
            let bytes = FileManager.default.contents(atPath: file.path) ?? Data()
            let mode = String(status.st_mode & 0o777, radix: 8)
            return "\(file.field)|\(file.fileName ?? "-")|\(file.contentType ?? "-")|\(file.byteCount)|\(mode)|"
                + bytes.base64EncodedString()
        }
        return (fields + files).joined(separator: "\n")
    }

    func answer(to refusal: RequestRefusal, in envelope: AnswerEnvelope) -> HTTPAnswer {
        switch refusal {
        case .badTarget, .ambiguous, .hostMissing: HTTPAnswer(status: 400)
        case .headerTooLarge: HTTPAnswer(status: 431)
        case .bodyTooLarge: HTTPAnswer(status: 413)
        case .tooManyUploads, .shuttingDown: HTTPAnswer(status: 503)
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
    let uploads: TemporaryFolder

    /// Names of files of uploads that are there.
    var uploadNames: [String] {
        do { return try FileManager.default.contentsOfDirectory(atPath: uploads.path) } catch { return ["\(error)"] }
    }

    init(_ change: (inout ListenerConfiguration) throws -> Void = { _ in }) throws {
        var configuration = ListenerConfiguration(address: try ListenAddress("127.0.0.1:0"))
        uploads = try TemporaryFolder()
        configuration.uploadFolder = uploads.path
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
