import Foundation
import HalcyonTestSupport
import Testing

@testable import HalcyonStore

@Suite(.timeLimit(.minutes(1)))
struct DiskCachePurgeTests {
    /// Six entries: two hosts, two classes, an original with its variant, an explicit key, one expired, one old.
    private func filled() async throws -> DiskFixture {
        let fixture = try await DiskFixture.open()
        await fixture.store(DiskFixture.body(0), DiskFixture.key("old"), lifetime: nil, tags: ["class:1-1"])
        fixture.clock.advance(by: .seconds(1_000))
        await fixture.store(DiskFixture.body(1), DiskFixture.key("a"), tags: ["class:1-1", "student:1"])
        await fixture.store(
            DiskFixture.body(2), DiskFixture.key("a", variant: "w=1"), tags: ["class:1-1", "student:1"])
        await fixture.store(DiskFixture.body(3), DiskFixture.key("b"), tags: ["class:1-2", "student:2"])
        await fixture.store(DiskFixture.body(4), .explicit("https://photos.example/a.jpg"), host: "other.example")
        await fixture.store(DiskFixture.body(5), DiskFixture.key("c"), lifetime: 5, tags: ["class:1-2", "student:3"])
        fixture.clock.advance(by: .seconds(10))
        return fixture
    }

    @Test(
        "HB-33 HB-41 each selector removes what it names, and a dry run says the same and changes nothing",
        arguments: [
            (PurgeSelector.expired, 1), (.all, 6), (.url("https://photos.example/a.jpg"), 2),
            (.host("other.example"), 1), (.tags(["class:1-1"]), 3), (.tags(["student:1", "student:2"]), 3),
            (.tags(["class:9-9"]), 0), (.tags([]), 0), (.olderThan(500), 1), (.key(DiskFixture.key("a")), 1),
            (.key(.explicit("https://photos.example/a.jpg")), 1), (.toSize(0), 6), (.toSize(.max), 0),
        ] as [(PurgeSelector, Int)])
    func selectors(selector: PurgeSelector, expected: Int) async throws {
        let fixture = try await filled()
        let before = (try fixture.files(), fixture.cache.generation)
        let dry = try await fixture.cache.purge(selector, isDryRun: true)
        #expect(dry.count == expected)
        #expect(dry.sample.count == expected)
        #expect(try fixture.files() == before.0)
        #expect(fixture.cache.generation == before.1)
        let report = try await fixture.cache.purge(selector, isDryRun: false)
        #expect(report.count == expected)
        #expect(report.bytes == dry.bytes)
        #expect(Set(report.sample) == Set(dry.sample))
        let files = try fixture.files()
        #expect(files.count == 6 - expected)
        #expect(before.0.values.reduce(0, +) - files.values.reduce(0, +) == report.bytes)
        let statistics = await fixture.cache.statistics()
        #expect(statistics.count == 6 - expected)
        #expect(statistics.bytes == files.values.reduce(0, +))
        #expect(try await fixture.cache.purge(selector, isDryRun: false).count == 0)
    }

    @Test func aPurgeOfManyTakesSeveralSteps() async throws {
        let fixture = try await DiskFixture.open()
        for number in 0..<2_500 {
            await fixture.store(DiskFixture.body(number, count: 10), DiskFixture.key(number), durability: .written)
        }
        #expect(try await fixture.cache.purge(.host("photos.example"), isDryRun: false).count == 2_500)
        #expect(try fixture.files().isEmpty)
    }

    @Test(
        "O-12 a store whose fetch began before a purge of it is not kept",
        arguments: [StoreDurability.written, .committed])
    func storesFromBeforeAPurge(durability: StoreDurability) async throws {
        let fixture = try await DiskFixture.open()
        let generation = fixture.cache.generation
        _ = try await fixture.cache.purge(.tags(["student:1"]), isDryRun: false)
        let body = DiskFixture.body(1)
        let outcome = await fixture.store(
            body, DiskFixture.key(1), tags: ["student:1"], generation: generation, durability: durability)
        #expect(outcome == .superseded)
        #expect(try fixture.files().isEmpty)
        // What the purge does not cover is kept, and so is what is fetched anew.
        let other = await fixture.store(body, DiskFixture.key(2), tags: ["student:2"], generation: generation)
        #expect(other == .stored)
        #expect(await fixture.store(body, DiskFixture.key(1), tags: ["student:1"]) == .stored)
    }

    @Test("O-12 a purge by another process supersedes too, in the moment of the commit")
    func storesFromBeforeAnotherProcessesPurge() async throws {
        let fixture = try await DiskFixture.open()
        let other = try await fixture.another()
        let generation = fixture.cache.generation
        _ = try await other.cache.purge(.url(DiskFixture.key(1).url), isDryRun: false)
        #expect(await fixture.store(DiskFixture.body(1), DiskFixture.key(1), generation: generation) == .superseded)
        #expect(await fixture.cache.entry(for: DiskFixture.key(1)) == nil)
        #expect(try fixture.files().isEmpty)
        #expect(await fixture.store(DiskFixture.body(2), DiskFixture.key(2), generation: generation) == .stored)
    }

