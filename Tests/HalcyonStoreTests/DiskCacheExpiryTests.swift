import Foundation
import HalcyonTestSupport
import Testing

@testable import HalcyonStore

@Suite(.timeLimit(.minutes(1)))
struct DiskCacheExpiryTests {
    let key = DiskFixture.key(1)
    let body = DiskFixture.body(1)

    @Test("HB-01 without extension an entry is stale at its time, however often it is read")
    func readsDoNotProlong() async throws {
        let fixture = try await DiskFixture.open()
        await fixture.store(body, key, lifetime: 100)
        for _ in 0..<9 {
            fixture.clock.advance(by: .seconds(11))
            #expect(await fixture.cache.entry(for: key)?.isFresh(at: fixture.clock.wallNow) == true)
        }
        fixture.clock.advance(by: .seconds(1))
        #expect(await fixture.cache.entry(for: key)?.isFresh(at: fixture.clock.wallNow) == false)
    }

    @Test("HB-03 with no sweep running, a read after expiry is never fresh")
    func readsCheckTheExpiry() async throws {
        let fixture = try await DiskFixture.open()
        await fixture.store(body, key, lifetime: 10)
        fixture.clock.advance(by: .seconds(10))
        let entry = try #require(await fixture.cache.entry(for: key))
        #expect(!entry.isFresh(at: fixture.clock.wallNow))
    }

    @Test(
        "HB-04 a read a second before the end prolongs if it is asked to",
        arguments: [
            (ExpirationExtension.none, false), (.cacheTime, true), (.expirationTime(.seconds(5)), true),
            (.expirationTime(.never), true),
        ])
    func slidingExpiry(extending: ExpirationExtension, isFreshAfterwards: Bool) async throws {
        let fixture = try await DiskFixture.open()
        await fixture.store(body, key, lifetime: 10)
        fixture.clock.advance(by: .seconds(9))
        let first = try #require(await fixture.cache.entry(for: key, extending: extending))
        fixture.clock.advance(by: .seconds(2))
        #expect(first.isFresh(at: fixture.clock.wallNow) == isFreshAfterwards)
        #expect(await fixture.cache.entry(for: key)?.isFresh(at: fixture.clock.wallNow) == isFreshAfterwards)
        // The extension was batched; a restart finds it too.
        await fixture.cache.close()
        let next = try await fixture.another()
        #expect(await next.cache.entry(for: key)?.isFresh(at: fixture.clock.wallNow) == isFreshAfterwards)
    }

    @Test func whatIsStaleIsNotProlonged() async throws {
        let fixture = try await DiskFixture.open()
        await fixture.store(body, key, lifetime: 10)
        fixture.clock.advance(by: .seconds(11))
        let entry = await fixture.cache.entry(for: key, extending: .cacheTime)
        #expect(entry?.isFresh(at: fixture.clock.wallNow) == false)
    }

    @Test("O-02 after its time and one sweep an entry is gone from disk")
    func sweepRemovesExpired() async throws {
        let fixture = try await DiskFixture.open()
        await fixture.store(body, key, lifetime: 10)
        await fixture.store(body, DiskFixture.key("stale"), lifetime: 10, staleFor: 20)
        await fixture.store(body, DiskFixture.key("never"), lifetime: nil)
        fixture.clock.advance(by: .seconds(11))
        #expect(await fixture.cache.sweep().count == 1)
        #expect(try fixture.files().count == 2)
        #expect(await fixture.cache.entry(for: key) == nil)
        // Kept for stale-if-error, until that is over too.
        #expect(await fixture.cache.entry(for: DiskFixture.key("stale")) != nil)
        fixture.clock.advance(by: .seconds(20))
        #expect(await fixture.cache.sweep().count == 1)
        #expect(try fixture.files().count == 1)
        #expect(await fixture.cache.entry(for: DiskFixture.key("never")) != nil)
    }

    @Test("HB-15 expiry and order of use survive a restart without any file time")
    func timesAreInTheIndex() async throws {
        let fixture = try await DiskFixture.open()
        for number in 1...3 {
            await fixture.store(DiskFixture.body(number), DiskFixture.key(number), lifetime: 100)
            fixture.clock.advance(by: .seconds(1))
        }
        _ = await fixture.cache.entry(for: DiskFixture.key(1))
        await fixture.cache.close()
        for path in try fixture.files().keys {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: path)
        }
        let next = try await fixture.another()
        let size = await next.cache.statistics().bytes / 3
        _ = try await next.cache.purge(.toSize(size * 2), isDryRun: false)
        #expect(await next.bytes(DiskFixture.key(1)) != nil)
        #expect(await next.bytes(DiskFixture.key(2)) == nil)
        next.clock.advance(by: .seconds(97))
        #expect(await next.cache.entry(for: DiskFixture.key(1))?.isFresh(at: next.clock.wallNow) == false)
        #expect(await next.cache.entry(for: DiskFixture.key(3))?.isFresh(at: next.clock.wallNow) == true)
    }

    @Test("T-07 entries from before the clock was put back keep no more than their lifetime")
    func clockPutBack() async throws {
        let fixture = try await DiskFixture.open()
        await fixture.store(body, key, lifetime: 100)
        fixture.clock.advance(by: .seconds(-1_000_000))
        let entry = try #require(await fixture.cache.entry(for: key))
        #expect(entry.age(at: fixture.clock.wallNow) == 0)
        #expect(entry.metadata.expiresAt == fixture.clock.wallNow + 100)
        _ = await fixture.cache.sweep()
        fixture.clock.advance(by: .seconds(101))
        #expect(await fixture.cache.entry(for: key)?.isFresh(at: fixture.clock.wallNow) == false)
    }
}
