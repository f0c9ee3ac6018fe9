import Foundation
import Glibc
import HalcyonCrypto
import HalcyonTestSupport
import Testing

@testable import HalcyonStore

/// What glibc says of its heap, by `malloc_info`, which the module map leaves out.
private enum Allocator {
    static func bytesInUse() throws -> Int {
        let symbol = try #require(dlsym(nil, "malloc_info"))
        let report = unsafeBitCast(symbol, to: (@convention(c) (Int32, UnsafeMutablePointer<FILE>?) -> Int32).self)
        var text: UnsafeMutablePointer<CChar>?
        var count = 0
        let stream = open_memstream(&text, &count)
        #expect(report(0, stream) == 0)
        fclose(stream)
        defer { free(text) }
        let lines = String(cString: try #require(text)).split(separator: "\n")
        // The last of each kind is of all arenas together.
        func size(_ start: String) throws -> Int {
            let line = try #require(lines.last { $0.hasPrefix(start) })
            let number = try #require(line.split(separator: "\"").last { $0.allSatisfy(\.isNumber) })
            return try #require(Int(number))
        }
        return try size("<system type=\"current\"") + size("<total type=\"mmap\"") - size("<total type=\"rest\"")
            - size("<total type=\"fast\"")
    }
}

@Suite(.timeLimit(.minutes(1)))
struct MemoryCacheTests {
    private let clock = ManualClock()
    /// Added to the wall time alone.
    private let wallStep = Watched<TimeInterval>(0)

