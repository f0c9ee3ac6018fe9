import HalcyonTestSupport
import Testing

@testable import Halcyon

/// Many at once at the worst moment.
@Suite(.timeLimit(.minutes(2)))
struct HerdTests {
    private let photo = SampleImage.png(width: 40, height: 30, seed: 3)

    @Test("HB-77 at the instant of expiry one request goes out, and five hundred callers wait for it")
    func expiryOfAHotImage() async throws {
        let harness = try await PipelineHarness { $0.disk.expiration = .seconds(10) }
        let photo = photo
        harness.origin.on("/a") { $0.respond(body: photo) }
        _ = try await harness.load("/a")
        harness.clock.advance(by: 10)
        let hold = Gate()
        harness.origin.on("/a") { exchange in
            hold.waitBlocking()
            exchange.respond(body: photo)
        }
        try await withThrowingTaskGroup(of: ImageResponse.self) { group in
            for _ in 0..<500 { group.addTask { try await harness.load("/a") } }
            await harness.origin.requests(to: "/a", reach: 2)
            hold.open()
            for try await answer in group { #expect(answer.data == photo) }
        }
        #expect(harness.origin.requests().count == 2)
    }

    @Test("H-06 a herd on an image of one second: each caller has all of it, and the origin one request a second")
    func shortLives() async throws {
        let harness = try await PipelineHarness { $0.disk.expiration = .seconds(1) }
        let photo = photo
        harness.origin.on("/a") { $0.respond(body: photo) }
        for round in 1...10 {
            try await withThrowingTaskGroup(of: ImageResponse.self) { group in
                for _ in 0..<100 { group.addTask { try await harness.load("/a") } }
                for try await answer in group { #expect(answer.data == photo) }
            }
            #expect(harness.origin.requests().count == round)
            harness.clock.advance(by: 1)
        }
        #expect(await harness.pipeline.statistics().flights == 0)
    }

    @Test("H-06 who waits for an origin that says nothing waits no longer than the deadline, and then has the old copy")
    func boundedWaiting() async throws {
        let harness = try await PipelineHarness {
            $0.disk.expiration = .seconds(1)
            $0.fetch.timeout = .milliseconds(300)
        }
        let photo = photo
        harness.origin.on("/a") { $0.respond(body: photo) }
        _ = try await harness.load("/a")
        harness.clock.advance(by: 1)
        harness.origin.on("*") { $0.waitForClose() }
        harness.origin.on("/a") { $0.waitForClose() }
        try await withThrowingTaskGroup(of: ImageResponse.self) { group in
            for _ in 0..<200 { group.addTask { try await harness.load("/a") } }
            for try await answer in group {
                #expect(answer.source == .stale(.timeout))
                #expect(answer.data == photo)
            }
        }
        // With nothing to fall back on each is told so.
        await withTaskGroup(of: ImagePipeline.Error?.self) { group in
            for _ in 0..<50 { group.addTask { await harness.failure("/b") } }
            for await error in group { #expect(error?.reason == .timeout) }
        }
        #expect(harness.origin.requests(to: "/b").count == 1)
    }

    @Test(
        "H-07 stale reads, purges and refreshes that fail, all at once: whole images or errors, and nothing left over")
    func staleReadsUnderPurges() async throws {
        let harness = try await PipelineHarness {
            $0.disk.expiration = .seconds(1)
            $0.staleWhileRevalidate = .seconds(1000)
            $0.negativeExpiration = .zero
        }
        let photo = photo
        let number = Watched(0)
        harness.origin.on("/a") { exchange in
            if number.update({
                $0 += 1
                return $0
            }) % 3 == 0 {
                exchange.respond(500)
            } else {
                exchange.respond(body: photo)
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for reader in 0..<8 {
                group.addTask {
                    for round in 0..<250 {
                        do {
                            #expect(try await harness.load("/a").data == photo)
                        } catch {
                            #expect((error as? ImagePipeline.Error)?.reason == .originStatus)
                        }
                        if reader == 0 { harness.clock.advance(by: 0.6) }
                        if reader == 1, round % 5 == 0 { _ = try? await harness.pipeline.purge(.all) }
                        if reader == 2, round % 7 == 0 { await harness.pipeline.sweep() }
                    }
                }
            }
        }
        while harness.pipeline.flightCount > 0 { await Task.yield() }
        #expect(harness.pipeline.passengerCount == 0)
    }
}
