import Foundation
import HalcyonTestSupport
import Testing

@testable import Halcyon

@Suite(.timeLimit(.minutes(1)))
struct FailureTests {
    private let photo = SampleImage.png(seed: 1)

    struct Bad: Sendable, CustomTestStringConvertible {
        let name: String
        let reason: ImagePipeline.Error.Reason
        let script: ScriptedOrigin.Script
        var testDescription: String { name }
    }

    static let bodies: [Bad] = [
        Bad(name: "HB-48 S-15 HTML with status 200", reason: .notAnImage) {
            $0.respond(fields: [("Content-Type", "image/jpeg")], body: Array("<!doctype html><p>Log in</p>".utf8))
        },
        Bad(name: "I-07 a stack trace with status 200", reason: .notAnImage) {
            $0.respond(body: Array("java.lang.NullPointerException\n\tat Photo.main".utf8))
        },
        Bad(name: "HB-50 an empty body", reason: .empty) { $0.respond(body: []) },
        Bad(name: "S-21 X-02 an SVG, whatever it is called", reason: .unsupportedImage) {
            $0.respond(
                fields: [("Content-Type", "image/png")],
                body: Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><script>1</script></svg>".utf8))
        },
        Bad(name: "HB-19 a body shorter than its length", reason: .truncated) {
            $0.head(declaring: 1_000)
            $0.write(Array(SampleImage.png().prefix(50)))
            $0.closeNow()
        },
        Bad(name: "I-01 chunks without an end", reason: .truncated) {
            $0.headChunked()
            $0.chunk(SampleImage.png())
            $0.closeNow()
        },
        Bad(name: "I-02 half an image with the length of half an image", reason: .truncated) {
            $0.respond(body: Array(SampleImage.png(width: 64, height: 64).prefix(900)))
        },
        Bad(name: "HB-62 D-05 a body over the limit", reason: .tooLarge) {
            $0.respond(body: [UInt8](repeating: 0, count: 300_000))
        },
        Bad(name: "HB-65 D-01 too many pixels", reason: .tooManyPixels) {
            var image = SampleImage.png()
            image.replaceSubrange(16..<24, with: [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF])
            $0.respond(body: image)
        },
        Bad(name: "HB-49 a picture with status 500", reason: .originStatus) {
            $0.respond(500, fields: [("Content-Type", "image/png")], body: SampleImage.png())
        },
        Bad(name: "E-02 a 206 that nobody asked for", reason: .truncated) {
            $0.respond(206, fields: [("Content-Range", "bytes 0-9/100")], body: Array(SampleImage.png().prefix(10)))
        },
        Bad(name: "a 304 to a request without conditions", reason: .protocolError) { $0.respond(304) },
        Bad(name: "D-13 an endless camera stream", reason: .notAnImage) {
            $0.head(fields: [("Content-Type", "multipart/x-mixed-replace; boundary=x")])
            $0.waitForClose()
        },
        Bad(name: "a connection that ends without an answer", reason: .connect) { $0.closeNow() },
    ]

    @Test("what is not a whole image is refused with its reason, and nothing is kept", arguments: bodies)
    func badAnswers(bad: Bad) async throws {
        let harness = try await PipelineHarness { $0.limits.maximumImageBytes = 200_000 }
        harness.origin.on("/a", bad.script)
        let error = await harness.failure("/a")
        #expect(error?.reason == bad.reason)
        let statistics = await harness.pipeline.statistics()
        #expect(statistics.diskEntries == 0 && statistics.memoryEntries == 0)
        #expect(statistics.failures == [bad.reason: 1])
    }

    @Test("T-01 HB-54 a failed refresh leaves the old photo, with its age growing", arguments: bodies)
    func staleIfError(bad: Bad) async throws {
        let harness = try await PipelineHarness {
            $0.disk.expiration = .seconds(10)
            $0.limits.maximumImageBytes = 200_000
        }
        let photo = photo
        harness.origin.on("/a") { $0.respond(body: photo) }
        _ = try await harness.load("/a")
        harness.origin.on("/a", bad.script)
        harness.clock.advance(by: 20)
        let stale = try await harness.load("/a")
        #expect(stale.source == .stale(bad.reason))
        #expect(stale.data == photo)
        #expect(stale.age > 19.9)
        #expect(await harness.pipeline.statistics().stale == 1, "T-09: it shows in a number")
        #expect(
            harness.events.all.contains { event in
                if case .servedStale(_, bad.reason) = event { true } else { false }
            }, "T-09: and in an event")
    }