    private func cache(_ configure: (inout MemoryCacheConfiguration) -> Void = { _ in }) -> MemoryCache {
        var configuration = MemoryCacheConfiguration()
        let (clock, wallStep) = (clock, wallStep)
        configuration.wallClock = { clock.wallNow + wallStep.value }
        configuration.monotonicClock = {
            let (seconds, attoseconds) = clock.now.offset.components
            return UInt64(1_000_000 + seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
        }
        configuration.shardCount = 1
        configure(&configuration)
        return MemoryCache(configuration: configuration)
    }

    private func entry(
        _ name: some CustomStringConvertible, count: Int = 100, diskLifetime: TimeInterval? = 86_400,
        tags: [String] = []
    ) -> CacheEntry {
        let body = [UInt8](repeating: 7, count: count)
        let now = clock.wallNow + wallStep.value
        return CacheEntry(
            key: DiskFixture.key(name), bytes: EntryBytes(copying: body),
            metadata: EntryMetadata(
                contentType: "image/png", tags: tags, storedAt: now, expiresAt: diskLifetime.map { now + $0 },
                lifetime: diskLifetime, digest: Digest(of: []), byteCount: count))
    }

    @Test(
        "HB-101 what ten thousand entries are said to cost is what the allocator gave, within a tenth",
        arguments: [0, 2_000])
    func costs(headBytes: Int) throws {
        let cache = cache { $0.limitBytes = 1 << 30 }
        let head = headBytes == 0 ? nil : [UInt8](repeating: 1, count: headBytes)
        func kept(_ number: Int) -> CacheEntry {
            var metadata = entry(number, count: 0, tags: ["student:\(number)", "class:1-1"]).metadata
            metadata.responseHead = head.map { $0.map { $0 } }
            return CacheEntry(
                key: DiskFixture.key(number), bytes: EntryBytes(copying: [UInt8](repeating: 7, count: 6_000)),
                metadata: metadata)
        }
        // What a first entry alone allocates is not each one's.
        cache.insert(kept(0))
        let before = try Allocator.bytesInUse()
        for number in 1...10_000 { cache.insert(kept(number)) }
        let grown = Double(try Allocator.bytesInUse() - before)
        let said = Double(cache.statistics.bytes)
        #expect(cache.statistics.count == 10_001)
        #expect(said / grown > 0.9 && said / grown < 1.1, "\(said / grown)")
    }

    @Test func whatIsInsertedIsTheSameObject() {
        let cache = cache()
        let entry = entry(1)
        #expect(cache.insert(entry))
        #expect(cache.entry(for: DiskFixture.key(1)) === entry)
        #expect(cache.entry(for: DiskFixture.key(2)) == nil)
        cache.remove(entry.key)
        #expect(cache.entry(for: entry.key) == nil)
        #expect(cache.staleEntry(for: entry.key) == nil)
        let statistics = cache.statistics
        #expect(statistics.hits == 1 && statistics.misses == 2 && statistics.removals == 1)
        #expect(statistics.count == 0 && statistics.bytes == 0)
    }

    @Test(
        "HB-04 a read prolongs by the rule it was inserted with",
        arguments: [
            (ExpirationExtension.none, 299.0, 2.0, false), (.cacheTime, 299, 299, true), (.cacheTime, 299, 300, false),
            (.expirationTime(.seconds(10)), 299, 9, true), (.expirationTime(.seconds(10)), 299, 10, false),
            // A shorter one does not take away what is left.
            (.expirationTime(.seconds(10)), 100, 199, true), (.expirationTime(.never), 299, 80_000, true),
        ])
    func extensions(rule: ExpirationExtension, readAt: Double, then: Double, isFresh: Bool) {
        let cache = cache()
        cache.insert(entry(1), expiration: .seconds(300), extension: rule)
        clock.advance(by: .seconds(readAt))
        #expect(cache.entry(for: DiskFixture.key(1)) != nil)
        clock.advance(by: .seconds(then))
        #expect((cache.entry(for: DiskFixture.key(1)) != nil) == isFresh)
        #expect(cache.staleEntry(for: DiskFixture.key(1)) != nil)
    }

    @Test(
        "HB-02 no copy in memory is fresh after its disk copy",
        arguments: [
            (Expiration.seconds(300), ExpirationExtension.none), (.never, .none), (.seconds(40), .cacheTime),
            (.seconds(40), .expirationTime(.never)), (.days(7), .cacheTime),
        ])
    func memoryEndsWithTheDisk(expiration: Expiration, extension: ExpirationExtension) {
        let cache = cache()
        cache.insert(entry(1, diskLifetime: 100), expiration: expiration, extension: `extension`)
        for _ in 0..<33 {
            #expect(cache.entry(for: DiskFixture.key(1)) != nil)
            clock.advance(by: .seconds(3))
        }
        clock.advance(by: .seconds(1))
        #expect(cache.entry(for: DiskFixture.key(1)) == nil)
        #expect(cache.statistics.expiredLookups == 1)
    }

    @Test(
        "T-07 no step of the wall clock makes an entry immortal, a step forward ends it",
        arguments: [
            -1_000_000.0, 0, 1_000_000,
        ])
    func clockSteps(step: Double) {
        let cache = cache { $0.expiration = .never }
        cache.insert(entry(1, diskLifetime: 100))
        wallStep.update { $0 = step }
        #expect((cache.entry(for: DiskFixture.key(1)) != nil) == (step <= 0))
        clock.advance(by: .seconds(100))
        #expect(cache.entry(for: DiskFixture.key(1)) == nil)
    }

    @Test("HB-06 a lifetime of zero keeps nothing, and drops what was there")
    func zeroLifetime() {
        let cache = cache()
        cache.insert(entry(1))
        #expect(!cache.insert(entry(1), expiration: .expired))
        #expect(!cache.insert(entry(2), expiration: .seconds(0)))
        #expect(cache.statistics.count == 0)
        #expect(cache.statistics.refusals == 2)
    }

    @Test func whatHasExpiredOnDiskIsKeptForStaleUseOnly() {
        let cache = cache()
        #expect(cache.insert(entry(1, diskLifetime: 0)))
        #expect(cache.entry(for: DiskFixture.key(1)) == nil)
        #expect(cache.staleEntry(for: DiskFixture.key(1)) != nil)
        #expect(cache.sweep(now: clock.wallNow).count == 1)
        #expect(cache.staleEntry(for: DiskFixture.key(1)) == nil)
    }

    @Test func anEntryAboveATenthOfTheLimitIsRefused() {
        let cache = cache { $0.limitBytes = 100_000 }
        #expect(cache.insert(entry(1, count: 10_000 - MemoryCache.entryOverheadBytes)))
        #expect(!cache.insert(entry(1, count: 10_001 - MemoryCache.entryOverheadBytes)))
        // The old bytes are not the photo any more.
        #expect(cache.staleEntry(for: DiskFixture.key(1)) == nil)
    }

    @Test(arguments: [1, 16])
    func limitsHoldAndTheNewestIsThere(shards: Int) {
        let cache = cache {
            $0.limitBytes = 100_000
            $0.countLimit = 40
            $0.shardCount = shards
        }
        for number in 0..<2_000 {
            #expect(cache.insert(entry(number, count: number % 7_000)))
            #expect(cache.entry(for: DiskFixture.key(number)) != nil)
            #expect(cache.statistics.bytes <= 100_000)
            #expect(cache.statistics.count <= 40)
        }
        let statistics = cache.statistics
        #expect(statistics.insertions == 2_000)
        #expect(statistics.insertions - statistics.evictions == statistics.count)
    }

    @Test func whatIsAskedForSurvivesAPrefetchOfTheWholeSchool() {
        let cache = cache { $0.countLimit = 100 }
        for number in 0..<30 { cache.insert(entry("class-\(number)")) }
        for round in 0..<20 {
            for number in 0..<30 { #expect(cache.entry(for: DiskFixture.key("class-\(number)")) != nil) }
            for number in 0..<50 { cache.insert(entry("school-\(round)-\(number)")) }
        }
    }

    @Test func replacingCountsOnceAndFreesTheOld() {
        let cache = cache()
        cache.insert(entry(1, count: 1_000))
        cache.insert(entry(1, count: 10))
        let statistics = cache.statistics
        #expect(statistics.count == 1 && statistics.replacements == 1 && statistics.insertions == 2)
        #expect(statistics.bytes == 10 + MemoryCache.entryOverheadBytes)
    }

    @Test func aPurgeRemovesWhatItsSelectorPicks() {
        let cache = cache { $0.shardCount = 8 }
        for number in 0..<100 { cache.insert(entry(number, count: 50, tags: ["class:\(number % 4)"])) }
        let selector = PurgeSelector.tags(["class:1", "class:2"])
        let now = clock.wallNow
        let removed = cache.purge { selector.matches($0, now: now) }
        #expect(removed.count == 50 && removed.bytes == 2_500)
        #expect(cache.entry(for: DiskFixture.key(0)) != nil && cache.entry(for: DiskFixture.key(1)) == nil)
        cache.removeAll()
        #expect(cache.statistics.count == 0 && cache.statistics.bytes == 0)
    }

    @Test("HB-79 sixteen threads at once leave counters that equal what is held")
    func manyThreads() {
        let cache = cache {
            $0.limitBytes = 200_000
            $0.shardCount = 4
        }
        let entries = (0..<300).map { entry($0, count: $0) }
        DispatchQueue.concurrentPerform(iterations: 16) { thread in
            var generator = SeededGenerator(seed: UInt64(thread))
            for _ in 0..<3_000 {
                let entry = entries[Int.random(in: 0..<entries.count, using: &generator)]
                switch Int.random(in: 0..<10, using: &generator) {
                case 0...3: cache.insert(entry)
                case 4: cache.remove(entry.key)
                case 5 where Int.random(in: 0..<100, using: &generator) == 0: cache.sweep(now: .distantFuture)
                default:
                    if let found = cache.entry(for: entry.key) { #expect(found === entry) }
                }
            }
        }
        let held = entries.filter { cache.staleEntry(for: $0.key) != nil }
        let statistics = cache.statistics
        #expect(statistics.count == held.count)
        #expect(statistics.bytes == held.reduce(0) { $0 + $1.bytes.count + MemoryCache.entryOverheadBytes })
        #expect(statistics.bytes <= 200_000)
        let gone =
            statistics.replacements + statistics.evictions + statistics.expirations + statistics.removals
        #expect(statistics.insertions - gone == statistics.count)
    }

    @Test func theTableHoldsAgainstADictionary() {
        let cache = cache()
        var model: [Int: CacheEntry] = [:]
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<20_000 {
            let number = Int.random(in: 0..<500, using: &generator)
            if Bool.random(using: &generator) {
                let entry = entry(number, count: 1)
                cache.insert(entry)
                model[number] = entry
            } else {
                cache.remove(DiskFixture.key(number))
                model[number] = nil
            }
        }
        for number in 0..<500 { #expect(cache.staleEntry(for: DiskFixture.key(number)) === model[number]) }
        #expect(cache.statistics.count == model.count)
    }

    @Test func anAttachmentGoesWithItsEntry() {
        final class Attachment: Sendable {}
        let entry = entry(1)
        #expect(entry.attachment == nil)
        weak var seen: Attachment?
        do {
            let attachment = Attachment()
            seen = attachment
            entry.attachment = attachment
        }
        #expect(seen != nil && entry.attachment === seen)
        entry.attachment = nil
        #expect(seen == nil)
    }
}
