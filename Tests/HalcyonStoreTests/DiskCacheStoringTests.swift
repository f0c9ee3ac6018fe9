import Foundation
import HalcyonCrypto
import HalcyonTestSupport
import Testing

@testable import HalcyonStore

@Suite(.timeLimit(.minutes(1)))
struct DiskCacheStoringTests {
    @Test(arguments: [StoreDurability.committed, .written])
    func whatIsStoredIsFoundWithItsMetadata(durability: StoreDurability) async throws {
        let fixture = try await DiskFixture.open()
        let body = DiskFixture.body(1)
        let metadata = fixture.metadata(of: body, staleFor: 60, tags: ["student:202110107", "class:1-1"])
        let key = CacheKey(url: "https://photos.example/ü?a=b", scope: "s", variant: "w=128")
        let outcome = await fixture.cache.store(
            body, metadata: metadata, for: key, generation: fixture.cache.generation, durability: durability)
        #expect(outcome == .stored)
        let entry = try #require(await fixture.cache.entry(for: key))
        #expect(entry.metadata == metadata)
        #expect(entry.key == key)
        #expect(entry.bytes.withUnsafeBytes { Array($0) } == body)
        #expect(await fixture.cache.entry(for: key.original) == nil)
    }

    @Test func entriesSurviveARestart() async throws {
        let fixture = try await DiskFixture.open()
        await fixture.store(DiskFixture.body(1), DiskFixture.key(1), durability: .written)
        await fixture.cache.close()
        let next = try await fixture.another()
        #expect(await next.bytes(DiskFixture.key(1)) == DiskFixture.body(1))
        #expect(await fixture.bytes(DiskFixture.key(1)) == nil)
    }

    @Test func anEmptyKeyedBodyAndAnEmptyFolderWork() async throws {
        let fixture = try await DiskFixture.open()
        #expect(await fixture.cache.entry(for: DiskFixture.key(1)) == nil)
        #expect(await fixture.store([], CacheKey(url: "")) == .stored)
        #expect(await fixture.bytes(CacheKey(url: "")) == [])
    }

