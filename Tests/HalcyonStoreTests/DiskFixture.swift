import Foundation
import HalcyonCrypto
import HalcyonTestSupport

@testable import HalcyonStore

/// A disk cache in a folder of its own, under a clock moved by hand, with its events collected.
final class DiskFixture: Sendable {
    let folder: TemporaryFolder
    let clock: ManualClock
    let events = Watched<[StoreEvent]>([])
    let configuration: DiskCacheConfiguration
    let cache: DiskCache

    init(
        folder: TemporaryFolder? = nil, clock: ManualClock = ManualClock(),
        configure: (inout DiskCacheConfiguration) -> Void = { _ in }
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        self.clock = clock
        var configuration = DiskCacheConfiguration(folder: folder.file("cache"))
        configuration.wallClock = { clock.wallNow }
        configuration.retryInterval = .zero
        configure(&configuration)
        let events = events
        configuration.onEvent = { event in events.update { $0.append(event) } }
        self.configuration = configuration
        self.cache = DiskCache(configuration: configuration)
    }

    /// An opened cache.
    static func open(configure: (inout DiskCacheConfiguration) -> Void = { _ in }) async throws -> DiskFixture {
        let fixture = try DiskFixture(configure: configure)
        await fixture.cache.open()
        await fixture.cache.finishMaintenance()
        return fixture
    }

    /// An opened cache on the same folder: another process, as far as the two can tell, or the next one.
    func another() async throws -> DiskFixture {
        let configuration = configuration
        let other = try DiskFixture(folder: folder, clock: clock) { $0 = configuration }
        await other.cache.open()
        return other
    }

    static func key(_ name: some CustomStringConvertible, variant: String = "") -> CacheKey {
        CacheKey(url: "https://photos.example/\(name).jpg", variant: variant)
    }

    /// Bytes that differ from one seed to the next.
    static func body(_ seed: Int, count: Int = 1_000) -> [UInt8] {
        var state = (UInt64(truncatingIfNeeded: seed) &+ 1) &* 0x9E37_79B9_7F4A_7C15
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 32)
        }
    }

    func metadata(
        of body: [UInt8], lifetime: TimeInterval? = 3_600, staleFor: TimeInterval? = nil,
        host: String = "photos.example", tags: [String] = []
    ) -> EntryMetadata {
        let now = clock.wallNow
        return EntryMetadata(
            contentType: "image/jpeg", pixelWidth: 3, pixelHeight: 4, host: host, tags: tags,
            originEntityTag: "\"v1\"", storedAt: now, expiresAt: lifetime.map { now + $0 }, lifetime: lifetime,
            staleIfErrorUntil: staleFor.map { now + (lifetime ?? 0) + $0 }, digest: Digest(of: body),
            byteCount: body.count)
    }

    @discardableResult
    func store(
        _ body: [UInt8], _ key: CacheKey, lifetime: TimeInterval? = 3_600, staleFor: TimeInterval? = nil,
        host: String = "photos.example", tags: [String] = [], generation: UInt64? = nil,
        durability: StoreDurability = .committed
    ) async -> StoreOutcome {
        await cache.store(
            body, metadata: metadata(of: body, lifetime: lifetime, staleFor: staleFor, host: host, tags: tags),
            for: key, generation: generation ?? cache.generation, durability: durability)
    }

    func bytes(_ key: CacheKey) async -> [UInt8]? {
        await cache.entry(for: key).map { entry in entry.bytes.withUnsafeBytes { Array($0) } }
    }

    /// Sizes of all object files by path, found by walking the folders.
    func files() throws -> [String: Int] {
        var found: [String: Int] = [:]
        let manager = FileManager.default
        for folder in try manager.contentsOfDirectory(atPath: configuration.folder) where folder.utf8.count == 2 {
            for file in try manager.contentsOfDirectory(atPath: "\(configuration.folder)/\(folder)") {
                let path = "\(configuration.folder)/\(folder)/\(file)"
                do {
                    found[path] = try manager.attributesOfItem(atPath: path)[.size] as? Int
                } catch CocoaError.fileReadNoSuchFile {
                    // Evicted since the folder was read.
                }
            }
        }
        return found
    }

    /// The path of the only object file.
    func onlyFile() throws -> String {
        let files = try files()
        guard files.count == 1, let path = files.keys.first else { throw UnexpectedFiles(count: files.count) }
        return path
    }

    struct UnexpectedFiles: Error { let count: Int }

    func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
