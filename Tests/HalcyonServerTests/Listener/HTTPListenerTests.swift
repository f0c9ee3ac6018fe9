import Foundation
import HalcyonTestSupport
import Synchronization
import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct HTTPListenerTests {
    static let get = "GET /a?b HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test func aConnectionServesManyRequests() async throws {
        let server = try ListenerUnderTest()
        let client = try RawClient(port: server.port)
        for _ in 0..<3 {
            client.send(Self.get)
            let response = try #require(await client.response())
            #expect(response.status == 200)
            #expect(response.text == "/a?b")
        }
        #expect(server.counters.openConnections.load(ordering: .relaxed) == 1)
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        let server = try ListenerUnderTest()
        let client = try RawClient(port: server.port)
        client.send((1...5).map { "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
        for number in 1...5 { #expect(await client.response()?.text == "/\(number)") }
    }

    @Test func headHasTheLengthAndNoBody() async throws {
        let server = try ListenerUnderTest()
        let client = try RawClient(port: server.port)
        client.send("HEAD /four HTTP/1.1\r\nHost: x\r\n\r\n" + Self.get)
        let head = try #require(await client.response(isHead: true))
        #expect(head["Content-Length"] == "5")
        // The next bytes are the next answer, not a body.
        #expect(await client.response()?.text == "/a?b")
    }

    @Test func theTargetReachesTheHandlerAsSent() async throws {
        let server = try ListenerUnderTest()
        let response = try await RawClient.request(port: server.port, "GET", "/a%2Fb/%EA%B0%80?url=http%3A%2F%2Fh%2F")
        #expect(response?.text == "/a%2Fb/%EA%B0%80?url=http%3A%2F%2Fh%2F")
    }

    @Test func everyAnswerForbidsSniffingAndScripts() async throws {
        let server = try ListenerUnderTest()
        let fine = try #require(try await RawClient.request(port: server.port, "GET", "/x"))
        let refused = try #require(try await RawClient.request(port: server.port, "GET", "/x", [("Host", "other")]))
        #expect(refused.status == 400)
        for response in [fine, refused] {
            #expect(response["X-Content-Type-Options"] == "nosniff")
            #expect(response["Content-Security-Policy"] == "default-src 'none'; sandbox")
        }
    }

    /// RFC 9112 §3.2, §6.1, §6.3, §5.1; RFC 9110 §5.5.
    @Test(arguments: [
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: a\rContent-Length: 4\r\n\r\n",
        "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /../x HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n",
    ])
    func ambiguousRequestsAreRefused(request: String) async throws {
        let server = try ListenerUnderTest()
        let client = try RawClient(port: server.port)
        client.send(request)
        #expect(await client.response()?.status == 400)
    }

    @Test func whatFollowsAnAmbiguousRequestIsNotARequest() async throws {
        let server = try ListenerUnderTest()
        let client = try RawClient(port: server.port)
        client.send(
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + Self.get)
        let all = String(decoding: await client.remainder(), as: UTF8.self)
        #expect(all.components(separatedBy: "HTTP/1.1 ").count == 2)
    }

    @Test func aHeaderAboveTheLimitIs431() async throws {
        let server = try ListenerUnderTest { $0.maximumHeaderBytes = 1000 }
        let long = String(repeating: "x", count: 1000)
        #expect(try await RawClient.request(port: server.port, "GET", "/", [("X-Long", long)])?.status == 431)
        #expect(try await RawClient.request(port: server.port, "GET", "/", [("X", "short")])?.status == 200)
    }

    @Test func aBodyAboveTheLimitIs413() async throws {
        let server = try ListenerUnderTest { $0.maximumBodyBytes = 10 }
        #expect(
            try await RawClient.request(port: server.port, "POST", "/echo", body: "0123456789")?.text == "0123456789")
        #expect(try await RawClient.request(port: server.port, "POST", "/echo", body: "0123456789x")?.status == 413)
        let client = try RawClient(port: server.port)
        client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n0123456789x\r\n0\r\n\r\n")
        #expect(await client.response()?.status == 413)
    }

    @Test func aSuspendedRequestDoesNotHoldUpOthers() async throws {
        let server = try ListenerUnderTest { $0.threads = 1 }
        let waiting = try RawClient(port: server.port)
        waiting.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")
        await server.handler.held.wait { $0 == 1 }
        #expect(try await RawClient.request(port: server.port, "GET", "/x")?.text == "/x")
        server.handler.gate.open()
        #expect(await waiting.response()?.text == "held")
    }

    @Test func headersThatDripInAreCutOffAtTheirDeadline() async throws {
        let server = try ListenerUnderTest { $0.headerSeconds = 10 }
        let client = try RawClient(port: server.port)
        let other = try RawClient(port: server.port)
        other.send(Self.get)
        #expect(await other.response()?.status == 200)
        // The client has its answer before the exchange is counted out.
        while server.counters.runningRequests.load(ordering: .acquiring) > 0 { await Task.yield() }
        client.send("GET / HTTP/1.1\r\nHost: a\r\nX-")
        // The request line has been seen once the exchange counts as running.
        while server.counters.runningRequests.load(ordering: .acquiring) == 0 { await Task.yield() }
        server.clock.advance(10)
        server.listener.sweep()
        client.send("Slow: ")
        server.clock.advance(1)
        server.listener.sweep()
        #expect(await client.remainder().isEmpty)
        #expect(server.counters.overdueConnections.load(ordering: .relaxed) == 1)
        // A connection between two requests may be idle for longer.
        other.send(Self.get)
        #expect(await other.response()?.status == 200)
    }

    @Test func aRequestLineThatNeverEndsIsCutOffAfterTheIdleTime() async throws {
        let server = try ListenerUnderTest { $0.idleSeconds = 20 }
        let client = try RawClient(port: server.port)
        client.send("GET /aaaa")
        while server.counters.openConnections.load(ordering: .relaxed) == 0 { await Task.yield() }
        server.clock.advance(21)
        server.listener.sweep()
        #expect(await client.remainder().isEmpty)
    }

    @Test func stoppingAnswersWhatIsSuspended() async throws {
        let server = try ListenerUnderTest()
        let client = try RawClient(port: server.port)
        client.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")
        await server.handler.held.wait { $0 == 1 }
        server.listener.stop()
        // 503, or a closed connection: never a hang.
        let response = await client.response()
        #expect(response == nil || response?.status == 503)
        server.handler.gate.open()
        await server.handler.ended.wait { $0 == 1 }
    }

    @Test func aQuiescedListenerTakesNoMoreConnectionsAndFinishesThoseItHas() async throws {
        let server = try ListenerUnderTest()
        let client = try RawClient(port: server.port)
        client.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")
        await server.handler.held.wait { $0 == 1 }
        server.listener.quiesce()
        #expect(throws: RawClient.Failure.self) { _ = try RawClient(port: server.port) }
        #expect(await server.listener.drain(within: .milliseconds(30)) == false)
        server.handler.gate.open()
        #expect(await client.response()?.text == "held")
        #expect(await server.listener.drain(within: .seconds(20)))
    }

    @Test func aClientThatLeavesWhileSuspendedIsForgotten() async throws {
        let server = try ListenerUnderTest()
        do {
            let client = try RawClient(port: server.port)
            client.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")
            await server.handler.held.wait { $0 == 1 }
        }
        server.handler.gate.open()
        await server.handler.ended.wait { $0 == 1 }
        while server.counters.openConnections.load(ordering: .relaxed) > 0 { await Task.yield() }
        // The task that made the answer says so after the connection has been resumed.
        while !server.listener.pending.isEmpty { await Task.yield() }
        #expect(server.listener.connections.count == 0)
    }

    @Test func manyRequestsLeaveNoExchangeBehind() async throws {
        let server = try ListenerUnderTest()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do {
                        let client = try RawClient(port: server.port)
                        for _ in 0..<20 {
                            client.send(Self.get)
                            _ = await client.response()
                        }
                    } catch { Issue.record(error) }
                }
            }
        }
        await server.handler.ended.wait { $0 == 400 }
        while server.counters.openConnections.load(ordering: .relaxed) > 0 { await Task.yield() }
        #expect(server.listener.connections.count == 0)
        #expect(server.counters.runningRequests.load(ordering: .relaxed) == 0)
    }
}
