import Foundation
import HalcyonTestSupport
import Testing

@testable import HalcyonStore

@Suite(.timeLimit(.minutes(1)))
struct DiskCacheRoomTests {
    @Test(
        "D-07 O-01 O-08 HB-09 HB-10 HB-16 ten times the limit is offered, and the files never exceed it by more than one object",
        arguments: [StoreDurability.written, .committed])
    func limitHoldsAtEveryMoment(durability: StoreDurability) async throws {
        let limit = 200_000
        let fixture = try await DiskFixture.open { $0.limitBytes = limit }
        let objectBytes = 10_000
        for number in 0..<(10 * limit / objectBytes) {
            let key = DiskFixture.key(number)
            #expect(
                await fixture.store(DiskFixture.body(number, count: objectBytes), key, durability: durability)
                    == .stored)
            #expect(try fixture.files().values.reduce(0, +) <= limit + objectBytes + 512)
            // HB-16: what has just been stored is there.
            #expect(await fixture.cache.entry(for: key) != nil)
        }
        await fixture.cache.finishMaintenance()
        let statistics = await fixture.cache.statistics()
        #expect(statistics.bytes <= limit)
        #expect(statistics.counters.evictions + statistics.count == 10 * limit / objectBytes)
        #expect(try fixture.files().values.reduce(0, +) == statistics.bytes)
    }

    @Test("HB-12 what was read stays, what was not goes")
    func readsCountForTheOrder() async throws {
        let fixture = try await DiskFixture.open()
        for name in ["A", "B", "C"] {
            await fixture.store(DiskFixture.body(name.count), DiskFixture.key(name))
            fixture.clock.advance(by: .seconds(1))
        }
        #expect(await fixture.cache.entry(for: DiskFixture.key("A")) != nil)
        let size = await fixture.cache.statistics().bytes / 3
        let report = try await fixture.cache.purge(.toSize(size * 2), isDryRun: false)
        #expect(report.count == 1)
        #expect(await fixture.cache.entry(for: DiskFixture.key("A")) != nil)
        #expect(await fixture.cache.entry(for: DiskFixture.key("B")) == nil)
        #expect(await fixture.cache.entry(for: DiskFixture.key("C")) != nil)
    }

    @Test func aTrimGoesDownToTheLowWaterMark() async throws {
        let fixture = try await DiskFixture.open {
            $0.limitBytes = 100_000
            $0.lowWater = 0.5
        }
        for number in 0..<60 { await fixture.store(DiskFixture.body(number, count: 2_000), DiskFixture.key(number)) }
        await fixture.cache.finishMaintenance()
        let bytes = await fixture.cache.statistics().bytes
        #expect(bytes <= 100_000)
        #expect(await fixture.cache.statistics().counters.evictions >= 20)
    }

    @Test func whatIsLargerThanTheCacheMayBeIsRefused() async throws {
        let fixture = try await DiskFixture.open { $0.limitBytes = 10_000 }
        await fixture.store(DiskFixture.body(1), DiskFixture.key(1))
        #expect(await fixture.store(DiskFixture.body(2, count: 20_000), DiskFixture.key(2)) == .tooLarge)
        #expect(await fixture.cache.entry(for: DiskFixture.key(1)) != nil)
        #expect(try fixture.files().count == 1)
    }

    @Test func aSweepBringsACacheUnderALoweredLimit() async throws {
        let fixture = try await DiskFixture.open()
        for number in 0..<600 {
            await fixture.store(DiskFixture.body(number), DiskFixture.key(number), durability: .written)
        }
        await fixture.cache.close()
        let smaller = try DiskFixture(folder: fixture.folder, clock: fixture.clock) { $0.limitBytes = 100_000 }
        await smaller.cache.open()
        let report = await smaller.cache.sweep()
        #expect(report.count > 500)
        #expect(await smaller.cache.statistics().bytes <= 80_000)
        #expect(try smaller.files().values.reduce(0, +) <= 80_000)
    }

    @Test("HB-11 the defaults are finite")
    func defaultsAreFinite() {
        #expect(DiskCacheConfiguration().limitBytes == 2 << 30)
        #expect(MemoryCacheConfiguration().limitBytes == 256 << 20)
    }
}
