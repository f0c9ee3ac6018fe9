import Foundation
import HalcyonCrypto
import HalcyonSQLite
import HalcyonTestSupport
import Testing

@testable import HalcyonStore

@Suite(.timeLimit(.minutes(1)))
struct DiskCacheDamageTests {
    let key = DiskFixture.key(1)
    let body = DiskFixture.body(1, count: 5_000)

    enum Damage: CaseIterable {
        case flippedByte, cut, emptied, lengthened, removed

        func apply(to path: String) throws {
            let url = URL(fileURLWithPath: path)
            var data = try Data(contentsOf: url)
            switch self {
            case .flippedByte: data[2_500] ^= 1
            case .cut: data = data.prefix(2_500)
            case .emptied: data = Data()
            case .lengthened: data.append(0)
            case .removed: return try FileManager.default.removeItem(at: url)
            }
            try data.write(to: url)
        }

        var kind: StoreEvent.DamageKind {
            switch self {
            case .flippedByte: .altered
            case .cut, .emptied, .lengthened: .truncated
            case .removed: .missing
            }
        }
    }

    @Test(
        "I-05 HB-23 a damaged file is a miss, goes, is counted and reported, and the next store is kept",
        arguments: Damage.allCases)
    func damagedFiles(damage: Damage) async throws {
        let fixture = try await DiskFixture.open()
        await fixture.store(body, key)
        await fixture.store(DiskFixture.body(2), DiskFixture.key(2))
        let path = try #require(try fixture.files().first { $0.value > 5_000 }?.key)
        try damage.apply(to: path)
        #expect(await fixture.bytes(key) == nil)
        let statistics = await fixture.cache.statistics()
        #expect(statistics.counters.damagedEntries == 1)
        #expect(statistics.count == 1)
        #expect(try fixture.files().count == 1)
        #expect(fixture.events.value == [.entryDamaged(damage.kind)])
        #expect(await fixture.store(body, key) == .stored)
        #expect(await fixture.bytes(key) == body)
    }

    @Test func verifyFindsEachKindOfDamageAndRepairRemovesIt() async throws {
        let fixture = try await DiskFixture.open()
        let damages: [Damage] = [.flippedByte, .cut, .removed]
        for (number, damage) in damages.enumerated() {
            let before = Set(try fixture.files().keys)
            await fixture.store(DiskFixture.body(number, count: 5_000), DiskFixture.key(number))
            let path = try #require(Set(try fixture.files().keys).subtracting(before).first)
            try damage.apply(to: path)
        }
        await fixture.store(body, DiskFixture.key("sound"))
        let orphan = try orphan(in: fixture)
        let found = try await fixture.cache.verify(repair: false)
        var expected = VerifyReport()
        (expected.checked, expected.altered, expected.truncated, expected.missing, expected.orphans) = (4, 1, 1, 1, 1)
        expected.bytes = found.bytes
        #expect(found == expected)
        #expect(!found.isSound)
        let repaired = try await fixture.cache.verify(repair: true)
        #expect(repaired.isRepaired)
        #expect(!FileManager.default.fileExists(atPath: orphan))
        let after = try await fixture.cache.verify(repair: false)
        #expect(after.isSound)
        #expect(after.checked == 1)
        #expect(await fixture.bytes(DiskFixture.key("sound")) == body)
    }

    @Test func verifySeesAnAlteredTrailer() async throws {
        let fixture = try await DiskFixture.open()
        await fixture.store(body, key)
        let path = try fixture.onlyFile()
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        data[body.count + 10] ^= 1
        try data.write(to: URL(fileURLWithPath: path))
        #expect(try await fixture.cache.verify(repair: false).altered == 1)
    }

