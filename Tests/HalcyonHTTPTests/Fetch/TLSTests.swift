import Foundation
import Glibc
import HalcyonTestSupport
import Testing

@testable import HalcyonHTTP

/// TLS and HTTP/2 against servers that nobody here wrote: nginx, where it is installed.
@Suite(.timeLimit(.minutes(1)))
struct TLSTests {
    private static let openssl = "/usr/bin/openssl"
    private static let nginx = "/usr/sbin/nginx"
    private static func has(_ tools: String...) -> Bool {
        tools.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static let image = SampleImage.png(width: 100, height: 100)

    private let folder: TemporaryFolder
    private var certificate: String { folder.file("cert.pem") }
    private var key: String { folder.file("key.pem") }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("TLS is verified, and a CA file adds to what is trusted", .enabled(if: has(openssl, nginx)))
    func verified() async throws {
        let port = try startServer(host: "127.0.0.5")
        defer { stopServer() }
        let rule = ["*.test=127.0.0.5"]
        let resolve = ["photos.test:\(port):127.0.0.5", "other.test:\(port):127.0.0.5"]

        let strict = try makeFetcher(rule) { $0.resolve = resolve }
        // 60: CURLE_PEER_FAILED_VERIFICATION. Asking again would not help, so nobody does.
        #expect(await strict.failure("https://photos.test:\(port)/a.png") == .tls(60))
        #expect(strict.statistics.retries == 0)
        await strict.shutDown()

        let trusting = try makeFetcher(rule) {
            $0.resolve = resolve
            $0.caFile = certificate
        }
        let response = try await trusting.get("https://photos.test:\(port)/a.png")
        #expect(response.status == 200)
        #expect(response.metrics.tls > .zero)
        #expect(await trusting.failure("https://other.test:\(port)/a.png") == .tls(60), "the name has to fit as well")
        await trusting.shutDown()
    }

    @Test func aCAFileThatCannotBeReadIsSaidAtOnce() throws {
        #expect(throws: FetchError.setup(Int(ENOENT))) { try makeFetcher { $0.caFile = folder.file("none.pem") } }
    }

    @Test("HTTP/2 is used where the origin has it, many transfers on one connection", .enabled(if: has(openssl, nginx)))
    func multiplexed() async throws {
        let port = try startServer(host: "127.0.0.6")
        defer { stopServer() }
        let fetcher = try makeFetcher(["photos.test=127.0.0.6"]) {
            $0.resolve = ["photos.test:\(port):127.0.0.6"]
            $0.caFile = certificate
            $0.maximumPerHost = 20
        }
        try await withThrowingTaskGroup(of: FetchResponse.self) { group in
            for index in 0..<60 {
                group.addTask { try await fetcher.get("https://photos.test:\(port)/a.png?\(index)") }
            }
            for try await response in group {
                #expect(response.metrics.httpVersion == "2")
                #expect(response.body == Self.image)
            }
        }
        #expect(fetcher.statistics.reusedConnections == 59)
        await fetcher.shutDown()
    }

    /// A port that was free a moment ago, on an address that no other test uses.
    private func startServer(host: String) throws -> Int {
        try makeCertificate()
        let placeholder = try ScriptedOrigin(host: host)
        let port = placeholder.port
        placeholder.stop()
        try Data(Self.image).write(to: URL(fileURLWithPath: folder.file("a.png")))
        let configuration = """
            error_log /dev/null crit; pid \(folder.path)/pid; worker_processes 1; events { worker_connections 64; }
            http {
                access_log off;
                client_body_temp_path \(folder.path)/1; proxy_temp_path \(folder.path)/2; fastcgi_temp_path \(folder.path)/3;
                uwsgi_temp_path \(folder.path)/4; scgi_temp_path \(folder.path)/5;
                server {
                    listen \(host):\(port) ssl http2; ssl_certificate \(certificate); ssl_certificate_key \(key);
                    root \(folder.path);
                }
            }
            """
        try configuration.write(toFile: folder.file("nginx.conf"), atomically: true, encoding: .utf8)
        // It returns when it listens, and goes on behind.
        try run(Self.nginx, "-c", folder.file("nginx.conf"))
        return port
    }

    private func stopServer() {
        do {
            try run(Self.nginx, "-c", folder.file("nginx.conf"), "-s", "stop")
        } catch {
            Issue.record(error)
        }
    }

    private func makeCertificate() throws {
        try run(
            Self.openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-keyout", key, "-out", certificate, "-days", "1", "-subj", "/CN=photos.test", "-addext",
            "subjectAltName=DNS:photos.test")
    }

    /// With `posix_spawn`, since Foundation's `Process` waits for the daemon that nginx leaves behind as well.
    private func run(_ tool: String, _ arguments: String...) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var pointers = ([tool] + arguments).map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var child = pid_t()
        try #require(posix_spawn(&child, tool, &actions, nil, &pointers, environ) == 0)
        var status: Int32 = 0
        try #require(waitpid(child, &status, 0) == child)
        try #require(status == 0, "\(tool) failed")
    }
}
