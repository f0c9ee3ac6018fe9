import Glibc
import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8080", true), ("127.9.9.9:1", true), ("localhost:80", true), ("[::1]:0", true),
        ("0.0.0.0:8080", false),
        ("[::]:8080", false), ("10.0.0.1:65535", false), ("[::ffff:127.0.0.1]:80", false), ("128.0.0.1:80", false),
    ])
    func loopbackIsRecognised(text: String, isLoopback: Bool) throws {
        #expect(try ListenAddress(text).isLoopback == isLoopback)
    }

    @Test(arguments: [
        "", "127.0.0.1", ":80", "127.0.0.1:", "127.0.0.1:65536", "::1:80", "[127.0.0.1]:80", "host:80", "127.1:80",
    ])
    func othersAreRefused(text: String) {
        #expect(throws: ListenerError.badAddress(text)) { try ListenAddress(text) }
    }

    @Test func aTakenPortIsSaidSo() throws {
        let first = try ListenAddress("127.0.0.1:0").listen()
        defer { close(first.socket) }
        #expect(throws: ListenerError.cannotListen(address: first.bound.description, errno: EADDRINUSE)) {
            _ = try first.bound.listen()
        }
    }

    @Test func ipv6Listens() async throws {
        let server = try ListenerUnderTest { $0.address = try ListenAddress("[::1]:0") }
        #expect(server.port > 0)
    }
}
