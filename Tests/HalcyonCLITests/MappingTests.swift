import Foundation
import Halcyon
import HalcyonCrypto
import HalcyonServer
import HalcyonTestSupport
import Testing

@testable import HalcyonCLI

/// R-08: each declared option changes what the modules below are given.
@Suite(.timeLimit(.minutes(1)))
struct MappingTests {
    private func settings(_ given: [String: [String]], file: String? = nil) throws -> Settings {
        try Settings(
            specs: Options.all, given: given, environment: ["TOKEN": "Bearer t\n"],
            file: file.map { try ConfigurationFile(text: $0, path: "h.json", known: Options.all) })
    }

    @Test(
        "R-08 each option of the caches and the fetcher changes the pipeline's configuration",
        arguments: (Options.cache + Options.fetch + Options.images).filter {
            !["database", "media-dir", "placeholder"].contains($0.flag)
        }.map(\.flag))
    func optionsReachThePipeline(flag: String) throws {
        let values = [
            "cache-dir": "elsewhere", "memory-extension": "none", "disk-extension": "cache-time",
            "allow-origin": "a.example",
            "allow-redirect-to": "b.example", "environment-proxies": "true", "allow-svg": "true", "ca-file": #filePath,
        ]
        let spec = try #require(Options.all.first { $0.flag == flag })
        let value = values[flag] ?? (spec.placeholder == "SIZE" ? "3MiB" : spec.placeholder == "N" ? "11" : "7h")
        let changed = try settings([flag: [value]]).pipelineConfiguration()
        #expect(String(describing: changed) != String(describing: try settings([:]).pipelineConfiguration()))
    }

    @Test(
        "R-08 each option of the server changes its configuration",
        arguments: [
            ("listen", "127.0.0.2:81"), ("open", "true"), ("max-connections", "7"),
            ("max-connections-per-address", "7"),
            ("idle-timeout", "7s"), ("shutdown-grace", "7s"), ("ready-delay", "7s"), ("photo-max-age", "7s"),
            ("photo-urls", "proxied"),
        ])
    func optionsReachTheServer(flag: String, value: String) throws {
        let changed = try settings([flag: [value]]).serverConfiguration()
        #expect(String(describing: changed) != String(describing: try settings([:]).serverConfiguration()))
    }

    @Test func proxiedPhotoURLsBeginWithThePublicURL() throws {
        func photoURLs(_ given: [String: [String]]) throws -> PhotoURLs {
            try settings(given).serverConfiguration().photoURLs
        }
        #expect(try photoURLs([:]) == .direct)
        #expect(try photoURLs(["public-url": ["https://h.example"]]) == .direct(base: "https://h.example"))
        #expect(try photoURLs(["photo-urls": ["proxied"]]) == .proxied(base: ""))
        for (text, base) in [
            ("https://photos.school.example", "https://photos.school.example"),
            ("http://h.example:8080/", "http://h.example:8080"),
            ("HTTPS://H.example/halcyon/", "https://h.example/halcyon"),
        ] {
            #expect(try photoURLs(["photo-urls": ["proxied"], "public-url": [text]]) == .proxied(base: base))
        }
    }

    @Test(arguments: [
        "", "photos.school.example", "/photos", "ftp://h.example", "https://u@h.example", "https://h.example/?a",
        "https://h.example/#a", "https://h.example?", "https://", "https://h.example/\n",
    ])
    func otherPublicURLsAreRefused(text: String) {
        #expect(throws: UsageError.self) { try settings(["public-url": [text]]) }
    }

    @Test func theDefaultsOfTheContractHold() throws {
        let configuration = try settings([:]).pipelineConfiguration()
        #expect(configuration.cacheFolder == "cache")
        #expect(configuration.memory.limitBytes == 268_435_456)
        #expect(configuration.memory.expiration == .seconds(300))
        #expect(configuration.disk.limitBytes == 2_147_483_648)
        #expect(configuration.disk.expiration == .days(7))
        #expect(configuration.staleIfError == .seconds(604_800))
        #expect(configuration.negativeExpiration == .seconds(60))
        #expect(configuration.fetch.connectTimeout == .seconds(3))
        #expect(configuration.fetch.timeout == .seconds(15))
        #expect(configuration.fetch.retries == 3)
        #expect(configuration.fetch.maximumPerHost == 8)
        #expect(configuration.limits.maximumImageBytes == 10_485_760)
        #expect(configuration.limits.maximumPixels == 50_000_000)
        #expect(configuration.origins.isEmpty)
    }

    @Test func originsOfTheFileAndTheCommandLineAreJoined() throws {
        let settings = try settings(
            ["allow-origin": ["photos.example=10.1.0.0/16", "other.example"]],
            file: """
                {"origins": [{"host": "photos.example", "addresses": ["10.2.0.0/16"], "memoryOnly": true, "expiry": "0",
                  "headers": {"X-Key": "k"}, "credentials": {"environment": "TOKEN"}, "droppedQueryItems": ["sig"]}]}
                """)
        #expect(
            try settings.allowedOrigins() == [
                Origin(
                    host: "photos.example", addresses: ["10.2.0.0/16", "10.1.0.0/16"], expiration: .seconds(0),
                    isMemoryOnly: true, headers: ["X-Key": "k"], authorization: "Bearer t", droppedQueryItems: ["sig"]),
                Origin(host: "other.example"),
            ])
    }

    @Test(arguments: [#"{"environment": "NOWHERE"}"#, #"{"file": "/nonexistent"}"#])
    func aSecretThatIsNotThereIsRefused(reference: String) throws {
        let settings = try settings([:], file: #"{"origins": [{"host": "a", "credentials": \#(reference)}]}"#)
        #expect(throws: UsageError.self) { try settings.allowedOrigins() }
    }

    @Test func signingKeysComeFromAFileOrTheVariableItself() throws {
        let folder = try TemporaryFolder()
        let key = String(repeating: "0123456789abcdef", count: 4)
        try Data((key + "\n").utf8).write(to: URL(filePath: folder.file("keys")))
        #expect(try settings(["sign-keys": [folder.file("keys")]]).signingKeys()?.count == 1)
        func byVariable(_ text: String) throws -> Settings {
            try Settings(specs: Options.all, given: [:], environment: ["HALCYON_SIGN_KEYS": text], file: nil)
        }
        let second = String(key.reversed())
        #expect(try byVariable("\(key) \(second)").signingKeys()?.count == 2)
        #expect(try byVariable(folder.file("keys")).signingKeys()?.count == 1)
        let printed = try byVariable(key).effectiveConfiguration(of: Options.all).text()
        #expect(!printed.contains(key))
        #expect(try settings([:]).signingKeys() == nil)
    }
}