    /// An object file without a row, old enough that no writer can be about to commit it.
    private func orphan(in fixture: DiskFixture) throws -> String {
        let name = String(repeating: "ab", count: 32)
        let folder = fixture.configuration.folder + "/ab"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = "\(folder)/\(name).jpg"
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3_600)], ofItemAtPath: path)
        return path
    }

    @Test("HB-22 what a crash left behind is gone after the next start, what was committed is there")
    func crashBetweenFileAndRow() async throws {
        let fixture = try await DiskFixture.open()
        await fixture.store(body, key)
        await fixture.cache.close()
        // A process that ended without closing: its session stays, its torn file has no row.
        let connection = try Connection(path: fixture.cache.indexPath)
        try connection.run("INSERT INTO session VALUES (1, ?)", [.init(Int(Int32.max))])
        let orphan = try orphan(in: fixture)
        let foreign = fixture.configuration.folder + "/ab/notes.txt"
        try Data([1]).write(to: URL(fileURLWithPath: foreign))

        let next = try await fixture.another()
        await next.cache.finishMaintenance()
        #expect(!FileManager.default.fileExists(atPath: orphan))
        // What is not ours is left alone.
        #expect(FileManager.default.fileExists(atPath: foreign))
        #expect(await next.bytes(key) == body)
        #expect(next.events.value == [.orphansRemoved(count: 1, bytes: 3)])
    }

    @Test func aCleanStartWalksNoFolders() async throws {
        let fixture = try await DiskFixture.open()
        await fixture.store(body, key)
        await fixture.cache.close()
        let orphan = try orphan(in: fixture)
        let next = try await fixture.another()
        await next.cache.finishMaintenance()
        #expect(FileManager.default.fileExists(atPath: orphan))
    }

    // MARK: The index

    enum IndexDamage: CaseIterable {
        case overwritten, headerBroken, removed, keyVersion, laterSchema

        func apply(to path: String) throws {
            let url = URL(fileURLWithPath: path)
            switch self {
            case .overwritten:
                try Data(repeating: 0x55, count: 100_000).write(to: url)
            case .headerBroken:
                var data = try Data(contentsOf: url)
                data[0] ^= 0xff
                try data.write(to: url)
            case .removed: try FileManager.default.removeItem(at: url)
            case .keyVersion:
                try Connection(path: path).execute("UPDATE state SET value = 7 WHERE name = 'keyVersion'")
            case .laterSchema: try Connection(path: path).execute("PRAGMA user_version = 99")
            }
        }
    }

    @Test("HB-26 HB-28 a lost index is made again from the files", arguments: IndexDamage.allCases)
    func damagedIndex(damage: IndexDamage) async throws {
        let fixture = try await DiskFixture.open()
        for number in 0..<300 {
            await fixture.store(
                DiskFixture.body(number), DiskFixture.key(number), tags: ["class:1-1"], durability: .written)
        }
        // A second, newer file of a key must win, even if the older one is still there.
        let before = Set(try fixture.files().keys)
        await fixture.store(DiskFixture.body(1_000), DiskFixture.key("twice"))
        let older = try #require(Set(try fixture.files().keys).subtracting(before).first)
        let olderData = try Data(contentsOf: URL(fileURLWithPath: older))
        fixture.clock.advance(by: .seconds(1))
        await fixture.store(DiskFixture.body(1_001), DiskFixture.key("twice"))
        try olderData.write(to: URL(fileURLWithPath: older))
        await fixture.cache.close()
        try damage.apply(to: fixture.cache.indexPath)

        let next = try await fixture.another()
        #expect(next.cache.state == .available)
        // HB-26: stores during the rebuild are kept.
        for number in 300..<400 {
            await next.store(DiskFixture.body(number), DiskFixture.key(number), tags: ["class:1-2"])
        }
        await next.cache.finishMaintenance()
        for number in 0..<400 { #expect(await next.bytes(DiskFixture.key(number)) == DiskFixture.body(number)) }
        #expect(await next.bytes(DiskFixture.key("twice")) == DiskFixture.body(1_001))
        let statistics = await next.cache.statistics()
        #expect(statistics.count == 401)
        #expect(statistics.bytes == (try next.files().values.reduce(0, +)))
        #expect(statistics.classes.map(\.count) == [300, 100])
        if damage != .removed { #expect(next.events.value.first == .indexReplaced) }
        // The old index names photos; it goes when it is not needed any more.
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.configuration.folder)
        #expect(!names.contains { $0.contains("damaged") })
    }

    @Test func anIndexThatIsDamagedWhileOpenIsReplaced() async throws {
        let fixture = try await DiskFixture.open()
        for number in 0..<50 { await fixture.store(DiskFixture.body(number), DiskFixture.key(number)) }
        await fixture.cache.close()
        // Every page but the first: opening works, the first look-up fails.
        var data = try Data(contentsOf: URL(fileURLWithPath: fixture.cache.indexPath))
        let pageSize = 4_096
        for page in 1..<(data.count / pageSize) {
            data.replaceSubrange(page * pageSize..<(page + 1) * pageSize, with: Data(repeating: 0xee, count: pageSize))
        }
        try data.write(to: URL(fileURLWithPath: fixture.cache.indexPath))
        let next = try await fixture.another()
        _ = await next.cache.entry(for: DiskFixture.key(1))
        _ = await next.cache.sweep()
        await next.cache.finishMaintenance()
        #expect(next.events.value.contains(.indexReplaced))
        for number in 0..<50 { #expect(await next.bytes(DiskFixture.key(number)) == DiskFixture.body(number)) }
    }

    @Test("K-09 files of another format or key version are dropped, not misread")
    func otherFormats() async throws {
        let fixture = try await DiskFixture.open()
        await fixture.store(body, key)
        await fixture.store(body, DiskFixture.key(2))
        await fixture.cache.close()
        let path = try #require(try fixture.files().keys.first)
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        // The format version is the first number of the footer.
        data[data.count - ObjectTrailer.footerBytes + 3] = 9
        try data.write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: path)
        try FileManager.default.removeItem(atPath: fixture.cache.indexPath)
        let next = try await fixture.another()
        await next.cache.finishMaintenance()
        #expect(await next.cache.statistics().count == 1)
        #expect(try next.files().count == 1)
        #expect(next.events.value == [.indexRebuilt(entries: 1, dropped: 1)])
    }

    @Test func rebuildingOnRequestKeepsEveryEntry() async throws {
        let fixture = try await DiskFixture.open()
        for number in 0..<20 {
            await fixture.store(DiskFixture.body(number), DiskFixture.key(number), durability: .written)
        }
        try await fixture.cache.rebuildIndex()
        for number in 0..<20 { #expect(await fixture.bytes(DiskFixture.key(number)) == DiskFixture.body(number)) }
        #expect(await fixture.cache.statistics().count == 20)
    }
}
