import Foundation
import HalcyonTestSupport
import Testing

@testable import Halcyon

@Suite(.timeLimit(.minutes(1)))
struct RevalidationTests {
    private let old = SampleImage.png(seed: 1)
    private let new = SampleImage.png(seed: 2)

    /// An origin whose photo can be changed, and that answers conditions on its entity tag.
    private func serve(_ harness: PipelineHarness, _ photo: Watched<[UInt8]>, fields: [(String, String)] = []) {
        harness.origin.on("/a") { exchange in
            let body = photo.value
            let tag = "\"\(body.reduce(UInt64(17)) { $0 &* 31 &+ UInt64($1) })\""
            if exchange.request["If-None-Match"] == tag {
                exchange.respond(304, fields: [("ETag", tag)] + fields)
            } else {
                exchange.respond(fields: [("ETag", tag)] + fields, body: body)
            }
        }
    }

    @Test("HB-01 HB-03 with extension off, a photo is stale at its time to live however often it was read")
    func readsDoNotProlong() async throws {
        let harness = try await PipelineHarness { $0.disk.expiration = .seconds(100) }
        serve(harness, Watched(old))
        _ = try await harness.load("/a")
        for _ in 0..<9 {
            harness.clock.advance(by: 10)
            await harness.forgetMemory()
            #expect(try await harness.load("/a").source == .disk)
        }
        // A hair more: a date on disk is a floating-point number of another epoch.
        harness.clock.advance(by: 10.001)
        await harness.forgetMemory()
        #expect(try await harness.load("/a").source == .revalidated)
    }

    @Test("HB-04 with the sliding extension, a read in time prolongs the photo's life")
    func readsProlongWhenAsked() async throws {
        let harness = try await PipelineHarness {
            $0.disk.expiration = .seconds(100)
            $0.disk.accessExtension = .cacheTime
        }
        serve(harness, Watched(old))
        _ = try await harness.load("/a")
        harness.clock.advance(by: 99)
        await harness.forgetMemory()
        #expect(try await harness.load("/a").source == .disk)
        harness.clock.advance(by: 2)
        await harness.forgetMemory()
        #expect(try await harness.load("/a").source == .disk)
    }

    @Test("HB-02 memory never answers fresh after the disk copy expired")
    func memoryDoesNotOutliveTheDisk() async throws {
        let harness = try await PipelineHarness {
            $0.disk.expiration = .seconds(10)
            $0.memory.expiration = .days(1)
        }
        serve(harness, Watched(old))
        _ = try await harness.load("/a")
        harness.clock.advance(by: 9)
        #expect(try await harness.load("/a").source == .memory)
        harness.clock.advance(by: 1.001)
        #expect(try await harness.load("/a").source == .revalidated)
    }

    @Test("HB-47 the validators are sent; a match costs no body and starts freshness anew")
    func unchangedPhotoIsRevalidated() async throws {
        let harness = try await PipelineHarness { $0.disk.expiration = .seconds(10) }
        serve(harness, Watched(old), fields: [("Last-Modified", "Tue, 15 Nov 1994 12:45:26 GMT")])
        _ = try await harness.load("/a")
        harness.clock.advance(by: 11)
        let again = try await harness.load("/a")
        #expect(again.source == .revalidated)
        #expect(again.data == old)
        #expect(harness.origin.requests().last?["If-Modified-Since"] == "Tue, 15 Nov 1994 12:45:26 GMT")
        harness.clock.advance(by: 9)
        await harness.forgetMemory()
        #expect(try await harness.load("/a").source == .disk, "the 304 reached the disk as well")
    }

    @Test("HB-47 a changed photo replaces both layers")
    func changedPhotoReplacesBothLayers() async throws {
        let harness = try await PipelineHarness { $0.disk.expiration = .seconds(10) }
        let photo = Watched(old)
        serve(harness, photo)
        _ = try await harness.load("/a")
        let new = new
        photo.update { $0 = new }
        harness.clock.advance(by: 11)
        #expect(try await harness.load("/a").data == new)
        #expect(try await harness.load("/a").data == new)
        await harness.forgetMemory()
        let fromDisk = try await harness.load("/a")
        #expect(fromDisk.source == .disk && fromDisk.data == new)
    }

