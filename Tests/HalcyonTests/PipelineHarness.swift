import Foundation
import HalcyonStore
import HalcyonTestSupport
import Synchronization

@testable import Halcyon

/// A pipeline over an origin and a folder of its own.
final class PipelineHarness: Sendable {
    let origin: ScriptedOrigin
    let folder: TemporaryFolder
    let pipeline: ImagePipeline
    let clock: WallClock
    let events: Events

    /// Wall time that a test moves by hand.
    final class WallClock: Sendable {
        private let offset = Mutex<TimeInterval>(0)
        private let start = Date()
        var now: Date { start.addingTimeInterval(offset.withLock { $0 }) }
        func advance(by seconds: TimeInterval) { offset.withLock { $0 += seconds } }
    }

    final class Events: Sendable {
        private let events = Mutex<[ImagePipeline.Event]>([])
        func append(_ event: ImagePipeline.Event) { events.withLock { $0.append(event) } }
        var all: [ImagePipeline.Event] { events.withLock { $0 } }
    }

    init(
        origin: ScriptedOrigin? = nil,
        folder: TemporaryFolder? = nil,
        usesDisk: Bool = true,
        configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
    ) async throws {
        let origin = try origin ?? ScriptedOrigin()
        let folder = try folder ?? TemporaryFolder()
        let clock = WallClock()
        let events = Events()
        var configuration = ImagePipeline.Configuration(
            origins: [Origin(host: "127.0.0.1", addresses: ["127.0.0.0/8"])],
            cacheFolder: usesDisk ? folder.file("cache") : nil)
        configuration.lifetimeJitter = 0
        configuration.fetch.retries = 0
        configuration.now = { clock.now }
        configuration.onEvent = { events.append($0) }
        configure(&configuration)
        self.origin = origin
        self.folder = folder
        self.clock = clock
        self.events = events
        pipeline = try ImagePipeline(configuration: configuration)
        await pipeline.open()
    }

    func request(_ path: String, _ options: ImageRequest.Options = .init()) -> ImageRequest {
        ImageRequest(url: origin.url(path), options: options)
    }

    func load(_ path: String, _ options: ImageRequest.Options = .init()) async throws(ImagePipeline.Error)
        -> ImageResponse
    {
        try await pipeline.image(for: request(path, options))
    }

    /// The error of a load that has to fail.
    func failure(_ path: String, _ options: ImageRequest.Options = .init()) async -> ImagePipeline.Error? {
        do throws(ImagePipeline.Error) {
            _ = try await load(path, options)
            return nil
        } catch {
            return error
        }
    }

    /// Empties memory, so that the next load asks the disk, and commits what the disk has yet to commit.
    func forgetMemory() async {
        pipeline.memoryCache.removeAll()
        _ = await pipeline.diskCache?.commitPending()
    }
}

extension Data {
    static func == (left: Data, right: [UInt8]) -> Bool { left.elementsEqual(right) }
}
