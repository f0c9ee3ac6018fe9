import HalcyonTestSupport
import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct StreamClientTests {
    private func client() throws -> StreamClient {
        let rule = OriginRule(host: try HostPattern("127.0.0.1"), ranges: [try AddressRange("127.0.0.0/8")])
        return try StreamClient(configuration: FetchConfiguration(policy: OriginPolicy(rules: [rule])))
    }

    private func request(_ origin: ScriptedOrigin) throws -> StreamRequest {
        StreamRequest(method: "GET", origin: try CanonicalURL(origin.url("/")), target: "/a", fields: [])
    }

    private func isCancelled(_ task: Task<Void, any Error>) async -> Bool {
        do { try await task.value } catch { return error as? FetchError == .cancelled }
        return false
    }

    @Test("a task that is cancelled before or while it waits has its answer at once, and the connection ends")
    func cancelling() async throws {
        let origin = try ScriptedOrigin()
        defer { origin.stop() }
        let client = try client()
        origin.on("/a") { $0.waitForClose() }
        let request = try request(origin)
        let started = Gate()
        let before = Task {
            await started.wait()
            _ = try await client.open(request)
        }
        before.cancel()
        started.open()
        #expect(await isCancelled(before))
        let second = try self.request(origin)
        let during = Task { _ = try await client.open(second) }
        await origin.running(reach: 1)
        during.cancel()
        #expect(await isCancelled(during))
        await origin.openConnections(fallTo: 0)
    }

    @Test("a client that is shut down ends what is under way and takes nothing more")
    func shuttingDown() async throws {
        let origin = try ScriptedOrigin()
        defer { origin.stop() }
        let client = try client()
        origin.on("/a") { exchange in
            exchange.head(200, declaring: 10)
            exchange.waitForClose()
        }
        let response = try await client.open(try request(origin))
        #expect(response.contentLength == 10)
        client.shutDown()
        guard case .failed(.shutDown) = await response.body.next() else {
            Issue.record("the body goes on")
            return
        }
        let late = try request(origin)
        await #expect(throws: FetchError.shutDown) { try await client.open(late) }
    }
}