    @Test("HB-53 refresh passes by both layers, replaces both on change and keeps both on 304 or failure")
    func refresh() async throws {
        let harness = try await PipelineHarness()
        let photo = Watched(old)
        serve(harness, photo)
        _ = try await harness.load("/a")
        #expect(try await harness.load("/a", .init(cachePolicy: .refresh)).source == .revalidated)
        let new = new
        photo.update { $0 = new }
        #expect(try await harness.load("/a", .init(cachePolicy: .refresh)).data == new)
        #expect(try await harness.load("/a").data == new)
        harness.origin.on("/a") { $0.respond(500) }
        #expect(await harness.failure("/a", .init(cachePolicy: .refresh))?.reason == .originStatus)
        #expect(try await harness.load("/a").data == new)
        await harness.forgetMemory()
        #expect(try await harness.load("/a").data == new)
    }

    @Test("HB-52 with `origin`, max-age bounds the lifetime and no-store keeps nothing")
    func originPolicy() async throws {
        let harness = try await PipelineHarness { $0.disk.expiration = .origin }
        let old = old
        harness.origin.on("/short") { $0.respond(fields: [("Cache-Control", "max-age=30")], body: old) }
        harness.origin.on("/aged") { $0.respond(fields: [("Cache-Control", "max-age=30"), ("Age", "20")], body: old) }
        harness.origin.on("/never") { $0.respond(fields: [("Cache-Control", "no-store")], body: old) }
        for path in ["/short", "/aged", "/never"] { _ = try await harness.load(path) }
        #expect(try await harness.load("/never").source == .origin)
        harness.clock.advance(by: 11)
        await harness.forgetMemory()
        #expect(try await harness.load("/short").source == .disk)
        #expect(try await harness.load("/aged").source == .origin, "RFC 9111 §4.2.3: age counts from the origin")
        harness.clock.advance(by: 20)
        await harness.forgetMemory()
        #expect(try await harness.load("/short").source == .origin)
    }

    @Test(
        "with `origin` photos are kept and shown by the rules of a shared cache",
        arguments: [
            // (field, kept, after 40 s and with the origin out of order)
            ("Cache-Control", "max-age=30, private", false, nil), ("Cache-Control", "max-age=30", true, .stale),
            ("Cache-Control", "max-age=30, private=\"X\"", true, .stale),
            ("Cache-Control", "max-age=30, must-understand, no-store", true, nil),
            ("CDN-Cache-Control", "no-store", false, nil), ("CDN-Cache-Control", "max-age=60", true, .disk),
            ("CDN-Cache-Control", "max-age=30, must-revalidate", true, nil),
            ("Vary", "*", false, nil), ("Cache-Control", "s-maxage=30", true, nil),
            ("Cache-Control", "max-age=30, stale-if-error=5", true, nil),
            ("Cache-Control", "max-age=30, stale-if-error=20", true, .stale),
        ] as [(String, String, Bool, SharedOutcome?)])
    func sharedRules(name: String, value: String, isKept: Bool, later: SharedOutcome?) async throws {
        let harness = try await PipelineHarness { $0.disk.expiration = .origin }
        let old = old
        harness.origin.on("/a") { $0.respond(fields: [(name, value)], body: old) }
        _ = try await harness.load("/a")
        await harness.forgetMemory()
        #expect(try await harness.load("/a").source == (isKept ? .disk : .origin))
        harness.clock.advance(by: 40)
        await harness.forgetMemory()
        harness.origin.on("/a") { $0.respond(500) }
        guard let later else {
            await #expect(throws: ImagePipeline.Error.self) { try await harness.load("/a") }
            return
        }
        let source = try await harness.load("/a").source
        #expect(later == .disk ? source == .disk : Self.isStale(source))
    }

    enum SharedOutcome { case disk, stale }

    private static func isStale(_ source: ImageResponse.Source) -> Bool {
        if case .stale = source { true } else { false }
    }

    @Test("K-03 of an origin's header nothing is kept but what the rules of a cache read", arguments: [true, false])
    func keptFields(isOrigins: Bool) async throws {
        let harness = try await PipelineHarness { if isOrigins { $0.disk.expiration = .origin } }
        let old = old
        harness.origin.on("/a") {
            $0.respond(
                fields: [
                    ("Set-Cookie", "session=cookie-of-one"), ("X-Own", "own-of-one"), ("Server", "server-of-one"),
                    ("ETag", "\"1\""), ("Cache-Control", "max-age=30"),
                    ("Content-Disposition", "attachment; filename=of-one"),
                ], body: old)
        }
        _ = try await harness.load("/a")
        await harness.forgetMemory()
        #expect(try await harness.load("/a").source == .disk)
        await harness.pipeline.shutDown()
        let files = try #require(FileManager.default.enumerator(atPath: harness.folder.path))
        var count = 0
        for case let name as String in files {
            guard let bytes = FileManager.default.contents(atPath: harness.folder.path + "/" + name) else { continue }
            #expect(bytes.firstRange(of: Data("of-one".utf8)) == nil, "\(name)")
            count += bytes.firstRange(of: Data(old)) == nil ? 0 : 1
        }
        #expect(count == 1)
    }

