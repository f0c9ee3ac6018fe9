import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// Requests for the same thing at the same time.
@Suite(.timeLimit(.minutes(1)))
struct MountCoalescingTests {
    private static let fresh = [("Cache-Control", "max-age=600")]

    /// Clients that have sent `lines`, and are waiting.
    private func clients(_ count: Int, _ service: ServiceHarness, _ lines: String = "") throws -> [RawClient] {
        try (0..<count).map { _ in
            let client = try RawClient(port: service.port)
            client.send("GET /m/a HTTP/1.1\r\nHost: a\r\n\(lines)\r\n")
            return client
        }
    }

    /// One has gone out, and the others wait for it.
    private func waiting(_ count: Int, _ service: ServiceHarness) async {
        while service.server.mounts.flights.followerCount < count { await Task.yield() }
    }

    @Test func oneRequestGoesOutForAllWhoWait() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            let hold = Gate()
            service.origin.on("/base/a") {
                hold.waitBlocking()
                $0.respond(200, fields: Self.fresh, body: Array("face".utf8))
            }
            let clients = try clients(20, service)
            await waiting(19, service)
            hold.open()
            for client in clients {
                let response = try #require(await client.response())
                #expect(response.status == 200)
                #expect(response.text == "face")
            }
            #expect(service.origin.requests().count == 1)
        }
    }

    @Test("what turns out to be for one alone is asked for by each", arguments: ["no-store", "private", "no-cache"])
    func whatMayNotBeSharedIsNot(control: String) async throws {
        try await ServiceHarness.runMount { (service) async throws in
            let hold = Gate()
            service.origin.on("/base/a") {
                hold.waitBlocking()
                $0.respond(200, fields: [("Cache-Control", control)], body: Array("\($0.request["X-Who"] ?? "")".utf8))
            }
            let clients = try (0..<8).flatMap { try self.clients(1, service, "X-Who: \($0)\r\n") }
            await waiting(7, service)
            hold.open()
            for (number, client) in clients.enumerated() {
                #expect(await client.response()?.text == "\(number)")
            }
            #expect(service.origin.requests().count == 8)
        }
    }

    @Test("RFC 9111 §3.5: with credentials each asks for itself")
    func credentialsAreNotShared() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            let all = Watched(0)
            service.origin.on("/base/a") {
                all.update { $0 += 1 }
                // Nobody is answered before all have come: none waits for another.
                all.waitBlocking { $0 == 3 }
                $0.respond(200, fields: Self.fresh, body: Array(($0.request["Authorization"] ?? "").utf8))
            }
            let clients = try (0..<3).flatMap { try self.clients(1, service, "Authorization: Basic \($0)\r\n") }
            for (number, client) in clients.enumerated() {
                #expect(await client.response()?.text == "Basic \(number)")
            }
        }
    }

    @Test("RFC 9111 §4.1: those who choose different responses do not get each other's")
    func variantsAreNotShared() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            let hold = Gate()
            service.origin.on("/base/a") {
                hold.waitBlocking()
                $0.respond(
                    200, fields: Self.fresh + [("Vary", "X-Which")], body: Array(($0.request["X-Which"] ?? "").utf8))
            }
            let clients = try (0..<9).flatMap { try self.clients(1, service, "X-Which: \($0 % 3)\r\n") }
            await waiting(8, service)
            hold.open()
            for (number, client) in clients.enumerated() {
                #expect(await client.response()?.text == "\(number % 3)")
            }
            #expect(service.origin.requests().count == 3)
        }
    }

    @Test("a first client that does not read holds nobody up")
    func aSlowReaderHarmsNobody() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            // More than the sockets between take.
            let body = [UInt8](repeating: 7, count: 9 << 20)
            service.origin.on("/base/a") { $0.respond(200, fields: Self.fresh, body: body) }
            let slow = try clients(1, service)[0]
            await service.origin.requests(to: "/base/a", reach: 1)
            let quick = try clients(2, service)
            for client in quick { #expect(await client.response()?.body == body) }
            #expect(service.origin.requests().count == 1)
            #expect(await slow.response()?.body == body)
        }
    }

    @Test("a first client that leaves takes nothing from the others")
    func aLeavingClientHarmsNobody() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            let hold = Gate()
            service.origin.on("/base/a") {
                hold.waitBlocking()
                $0.respond(200, fields: Self.fresh, body: Array("face".utf8))
            }
            let others: [RawClient]
            do {
                let leaves = try clients(1, service)
                await service.origin.requests(to: "/base/a", reach: 1)
                others = try clients(3, service)
                await waiting(3, service)
                withExtendedLifetime(leaves) {}
            }
            for _ in 0..<3 { service.server.listener.sweep() }
            hold.open()
            for client in others { #expect(await client.response()?.text == "face") }
            #expect(service.origin.requests().count == 1)
        }
    }

    @Test("whoever waits for a request that fails is told so, once for all")
    func failuresAreShared() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            let hold = Gate()
            service.origin.on("/base/a") {
                hold.waitBlocking()
                $0.closeNow()
            }
            let clients = try clients(6, service)
            await waiting(5, service)
            hold.open()
            for client in clients { #expect(await client.response()?.status == 502) }
            #expect(service.origin.requests().count == 1)
        }
    }

    @Test("one client's demand says nothing of the others")
    func aRefusedRequestDoesNotEndSharing() async throws {
        try await ServiceHarness.runMount { (service) async throws in
            let hold = Gate()
            service.origin.on("/base/a") { exchange in
                if exchange.request["If-Match"] != nil { return exchange.respond(412) }
                if exchange.request["Cache-Control"] != nil { return exchange.respond(200, fields: Self.fresh) }
                hold.waitBlocking()
                exchange.respond(200, fields: Self.fresh, body: Array("face".utf8))
            }
            #expect(try await service.get("/m/a", [("If-Match", "\"other\"")]).status == 412)
            #expect(try await service.get("/m/a", [("Cache-Control", "no-store")]).status == 200)
            let clients = try clients(5, service)
            await waiting(4, service)
            hold.open()
            for client in clients { #expect(await client.response()?.text == "face") }
            #expect(service.origin.requests().count == 3)
        }
    }
}
