import Foundation
import Glibc
import HalcyonTestSupport
import Testing

@testable import HalcyonStore

/// A file system of one MiB, which takes root to mount.
final class SmallFileSystem {
    let path: String
    private let folder: TemporaryFolder

    init?(sizeKiB: Int = 1_024) throws {
        folder = try TemporaryFolder()
        path = folder.file("mount")
        mkdir(path, 0o700)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(sizeKiB)k") == 0 else { return nil }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }

    static let isPossible: Bool = {
        do { return try SmallFileSystem() != nil } catch { return false }
    }()
}

@Suite(.timeLimit(.minutes(1)))
struct DiskCacheOutageTests {
    @Test(
        "HB-25 O-03 O-04 O-07 HB-37 a full disk fails stores visibly, leaves no part of a file, and takes stores again with room",
        .enabled(if: SmallFileSystem.isPossible, "needs root, to mount a small file system"))
    func fullDisk() async throws {
        let disk = try #require(try SmallFileSystem())
        let fixture = try DiskFixture { $0.folder = disk.path + "/cache" }
        await fixture.cache.open()
        await fixture.cache.finishMaintenance()
        // Somebody else's file leaves a little room.
        let other = disk.path + "/other"
        let free = try #require(
            try FileManager.default.attributesOfFileSystem(forPath: disk.path)[.systemFreeSize] as? Int)
        try Data(count: free - 120_000).write(to: URL(fileURLWithPath: other))

        var outcomes: [StoreOutcome] = []
        for number in 0..<20 {
            outcomes.append(await fixture.store(DiskFixture.body(number, count: 30_000), DiskFixture.key(number)))
        }
        let failed = outcomes.filter { $0 != .stored }
        #expect(!failed.isEmpty)
        let counters = await fixture.cache.statistics().counters
        #expect(counters.failedStores == failed.count)
        // One report, not one for every store.
        #expect(fixture.events.value.filter { if case .writeFailed = $0 { true } else { false } }.count <= 2)
        for (path, size) in try fixture.files() { #expect(size > 30_000, "\(path) is a part") }

        try FileManager.default.removeItem(atPath: other)
        #expect(await fixture.store(DiskFixture.body(99, count: 30_000), DiskFixture.key(99)) == .stored)
        #expect(await fixture.bytes(DiskFixture.key(99)) == DiskFixture.body(99, count: 30_000))
        #expect(fixture.cache.state == .available)
        #expect(fixture.events.value.contains(.recovered))
        #expect(try await fixture.cache.verify(repair: false).isSound)
        await fixture.cache.close()
    }

    @Test(
        "O-06 a read-only file system leaves the cache unavailable, with one event, and it comes back by itself",
        .enabled(if: SmallFileSystem.isPossible, "needs root, to mount a small file system"))
    func readOnlyFileSystem() async throws {
        let disk = try #require(try SmallFileSystem())
        #expect(mount("tmpfs", disk.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
        let fixture = try DiskFixture { $0.folder = disk.path + "/cache" }
        await fixture.cache.open()
        #expect(fixture.cache.state == .unavailable(.system(EROFS)))
        for number in 0..<3 {
            #expect(
                await fixture.store(DiskFixture.body(number), DiskFixture.key(number)) == .failed(.system(EROFS)))
        }
        #expect(await fixture.bytes(DiskFixture.key(1)) == nil)
        #expect(fixture.events.value == [.unavailable(.system(EROFS))])
        #expect(mount("tmpfs", disk.path, "tmpfs", UInt(MS_REMOUNT), nil) == 0)
        #expect(await fixture.store(DiskFixture.body(1), DiskFixture.key(1)) == .stored)
        #expect(fixture.cache.state == .available)
        #expect(fixture.events.value.contains(.recovered))
        await fixture.cache.close()
    }

    @Test("O-17 a folder that cannot be is a miss everywhere and no error")
    func folderThatIsAFile() async throws {
        let fixture = try DiskFixture()
        try Data([1]).write(to: URL(fileURLWithPath: fixture.configuration.folder))
        await fixture.cache.open()
        guard case .unavailable = fixture.cache.state else {
            Issue.record("the cache calls a plain file a folder")
            return
        }
        let key = DiskFixture.key(1)
        #expect(await fixture.cache.entry(for: key) == nil)
        #expect(await fixture.cache.failure(for: key) == nil)
        await fixture.cache.refresh(fixture.metadata(of: []), for: key, generation: 0)
        #expect(await fixture.cache.sweep().count == 0)
        #expect(await fixture.cache.statistics().count == 0)
        #expect(await fixture.cache.externalPurges() == [])
        // A purge cannot be done, says so, and still holds for what is being fetched.
        let generation = fixture.cache.generation
        await #expect(throws: DiskFailure.self) { try await fixture.cache.purge(.all, isDryRun: false) }
        #expect(fixture.cache.generation > generation)

        try FileManager.default.removeItem(atPath: fixture.configuration.folder)
        #expect(await fixture.store(DiskFixture.body(1), key, generation: generation) == .superseded)
        #expect(await fixture.store(DiskFixture.body(1), key) == .stored)
        #expect(await fixture.bytes(key) == DiskFixture.body(1))
    }

    @Test("HB-25 a folder that vanishes while open is made again by the next store")
    func vanishedFolder() async throws {
        let fixture = try await DiskFixture.open()
        await fixture.store(DiskFixture.body(1), DiskFixture.key(1))
        try FileManager.default.removeItem(atPath: fixture.configuration.folder)
        #expect(await fixture.bytes(DiskFixture.key(1)) == nil)
        #expect(await fixture.store(DiskFixture.body(2), DiskFixture.key(2)) == .stored)
        #expect(await fixture.bytes(DiskFixture.key(2)) == DiskFixture.body(2))
        await fixture.cache.finishMaintenance()
        let statistics = await fixture.cache.statistics()
        #expect(statistics.count == 1)
        #expect(statistics.bytes == (try fixture.files().values.reduce(0, +)))
    }

    @Test func afterAFailureTheDiskIsLeftAloneForAWhile() async throws {
        let fixture = try DiskFixture { $0.retryInterval = .seconds(3_600) }
        try Data([1]).write(to: URL(fileURLWithPath: fixture.configuration.folder))
        await fixture.cache.open()
        try FileManager.default.removeItem(atPath: fixture.configuration.folder)
        #expect(await fixture.store(DiskFixture.body(1), DiskFixture.key(1)) != .stored)
        #expect(!FileManager.default.fileExists(atPath: fixture.configuration.folder))
        #expect(await fixture.cache.statistics().counters.failedStores == 1)
    }
}