    @Test("T-01 an unreachable origin leaves the old photo, even across a restart")
    func originIsGone() async throws {
        let first = try await PipelineHarness { $0.disk.expiration = .seconds(10) }
        let photo = photo
        first.origin.on("/a") { $0.respond(body: photo) }
        _ = try await first.load("/a")
        await first.pipeline.shutDown()
        first.origin.stop()
        let second = try await PipelineHarness(origin: first.origin, folder: first.folder)
        second.clock.advance(by: 11)
        let stale = try await second.load("/a")
        #expect(stale.source == .stale(.connect) && stale.data == photo)
    }

    @Test("the window for stale copies ends")
    func staleWindowEnds() async throws {
        let harness = try await PipelineHarness {
            $0.disk.expiration = .seconds(10)
            $0.staleIfError = .seconds(100)
        }
        let photo = photo
        harness.origin.on("/a") { $0.respond(body: photo) }
        _ = try await harness.load("/a")
        harness.origin.on("/a") { $0.respond(500) }
        harness.clock.advance(by: 109)
        #expect(try await harness.load("/a").source == .stale(.originStatus))
        harness.clock.advance(by: 60)
        #expect(await harness.failure("/a")?.reason == .originStatus)
    }

    @Test(
        "T-05 must-revalidate, proxy-revalidate and no-cache forbid stale answers",
        arguments: ["must-revalidate", "proxy-revalidate", "no-cache"])
    func originForbidsStale(directive: String) async throws {
        let harness = try await PipelineHarness { $0.disk.expiration = .seconds(10) }
        let photo = photo
        harness.origin.on("/a") { $0.respond(fields: [("Cache-Control", directive)], body: photo) }
        _ = try await harness.load("/a")
        harness.origin.on("/a") { $0.respond(503) }
        harness.clock.advance(by: 11)
        #expect(await harness.failure("/a")?.reason == .originStatus)
    }

