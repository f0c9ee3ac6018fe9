import Foundation
import HalcyonTestSupport
import Testing

@testable import HalcyonStore

/// Two caches on one folder share nothing but the files, as two processes do.
@Suite(.timeLimit(.minutes(1)))
struct DiskCacheSharingTests {
    @Test("HB-31 what one process stores the other finds, what it purges the other learns of")
    func twoProcesses() async throws {
        let server = try await DiskFixture.open()
        let prefetch = try await server.another()
        await prefetch.store(DiskFixture.body(1), DiskFixture.key(1))
        #expect(await server.bytes(DiskFixture.key(1)) == DiskFixture.body(1))
        await server.store(DiskFixture.body(2), DiskFixture.key(1))
        #expect(await prefetch.bytes(DiskFixture.key(1)) == DiskFixture.body(2))

        #expect(await server.cache.externalPurges() == [])
        let generation = server.cache.generation
        _ = try await prefetch.cache.purge(.tags(["student:1"]), isDryRun: false)
        _ = try await prefetch.cache.purge(.url(DiskFixture.key(1).url), isDryRun: false)
        #expect(await server.bytes(DiskFixture.key(1)) == nil)
        let url = DiskFixture.key(1).url
        #expect(await server.cache.externalPurges() == [.tags(["student:1"]), .url(url)])
        #expect(await server.cache.externalPurges() == [])
        #expect(server.cache.generation > generation)
        // A process knows its own; of the others it also learns which photo they have replaced.
        #expect(await prefetch.cache.externalPurges() == [.key(DiskFixture.key(1))])
        #expect(await prefetch.cache.externalPurges() == [])
    }

    @Test func aPurgeThatANewcomerMissedWasBeforeItsTime() async throws {
        let first = try await DiskFixture.open()
        _ = try await first.cache.purge(.all, isDryRun: false)
        let second = try await first.another()
        #expect(await second.cache.externalPurges() == [])
    }

    @Test func whoFellBehindIsToldToDropEverything() async throws {
        let server = try await DiskFixture.open()
        let other = try await server.another()
        for number in 0...PurgeLog.keptPurges {
            _ = try await other.cache.purge(.url("https://photos.example/\(number)"), isDryRun: false)
        }
        #expect(await server.cache.externalPurges() == nil)
        #expect(await server.cache.externalPurges() == [])
    }

    @Test func storesOfBothProcessesAtOnceAreAllKept() async throws {
        let first = try await DiskFixture.open()
        let second = try await first.another()
        await withTaskGroup(of: Void.self) { group in
            for (fixture, base) in [(first, 0), (second, 1_000)] {
                for lane in 0..<4 {
                    group.addTask {
                        for step in 0..<50 {
                            let number = base + lane * 50 + step
                            #expect(await fixture.store(DiskFixture.body(number), DiskFixture.key(number)) == .stored)
                        }
                    }
                }
            }
        }
        for base in [0, 1_000] {
            for number in base..<(base + 200) {
                #expect(await first.bytes(DiskFixture.key(number)) == DiskFixture.body(number))
            }
        }
        #expect(await second.cache.statistics().count == 400)
        #expect(await second.cache.statistics().bytes == (try first.files().values.reduce(0, +)))
    }

    @Test func theLimitHoldsForBothTogether() async throws {
        let limit = 100_000
        let first = try await DiskFixture.open { $0.limitBytes = limit }
        let second = try await first.another()
        for number in 0..<200 {
            await (number % 2 == 0 ? first : second).store(
                DiskFixture.body(number, count: 2_000), DiskFixture.key(number))
        }
        await first.cache.finishMaintenance()
        await second.cache.finishMaintenance()
        _ = await first.cache.sweep()
        #expect(try first.files().values.reduce(0, +) <= limit)
        #expect(await first.cache.statistics().bytes == (try first.files().values.reduce(0, +)))
    }

    @Test func anIndexReplacedByOneProcessIsFollowedByTheOther() async throws {
        let first = try await DiskFixture.open()
        let second = try await first.another()
        await first.store(DiskFixture.body(1), DiskFixture.key(1))
        try await first.cache.rebuildIndex()
        await second.store(DiskFixture.body(2), DiskFixture.key(2))
        #expect(await first.bytes(DiskFixture.key(2)) == DiskFixture.body(2))
        #expect(await second.bytes(DiskFixture.key(1)) == DiskFixture.body(1))
        // Purges may have been lost with the old log.
        #expect(await second.cache.externalPurges() == nil)
        _ = try await first.cache.purge(.all, isDryRun: false)
        #expect(await second.cache.externalPurges() == [.all])
    }
}
