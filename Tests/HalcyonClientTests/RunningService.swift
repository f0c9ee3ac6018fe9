import Halcyon
import HalcyonRecords
import HalcyonServer
import HalcyonTestSupport

@testable import HalcyonClient

/// A whole service of its own, and a client of it.
struct RunningService {
    let origin: ScriptedOrigin
    let records: RecordStore
    let baseURL: String
    private let folder: TemporaryFolder
    private let pipeline: ImagePipeline
    private let server: Server

    private init() async throws {
        origin = try ScriptedOrigin()
        folder = try TemporaryFolder()
        var configuration = ImagePipeline.Configuration(
            origins: [Origin(host: "127.0.0.1", addresses: ["127.0.0.0/8"])], cacheFolder: nil)
        configuration.fetch.retries = 0
        pipeline = try ImagePipeline(configuration: configuration)
        await pipeline.open()
        let relay = ChangeRelay()
        records = try RecordStore(path: folder.file("records.sqlite"), onChange: relay.send)
        let placeholder = ImagePlaceholder(bytes: SampleImage.png(seed: 9), contentType: "image/png")
        server = Server(
            configuration: ServerConfiguration(
                listener: ListenerConfiguration(address: try ListenAddress("127.0.0.1:0")),
                placeholder: PlaceholderPolicy(image: placeholder), mediaFolder: folder.file("media")),
            pipeline: pipeline, records: records, changes: relay, logger: Logger(level: .off))
        baseURL = "http://" + (try server.start())
    }

    private func stop() async {
        await server.stop()
        await pipeline.shutDown()
        origin.stop()
    }

    /// With two pupils; the second has a photo at the origin.
    static func run(_ body: (RunningService, HalcyonProvider) async throws -> Void) async throws {
        let service = try await RunningService()
        let provider = try HalcyonProvider(baseURL: service.baseURL)
        do {
            service.origin.on("/2.png") { $0.respond(fields: [("Content-Type", "image/png")], body: SampleImage.png()) }
            for number in 1...2 {
                try await service.records.add(
                    HalcyonRecords.Student(
                        id: 202_110_100 + number, grade: 1, classNumber: 1, number: number, name: "김하나\(number)",
                        profileImageURL: number == 2 ? service.origin.url("/2.png") : nil))
            }
            try await body(service, provider)
        } catch {
            await provider.shutDown()
            await service.stop()
            throw error
        }
        await provider.shutDown()
        await service.stop()
    }
}