    @Test("HB-34 HB-35 a name on disk depends on a digest alone, whatever the URL")
    func namesComeFromADigest() async throws {
        let fixture = try await DiskFixture.open()
        let urls = [
            "https://photos.example/a." + String(repeating: "x", count: 1_000),
            "https://photos.example/" + String(repeating: "y", count: 8_192),
            "https://photos.example/a?b=c.d/e.png", "https://photos.example/@2x.jpg/../..",
        ]
        for url in urls { #expect(await fixture.store(DiskFixture.body(url.count), CacheKey(url: url)) == .stored) }
        for url in urls { #expect(await fixture.bytes(CacheKey(url: url)) == DiskFixture.body(url.count)) }
        for path in try fixture.files().keys {
            let parts = path.split(separator: "/").suffix(2).map(String.init)
            #expect(parts[1].wholeMatch(of: /[0-9a-f]{64}\.jpg/) != nil)
            #expect(parts[1].hasPrefix(parts[0]))
        }
        #expect(try fixture.files().count == urls.count)
    }

    @Test func filesAndFoldersAreTheOwnersAlone() async throws {
        let old = umask(0)
        defer { umask(old) }
        let fixture = try await DiskFixture.open()
        await fixture.store(DiskFixture.body(1), DiskFixture.key(1))
        let file = try fixture.onlyFile()
        let folder = String(file[..<(try #require(file.lastIndex(of: "/")))])
        #expect(try fixture.mode(of: fixture.configuration.folder) == 0o700)
        #expect(try fixture.mode(of: folder) == 0o700)
        #expect(try fixture.mode(of: file) == 0o600)
        for suffix in ["", "-wal", "-shm"] {
            #expect(try fixture.mode(of: fixture.configuration.folder + "/index.sqlite" + suffix) == 0o600)
        }
    }

    @Test("HB-98 a file is the body followed by a small trailer")
    func aFileBeginsWithTheBody() async throws {
        let fixture = try await DiskFixture.open()
        let body = DiskFixture.body(1, count: 24_576)
        await fixture.store(body, DiskFixture.key(1))
        let data = try Data(contentsOf: URL(fileURLWithPath: fixture.onlyFile()))
        #expect(Array(data.prefix(body.count)) == body)
        #expect(data.count <= body.count + 512)
    }

    @Test("K-13 a hundred writes of one key at once end in one whole file")
    func parallelWritesOfOneKey() async throws {
        let fixture = try await DiskFixture.open()
        let key = DiskFixture.key(1)
        await withTaskGroup(of: Void.self) { group in
            for seed in 0..<100 { group.addTask { await fixture.store(DiskFixture.body(seed), key) } }
        }
        let bytes = try #require(await fixture.bytes(key))
        #expect((0..<100).contains { DiskFixture.body($0) == bytes })
        #expect(try fixture.files().count == 1)
        #expect(await fixture.cache.statistics().count == 1)
    }

    @Test("I-03 sixty-four readers during replacements see one version or the other, whole")
    func readersDuringReplacement() async throws {
        let fixture = try await DiskFixture.open()
        let key = DiskFixture.key(1)
        let versions = (0..<20).map { DiskFixture.body($0, count: 24_576) }
        await fixture.store(versions[0], key)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    for _ in 0..<10 {
                        let bytes = await fixture.bytes(key)
                        #expect(bytes.map { versions.contains($0) } == true)
                    }
                }
            }
            group.addTask { for version in versions { await fixture.store(version, key) } }
        }
        #expect(await fixture.bytes(key) == versions.last)
        #expect(await fixture.cache.statistics().counters.damagedEntries == 0)
    }

    @Test("HB-32 reported bytes equal the files' sizes after many random operations")
    func bytesAreThoseOnDisk() async throws {
        let fixture = try await DiskFixture.open { $0.limitBytes = 60_000 }
        var generator = SeededGenerator(seed: 7)
        for step in 0..<2_000 {
            let key = DiskFixture.key(Int.random(in: 0..<60, using: &generator))
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: _ = try await fixture.cache.purge(.key(key), isDryRun: false)
            case 1: _ = await fixture.cache.entry(for: key)
            case 2:
                await fixture.cache.refresh(fixture.metadata(of: []), for: key, generation: fixture.cache.generation)
            default:
                let count = Int.random(in: 0..<3_000, using: &generator)
                await fixture.store(DiskFixture.body(step, count: count), key, durability: .written)
            }
        }
        await fixture.cache.finishMaintenance()
        let statistics = await fixture.cache.statistics()
        let files = try fixture.files()
        #expect(statistics.count == files.count)
        #expect(statistics.bytes == files.values.reduce(0, +))
        #expect(statistics.count > 10)
    }

    @Test func aRefreshChangesTheMetadataAndLeavesTheBytes() async throws {
        let fixture = try await DiskFixture.open()
        let (key, body) = (DiskFixture.key(1), DiskFixture.body(1))
        await fixture.store(body, key, lifetime: 10, tags: ["class:1-1"])
        let file = try fixture.onlyFile()
        fixture.clock.advance(by: .seconds(11))
        #expect(await fixture.cache.entry(for: key)?.isFresh(at: fixture.clock.wallNow) == false)
        let renewed = fixture.metadata(of: body, lifetime: 10, tags: ["class:1-2"])
        await fixture.cache.refresh(renewed, for: key, generation: fixture.cache.generation)
        #expect(await fixture.cache.entry(for: key)?.metadata == renewed)
        await fixture.cache.close()
        let next = try await fixture.another()
        #expect(await next.cache.entry(for: key)?.metadata == renewed)
        #expect(try next.onlyFile() == file)
        #expect(await next.cache.statistics().classes.map(\.name) == ["class:1-2"])
    }

    @Test func aRefreshOfNothingKeepsNothing() async throws {
        let fixture = try await DiskFixture.open()
        await fixture.cache.refresh(
            fixture.metadata(of: []), for: DiskFixture.key(1), generation: fixture.cache.generation,
            durability: .committed)
        #expect(await fixture.cache.entry(for: DiskFixture.key(1)) == nil)
        #expect(await fixture.cache.statistics().count == 0)
    }

    @Test("HB-75 a cancelled read that waits touches no disk")
    func cancelledReads() async throws {
        let fixture = try await DiskFixture.open { $0.readLanes = 1 }
        await fixture.store(DiskFixture.body(1), DiskFixture.key(1))
        let gate = Gate()
        fixture.cache.readQueues[0].async { gate.waitBlocking() }
        let reads = (0..<1_000).map { _ in Task { await fixture.cache.entry(for: DiskFixture.key(1)) } }
        for read in reads { read.cancel() }
        gate.open()
        for read in reads { #expect(await read.value == nil) }
        let counters = await fixture.cache.statistics().counters
        #expect(counters.hits == 0)
    }

    @Test func statisticsTellHostsClassesAndExpiries() async throws {
        let fixture = try await DiskFixture.open()
        let lifetimes: [TimeInterval?] = [10, 1_800, 7_200, 200_000, 1_000_000, nil]
        for (number, lifetime) in lifetimes.enumerated() {
            await fixture.store(
                DiskFixture.body(number), DiskFixture.key(number), lifetime: lifetime,
                host: number < 2 ? "a.example" : "b.example",
                tags: ["student:\(number)", number < 3 ? "class:1-1" : "class:1-2"])
        }
        fixture.clock.advance(by: .seconds(11))
        let statistics = await fixture.cache.statistics()
        #expect(statistics.count == 6)
        #expect(statistics.hosts.map(\.name) == ["a.example", "b.example"])
        #expect(statistics.hosts.map(\.count) == [2, 4])
        #expect(statistics.hosts.map(\.bytes).reduce(0, +) == statistics.bytes)
        #expect(statistics.classes.map(\.name) == ["class:1-1", "class:1-2"])
        #expect(statistics.classes.map(\.count) == [3, 3])
        let expected = DiskStatistics.Expiries(
            expired: 1, withinHour: 1, withinDay: 1, withinWeek: 1, later: 1, never: 1)
        #expect(statistics.expiries == expected)
    }
}

/// SplitMix64: the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
