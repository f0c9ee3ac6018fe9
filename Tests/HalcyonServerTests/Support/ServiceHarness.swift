import Foundation
import Halcyon
import HalcyonCrypto
import HalcyonRecords
import HalcyonTestSupport
import Synchronization

@testable import HalcyonServer

/// The whole service over an origin, a database and a folder of its own.
final class ServiceHarness: Sendable {
    static let placeholder = ImagePlaceholder(
        bytes: SampleImage.png(width: 3, height: 3, seed: 99), contentType: "image/png")

    let origin: ScriptedOrigin
    let folder: TemporaryFolder
    let pipeline: ImagePipeline
    let records: RecordStore
    let server: Server
    let logger: Logger
    let clock = OffsetClock()
    let port: Int

    /// Wall time that a test puts forward.
    final class OffsetClock: Sendable {
        private let offset = Mutex<TimeInterval>(0)
        var now: Date { Date().addingTimeInterval(offset.withLock { $0 }) }
        func advance(by seconds: TimeInterval) { offset.withLock { $0 += seconds } }
    }

    /// What a test wants otherwise.
    struct Adjustments {
        var logger = Logger(level: .off)
        var pipeline: (inout ImagePipeline.Configuration) -> Void = { _ in }
        var server: (inout ServerConfiguration) -> Void = { _ in }
        /// What is done otherwise at `/m`, which leads to `/base` of the origin; without it there is no mount.
        var mount: MountPolicy?
    }

    init(_ adjustments: Adjustments = .init()) async throws {
        logger = adjustments.logger
        origin = try ScriptedOrigin()
        folder = try TemporaryFolder()
        let clock = clock
        var configuration = ImagePipeline.Configuration(
            origins: [Origin(host: "127.0.0.1", addresses: ["127.0.0.0/8"])], cacheFolder: nil)
        configuration.lifetimeJitter = 0
        configuration.fetch.retries = 0
        configuration.now = { clock.now }
        adjustments.pipeline(&configuration)
        pipeline = try ImagePipeline(configuration: configuration)
        await pipeline.open()
        let relay = ChangeRelay()
        records = try RecordStore(path: folder.file("records.sqlite"), onChange: relay.send)
        var serving = ServerConfiguration(
            listener: ListenerConfiguration(address: try ListenAddress("127.0.0.1:0")),
            placeholder: PlaceholderPolicy(image: Self.placeholder), mediaFolder: folder.file("media"))
        serving.now = { clock.now }
        if let policy = adjustments.mount {
            var mount = try Mount("/m=\(origin.url("/base"))")
            mount.policy = policy
            serving.mounts = [mount]
        }
        adjustments.server(&serving)
        server = Server(
            configuration: serving, pipeline: pipeline, records: records, changes: relay, logger: logger)
        port = Int(try ListenAddress(try server.start()).port)
    }

    func stop() async {
        await server.stop()
        await pipeline.shutDown()
        origin.stop()
    }

    /// Runs `body` and stops the service, whatever happens.
    static func run(
        _ adjustments: Adjustments = .init(), _ body: (ServiceHarness) async throws -> Void
    ) async throws {
        let service = try await ServiceHarness(adjustments)
        do {
            try await body(service)
        } catch {
            await service.stop()
            throw error
        }
        await service.stop()
    }

    /// With a mount at `/m`, which leads to `/base` of the origin.
    static func runMount(
        _ policy: MountPolicy = MountPolicy(), _ body: (ServiceHarness) async throws -> Void
    ) async throws {
        try await run(Adjustments(mount: policy), body)
    }

    func get(_ target: String, _ fields: [(String, String)] = [], method: String = "GET") async throws -> RawResponse {
        guard let response = try await RawClient.request(port: port, method, target, fields) else { throw NoAnswer() }
        return response
    }

    func post(_ target: String, _ body: String) async throws -> RawResponse {
        guard let response = try await RawClient.request(port: port, "POST", target, body: body) else {
            throw NoAnswer()
        }
        return response
    }

    func send(
        _ method: String, _ target: String, _ body: String?, type: String = "application/json",
        _ fields: [(String, String)] = []
    ) async throws -> RawResponse {
        let response = try await RawClient.request(port: port, method, target, fields, body: body, contentType: type)
        guard let response else { throw NoAnswer() }
        return response
    }

    struct NoAnswer: Error {}

    /// A student of grade 1, class 1 whose photo is at `path` of the origin.
    @discardableResult
    func student(_ number: Int = 1, photo path: String?) async throws -> Int {
        let id = 202_110_100 + number
        try await records.add(
            Student(
                id: id, grade: 1, classNumber: 1, number: number, name: "김하나\(number)",
                profileImageURL: path.map { origin.url($0) }))
        return id
    }

    func changePhoto(of id: Int, to path: String?) async throws {
        guard let old = try await records.student(id: id) else { throw NoAnswer() }
        try await records.update(
            Student(
                id: id, grade: old.grade, classNumber: old.classNumber, number: old.number, name: old.name,
                profileImageURL: path.map { origin.url($0) }))
    }

    /// The target of `/images?url=` for a path of the origin.
    func imageTarget(_ path: String) -> String {
        let allowed = CharacterSet.alphanumerics
        return "/images?url=" + (origin.url(path).addingPercentEncoding(withAllowedCharacters: allowed) ?? "")
    }

    /// Lets the origin answer `path` with a photo.
    func serve(_ path: String, _ bytes: [UInt8] = SampleImage.png(), fields: [(String, String)] = []) {
        origin.on(path) { $0.respond(200, fields: [("Content-Type", "image/png")] + fields, body: bytes) }
    }
}