    @Test("F-06 HB-105 a missing photo is asked for once, and found after its short time")
    func missingIsRemembered() async throws {
        let harness = try await PipelineHarness { $0.negativeExpiration = .seconds(60) }
        harness.origin.on("/a") { $0.respond(404) }
        for _ in 0..<1_000 { #expect(await harness.failure("/a")?.kind == .missing) }
        #expect(harness.origin.requests().count == 1)
        let photo = photo
        harness.origin.on("/a") { $0.respond(body: photo) }
        harness.clock.advance(by: 31)
        #expect(try await harness.load("/a").data == photo, "F-08: a first 404 is kept for half the time")
    }

    @Test("F-08 a repeated 404 is kept longer than the first, and never longer than the maximum")
    func repeatedMissing() async throws {
        let harness = try await PipelineHarness { $0.negativeExpiration = .seconds(60) }
        harness.origin.on("/a") { $0.respond(410) }
        #expect(await harness.failure("/a")?.kind == .missing)
        harness.clock.advance(by: 31)
        #expect(await harness.failure("/a")?.kind == .missing)
        harness.clock.advance(by: 31)
        #expect(await harness.failure("/a")?.kind == .missing)
        #expect(harness.origin.requests().count == 2)
        harness.clock.advance(by: 30)
        #expect(await harness.failure("/a")?.kind == .missing)
        #expect(harness.origin.requests().count == 3)
    }

    @Test("F-06 what is missing is still known after a restart")
    func missingSurvivesARestart() async throws {
        let first = try await PipelineHarness()
        first.origin.on("/a") { $0.respond(404) }
        #expect(await first.failure("/a")?.kind == .missing)
        await first.pipeline.shutDown()
        let second = try await PipelineHarness(origin: first.origin, folder: first.folder)
        #expect(await second.failure("/a")?.kind == .missing)
        #expect(first.origin.requests().count == 1)
    }

    @Test("HB-92 F-13 H-04 an unreachable origin is tried again sooner than a missing photo; a purge forgets both")
    func unavailableIsRememberedForLess() async throws {
        let harness = try await PipelineHarness { $0.negativeExpiration = .seconds(60) }
        harness.origin.on("/a") { $0.respond(500) }
        #expect(await harness.failure("/a")?.kind == .unavailable)
        #expect(await harness.failure("/a")?.kind == .unavailable)
        #expect(harness.origin.requests().count == 1)
        harness.clock.advance(by: 11)
        #expect(await harness.failure("/a")?.kind == .unavailable)
        #expect(harness.origin.requests().count == 2)
        let photo = photo
        harness.origin.on("/a") { $0.respond(body: photo) }
        try await harness.pipeline.purge(.url(harness.origin.url("/a")))
        #expect(try await harness.load("/a").source == .origin)
    }

    @Test("S-18 what one configuration refuses is not remembered against the next one")
    func refusalIsNotKept() async throws {
        let first = try await PipelineHarness { $0.origins[0].addresses = [] }
        #expect(await first.failure("/a")?.reason == .blockedAddress)
        await first.pipeline.shutDown()
        let photo = photo
        first.origin.on("/a") { $0.respond(body: photo) }
        let second = try await PipelineHarness(origin: first.origin, folder: first.folder)
        #expect(try await second.load("/a").data == photo)
    }

    @Test("HB-84 who only waited for a place is told that it is our load, and the origin is not blamed")
    func queueingIsNotTheOriginsFault() async throws {
        let harness = try await PipelineHarness { $0.fetch.maximumPerHost = 1 }
        harness.origin.on("/slow") { $0.waitForClose() }
        let photo = photo
        harness.origin.on("/fast") { $0.respond(body: photo) }
        // Holds the only place for as long as the others may wait.
        let slow = Task { await harness.failure("/slow") }
        await harness.origin.requests(to: "/slow", reach: 1)
        let waiting = await withTaskGroup(of: ImagePipeline.Error?.self) { group in
            for number in 0..<50 {
                group.addTask { await harness.failure("/fast?\(number)", .init(timeout: .milliseconds(100))) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(waiting.allSatisfy { $0?.kind == .overloaded && $0?.retryAfter != nil })
        slow.cancel()
        #expect(await slow.value?.kind == .cancelled)
        #expect(try await harness.load("/fast").data == photo)
    }

    @Test("a photo that is gone at the origin is gone here, not stale")
    func goneIsGone() async throws {
        let harness = try await PipelineHarness { $0.disk.expiration = .seconds(10) }
        let photo = photo
        harness.origin.on("/a") { $0.respond(body: photo) }
        _ = try await harness.load("/a")
        harness.origin.on("/a") { $0.respond(410) }
        harness.clock.advance(by: 11)
        #expect(await harness.failure("/a")?.kind == .missing)
        #expect(await harness.pipeline.statistics().diskEntries == 0)
    }

    @Test("X-05 reasons and codes are a closed list without repetition")
    func reasonsAreDistinct() {
        let reasons = ImagePipeline.Error.Reason.allCases
        #expect(Set(reasons.map(\.code)).count == reasons.count)
        #expect(reasons.allSatisfy { reason in reason.rawValue.allSatisfy { $0.isLowercase || $0 == "-" } })
    }

    @Test("HB-06 a negative lifetime is refused by name, zero is expired at once")
    func configurationIsChecked() async throws {
        #expect(throws: ImagePipeline.Error.self) {
            try ImagePipeline(configuration: .init(disk: .init(expiration: .seconds(-1))))
        }
        #expect(throws: ImagePipeline.Error.self) {
            try ImagePipeline(configuration: .init(origins: [Origin(host: "bad host")]))
        }
        #expect(throws: ImagePipeline.Error.self) {
            try ImagePipeline(configuration: .init(origins: [Origin(host: "a.example", addresses: ["10.0.0.0/33"])]))
        }
    }
}
