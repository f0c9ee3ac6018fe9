import HalcyonTestSupport
import Synchronization
import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct ResponseStreamTests {
    static let get = "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n"

    static func open(_ server: ListenerUnderTest) async throws -> (RawClient, ResponseStream) {
        let client = try RawClient(port: server.port)
        client.send(get)
        await server.handler.streams.wait { !$0.isEmpty }
        return (client, try #require(server.handler.streams.value.first))
    }

    /// Chunks as RFC 9112 §7.1 has them.
    @Test func bytesReachTheClientAsTheyAreWritten() async throws {
        let server = try ListenerUnderTest()
        let (client, stream) = try await Self.open(server)
        let head = await client.text(until: "\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 200 "))
        #expect(head.lowercased().contains("transfer-encoding: chunked"))
        #expect(stream.write(Array("hello".utf8)))
        #expect(await client.text(until: "hello\r\n") == "5\r\nhello\r\n")
        #expect(stream.write(Array("again".utf8)))
        #expect(await client.text(until: "again\r\n") == "5\r\nagain\r\n")
        #expect(server.counters.openStreams.load(ordering: .relaxed) == 1)
        #expect(server.handler.endedStreams.value == 0)
        stream.end()
        #expect(await client.text(until: "0\r\n\r\n") == "0\r\n\r\n")
        await server.handler.endedStreams.wait { $0 == 1 }
        #expect(!stream.write([1]))
        // The connection serves on.
        client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(await client.response()?.text == "/x")
        #expect(server.counters.openStreams.load(ordering: .relaxed) == 0)
    }

    @Test func whatWasWrittenBeforeTheEndIsSentWhole() async throws {
        let server = try ListenerUnderTest()
        let (client, stream) = try await Self.open(server)
        for number in 0..<1000 { stream.write(Array("<\(number)>".utf8)) }
        stream.end()
        let body = await client.text(until: "\r\n0\r\n\r\n")
        let numbers = body.split(separator: "<").dropFirst().joined().filter { $0.isNumber || $0 == ">" }
        #expect(body.contains("999>"))
        #expect(numbers.split(separator: ">").count >= 1000)
        await server.handler.endedStreams.wait { $0 == 1 }
    }

    @Test func headOfAStreamIsItsHeaderAlone() async throws {
        let server = try ListenerUnderTest()
        let client = try RawClient(port: server.port)
        client.send("HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(await client.response(isHead: true)?.status == 200)
        #expect(await client.remainder().isEmpty)
        await server.handler.endedStreams.wait { $0 == 1 }
    }

    @Test func aClientThatLeavesEndsItsStream() async throws {
        let server = try ListenerUnderTest()
        do {
            let (client, _) = try await Self.open(server)
            _ = await client.text(until: "\r\n\r\n")
        }
        let stream = try #require(server.handler.streams.value.first)
        // Nobody listens to a connection that nothing is sent on: it is noticed by sending.
        while stream.write(Array("x".utf8)) { await Task.yield() }
        await server.handler.endedStreams.wait { $0 == 1 }
        while server.counters.openConnections.load(ordering: .relaxed) > 0 { await Task.yield() }
    }

    /// At once: idle connections stay for longer than this test may take.
    @Test func aClientThatDoesNotReadIsCutOffWhenTooMuchWaits() async throws {
        let server = try ListenerUnderTest { $0.idleSeconds = 600 }
        let (client, stream) = try await Self.open(server)
        let piece = [UInt8](repeating: 7, count: 100_000)
        while stream.write(piece) { await Task.yield() }
        // The answer breaks off: no last chunk.
        #expect(await client.remainder().suffix(5) != Array("0\r\n\r\n".utf8)[...])
        await server.handler.endedStreams.wait { $0 == 1 }
    }

    @Test func aQuietStreamIsNotOverdueAndAnUnreadOneIs() async throws {
        let server = try ListenerUnderTest { $0.answerSeconds = 60 }
        server.handler.streamLimitBytes.store(1 << 30, ordering: .relaxed)
        let (client, stream) = try await Self.open(server)
        _ = await client.text(until: "\r\n\r\n")
        stream.write(Array("a".utf8))
        #expect(await client.text(until: "a\r\n") == "1\r\na\r\n")
        // The client may have it before libmicrohttpd asks for more.
        while server.listener.connections.count(in: .quiet) == 0 { await Task.yield() }
        server.clock.advance(10_000)
        server.listener.sweep()
        stream.write(Array("b".utf8))
        #expect(await client.text(until: "b\r\n") == "1\r\nb\r\n")
        // More than all buffers on the way hold.
        stream.write([UInt8](repeating: 7, count: 64 << 20))
        _ = await client.text(until: "\r\n")
        server.clock.advance(61)
        server.listener.sweep()
        await server.handler.endedStreams.wait { $0 == 1 }
        #expect(server.counters.overdueConnections.load(ordering: .relaxed) == 1)
    }

    @Test func aStopEndsStreamsAtOnce() async throws {
        let server = try ListenerUnderTest()
        let (client, _) = try await Self.open(server)
        let late = try RawClient(port: server.port)
        late.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(await late.response()?.status == 200)
        server.listener.quiesce()
        server.listener.endStreams()
        #expect(await server.listener.drain(within: .seconds(20)))
        #expect(await client.text(until: "0\r\n\r\n").hasSuffix("0\r\n\r\n"))
        // One that begins now ends at once.
        late.send(Self.get)
        #expect(await late.text(until: "0\r\n\r\n").hasSuffix("0\r\n\r\n"))
    }

    @Test func stoppingWithOpenStreamsDoesNotHang() async throws {
        let server = try ListenerUnderTest()
        // Kept, or they would close before their request has been read.
        var clients: [RawClient] = []
        for count in 1...20 {
            let client = try RawClient(port: server.port)
            clients.append(client)
            client.send(Self.get)
            await server.handler.streams.wait { $0.count == count }
            if count % 2 == 0 { server.handler.streams.value.last?.write([1]) }
        }
        server.listener.stop()
        await server.handler.endedStreams.wait { $0 == 20 }
        #expect(clients.count == 20)
    }

    @Test func writersFromManyThreadsLoseNothing() async throws {
        let server = try ListenerUnderTest()
        server.handler.streamLimitBytes.store(64 << 20, ordering: .relaxed)
        let (client, stream) = try await Self.open(server)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<500 { stream.write(Array("*".utf8)) } }
            }
        }
        stream.end()
        let all = await client.text(until: "\r\n0\r\n\r\n")
        #expect(all.count { $0 == "*" } == 4000)
    }
}