    @Test func aRefreshFromBeforeAPurgeBringsNothingBack() async throws {
        let fixture = try await DiskFixture.open()
        await fixture.store(DiskFixture.body(1), DiskFixture.key(1))
        let generation = fixture.cache.generation
        _ = try await fixture.cache.purge(.all, isDryRun: false)
        await fixture.store(DiskFixture.body(2), DiskFixture.key(1), lifetime: 5)
        let stale = fixture.metadata(of: DiskFixture.body(1), lifetime: 5_000)
        await fixture.cache.refresh(stale, for: DiskFixture.key(1), generation: generation, durability: .committed)
        #expect(await fixture.cache.entry(for: DiskFixture.key(1))?.metadata.lifetime == 5)
    }

    @Test func whatWasReadBeforeAPurgeIsNotAdmittedAfterIt() async throws {
        let fixture = try await DiskFixture.open()
        await fixture.store(DiskFixture.body(1), DiskFixture.key(1), tags: ["class:1-1"])
        let generation = fixture.cache.generation
        let entry = try #require(await fixture.cache.entry(for: DiskFixture.key(1)))
        #expect(fixture.cache.admits(entry.key, entry.metadata, since: generation))
        _ = try await fixture.cache.purge(.tags(["class:1-1"]), isDryRun: false)
        #expect(!fixture.cache.admits(entry.key, entry.metadata, since: generation))
        #expect(fixture.cache.admits(entry.key, entry.metadata, since: fixture.cache.generation))
    }

    @Test("HB-92 F-06 failures survive a restart, end in time, and a purge or a store forgets them")
    func failures() async throws {
        let fixture = try await DiskFixture.open()
        let record = FailureRecord(
            kind: .missing, reason: "missing", count: 2, until: fixture.clock.wallNow + 60, host: "photos.example",
            tags: ["student:1"])
        let keys = (0..<5).map { DiskFixture.key($0) }
        for key in keys { await fixture.cache.recordFailure(record, for: key) }
        await fixture.cache.close()
        let next = try await fixture.another()
        #expect(await next.cache.failure(for: keys[0]) == record)
        #expect(await next.cache.failure(for: DiskFixture.key("x")) == nil)

        await next.cache.clearFailure(for: keys[0])
        #expect(await next.cache.failure(for: keys[0]) == nil)
        await next.store(DiskFixture.body(1), keys[1])
        #expect(await next.cache.failure(for: keys[1]) == nil)
        _ = try await next.cache.purge(.url(keys[2].url), isDryRun: false)
        #expect(await next.cache.failure(for: keys[2]) == nil)
        #expect(await next.cache.failure(for: keys[3]) == record)
        _ = try await next.cache.purge(.tags(["student:1"]), isDryRun: false)
        #expect(await next.cache.failure(for: keys[3]) == nil)

        await next.cache.recordFailure(record, for: keys[4])
        next.clock.advance(by: .seconds(60))
        #expect(await next.cache.failure(for: keys[4]) == nil)
        #expect(await next.cache.statistics().failures == 1)
        _ = await next.cache.sweep()
        #expect(await next.cache.statistics().failures == 0)
    }

    @Test func rememberedFailuresAreBounded() async throws {
        let fixture = try await DiskFixture.open { $0.maximumFailures = 10 }
        for number in 0..<30 {
            let record = FailureRecord(
                kind: .unavailable, reason: "timeout", until: fixture.clock.wallNow + Double(100 + number))
            await fixture.cache.recordFailure(record, for: DiskFixture.key(number))
        }
        #expect(await fixture.cache.statistics().failures == 10)
        #expect(await fixture.cache.failure(for: DiskFixture.key(29)) != nil)
        #expect(await fixture.cache.failure(for: DiskFixture.key(0)) == nil)
    }

    @Test("HB-27 purges, sweeps and eight writers at once leave everything in order")
    func everythingAtOnce() async throws {
        let fixture = try await DiskFixture.open { $0.limitBytes = 200_000 }
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for step in 0..<150 {
                        let key = DiskFixture.key((writer * 150 + step) % 400)
                        await fixture.store(DiskFixture.body(step), key, lifetime: step % 2 == 0 ? 0 : 100)
                        _ = await fixture.cache.entry(for: key)
                    }
                }
            }
            group.addTask { for _ in 0..<20 { _ = await fixture.cache.sweep() } }
            group.addTask {
                for number in 0..<20 {
                    await #expect(throws: Never.self) {
                        _ = try await fixture.cache.purge(.url(DiskFixture.key(number).url), isDryRun: false)
                        _ = try await fixture.cache.purge(.expired, isDryRun: false)
                    }
                }
            }
        }
        await fixture.cache.finishMaintenance()
        let report = try await fixture.cache.verify(repair: false)
        #expect(report.isSound)
        #expect(report.bytes == (try fixture.files().values.reduce(0, +)))
        #expect(await fixture.cache.statistics().counters.damagedEntries == 0)
    }
}
