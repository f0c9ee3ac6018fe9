import Halcyon
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// What becomes of a photo when whoever asked for it has gone.
@Suite(.timeLimit(.minutes(1)))
struct HangUpTests {
    @Test("HB-69 the fetch for a client that has hung up ends", arguments: ["GET", "HEAD"])
    func aFetchNobodyWaitsForEnds(method: String) async throws {
        try await ServiceHarness.run { service in
            let left = Gate()
            service.origin.on("/slow") { exchange in
                exchange.head(declaring: 1_000)
                exchange.waitForClose()
                left.open()
            }
            do {
                let client = try RawClient(port: service.port)
                client.send("\(method) \(service.imageTarget("/slow")) HTTP/1.1\r\nHost: a\r\n\r\n")
                await service.origin.requests(to: "/slow", reach: 1)
                withExtendedLifetime(client) {}
            }
            while !service.server.listener.pending.isEmpty {
                service.server.listener.sweep()
                await Task.yield()
            }
            await left.wait()
            #expect(service.pipeline.passengerCount == 0)
        }
    }

    @Test("HB-83 whoever else waits for it still gets it")
    func whoStaysIsAnswered() async throws {
        try await ServiceHarness.run { service in
            let hold = Gate()
            service.origin.on("/slow") { exchange in
                hold.waitBlocking()
                exchange.respond(200, fields: [("Content-Type", "image/png")], body: SampleImage.png())
            }
            let request = "GET \(service.imageTarget("/slow")) HTTP/1.1\r\nHost: a\r\n\r\n"
            let stays: RawClient
            do {
                let leaves = try RawClient(port: service.port)
                leaves.send(request)
                await service.origin.requests(to: "/slow", reach: 1)
                stays = try RawClient(port: service.port)
                stays.send(request)
                while service.pipeline.passengerCount < 2 { await Task.yield() }
                withExtendedLifetime(leaves) {}
            }
            while service.pipeline.passengerCount == 2 {
                service.server.listener.sweep()
                await Task.yield()
            }
            hold.open()
            let response = try #require(await stays.response())
            #expect(response.status == 200)
            #expect(response.body == SampleImage.png())
            #expect(service.origin.requests().count == 1)
        }
    }

    @Test("a client that has only said its last word is answered")
    func aClosedHalfIsNoGoodbye() async throws {
        try await ServiceHarness.run { service in
            service.serve("/a")
            let client = try RawClient(port: service.port)
            client.send("GET \(service.imageTarget("/a")) HTTP/1.1\r\nHost: a\r\n\r\n")
            client.finishSending()
            #expect(await client.response()?.body == SampleImage.png())
        }
    }
}