    @Test("RFC 5861 §3: with `origin`, the origin's stale-while-revalidate counts")
    func originsStaleWhileRevalidate() async throws {
        let harness = try await PipelineHarness { $0.disk.expiration = .origin }
        let old = old
        let hold = Gate()
        harness.origin.on("/a") {
            $0.respond(fields: [("Cache-Control", "max-age=30, stale-while-revalidate=60")], body: old)
        }
        _ = try await harness.load("/a")
        harness.clock.advance(by: 40)
        harness.origin.on("/a") {
            hold.waitBlocking()
            $0.respond(fields: [("Cache-Control", "max-age=30")], body: old)
        }
        #expect(Self.isStale(try await harness.load("/a").source))
        hold.open()
    }

    @Test("RFC 9111 §3.2 a 304 that says nothing of freshness leaves what the stored answer said")
    func silent304KeepsTheLifetime() async throws {
        let harness = try await PipelineHarness { $0.disk.expiration = .origin }
        let old = old
        harness.origin.on("/a") { exchange in
            if exchange.request["If-None-Match"] == nil {
                exchange.respond(fields: [("ETag", "\"1\""), ("Cache-Control", "max-age=30")], body: old)
            } else {
                exchange.respond(304)
            }
        }
        _ = try await harness.load("/a")
        for _ in 0..<3 {
            harness.clock.advance(by: 31)
            #expect(try await harness.load("/a").source == .revalidated)
        }
    }

    @Test("RFC 9111 §4.2.3 the age that an answer reports includes what the origin reported")
    func ageGrowsFromTheOrigins() async throws {
        let harness = try await PipelineHarness()
        let old = old
        harness.origin.on("/a") { $0.respond(fields: [("Age", "100")], body: old) }
        _ = try await harness.load("/a")
        harness.clock.advance(by: 50)
        let age = try await harness.load("/a").age
        #expect(age >= 150 && age < 152)
    }

    @Test("H-11 lifetimes are spread, and never longer than configured")
    func lifetimesAreSpread() async throws {
        let harness = try await PipelineHarness {
            $0.disk.expiration = .seconds(3_600)
            $0.lifetimeJitter = 0.1
        }
        let old = old
        harness.origin.on("*") { $0.respond(body: old) }
        let start = harness.clock.now
        var expiries: [TimeInterval] = []
        for number in 0..<100 {
            let expiresAt = try await harness.load("/\(number)").expiresAt
            expiries.append(try #require(expiresAt).timeIntervalSince(start))
        }
        #expect(expiries.allSatisfy { $0 <= 3_605 && $0 >= 3_235 })
        let perSecond = Dictionary(grouping: expiries) { Int($0) }.values.map(\.count).max()
        #expect(try #require(perSecond) <= 5)
    }

    @Test("H-05 H-09 T-02 within the window a stale copy is answered at once, and one refresh serves the next")
    func staleWhileRevalidate() async throws {
        let harness = try await PipelineHarness {
            $0.disk.expiration = .seconds(10)
            $0.staleWhileRevalidate = .seconds(60)
        }
        let photo = Watched(old)
        serve(harness, photo)
        _ = try await harness.load("/a")
        let new = new
        photo.update { $0 = new }
        let hold = Gate()
        harness.origin.on("/a") { exchange in
            hold.waitBlocking()
            exchange.respond(body: new)
        }
        harness.clock.advance(by: 11)
        for _ in 0..<200 {
            let answer = try await harness.load("/a")
            #expect(answer.source == .stale(.revalidating) && answer.data == old)
        }
        await harness.origin.requests(to: "/a", reach: 2)
        hold.open()
        while harness.pipeline.flightCount > 0 { await Task.yield() }
        #expect(try await harness.load("/a").data == new)
        #expect(harness.origin.requests().count == 2)
    }
}
