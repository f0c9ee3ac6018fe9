import Foundation
import Halcyon
import HalcyonCrypto
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct SignedImageRouteTests {
    static func keyring() throws -> SigningKeyring { try SigningKeyring(keys: [ImageURLSignerTests.keys[0]]) }

    @Test func aSignedURLIsServedUntilItExpires() async throws {
        let keyring = try Self.keyring()
        try await ServiceHarness.run(.init(server: { $0.signingKeys = keyring })) { service in
            let photo = SampleImage.png(width: 5, height: 5, seed: 5)
            service.serve("/1.png", photo)
            let signer = ImageURLSigner(keyring: keyring)
            let path = signer.path(
                forURL: service.origin.url("/1.png"), expiresAt: service.clock.now.addingTimeInterval(100))
            for _ in 0..<2 {
                let response = try await service.get(path)
                #expect(response.status == 200)
                #expect(response.body == photo)
            }
            service.clock.advance(by: 101)
            let expired = try await service.get(path + "?a")
            #expect(expired.status == 403)
            #expect(expired["Halcyon-Reason"] == "signature-expired")
        }
    }

    /// The parameters are signed: a client that was given a thumbnail cannot ask for the original or another size.
    @Test func theVariantIsSignedToo() async throws {
        let keyring = try Self.keyring()
        try await ServiceHarness.run(.init(server: { $0.signingKeys = keyring })) { (service) async throws in
            service.serve("/1.png", SampleImage.png(width: 40, height: 40, seed: 5))
            let variant = try ImageVariant("h=16&w=16&fit=cover").text
            let path = ImageURLSigner(keyring: keyring).path(
                forURL: service.origin.url("/1.png"), variant: variant, expiresAt: nil)
            #expect(path.hasSuffix("?w=16&h=16&fit=cover"))
            let bare = String(path.prefix { $0 != "?" })
            // The order of parameters, and what has no effect, say nothing else.
            for query in ["?w=16&h=16&fit=cover", "?fit=cover&h=16&w=16", "?w=16&h=16&fit=cover&dpr=1"] {
                #expect(try await service.get(bare + query).status == 200)
            }
            for query in ["", "?w=17&h=16&fit=cover", "?w=16&h=16", "?w=16&h=16&fit=cover&format=png"] {
                let refused = try await service.get(bare + query)
                #expect(refused.status == 403)
                #expect(refused["Halcyon-Reason"] == "signature-invalid")
            }
        }
    }

    @Test func noAnswerMayBeUsedForLongerThanItsSignature() async throws {
        let keyring = try Self.keyring()
        try await ServiceHarness.run(.init(server: { $0.signingKeys = keyring })) { service in
            service.serve("/1.png")
            let signer = ImageURLSigner(keyring: keyring)
            func path(_ name: String, _ seconds: TimeInterval?) -> String {
                signer.path(
                    forURL: service.origin.url(name), expiresAt: seconds.map { Date().addingTimeInterval($0) })
            }
            // A hit without an end first, so that a prepared answer is there to be used by mistake.
            for _ in 0..<2 {
                let left = try PhotoRouteTests.secondsLeft(try await service.get(path("/1.png", nil)))
                #expect(left > 200)
            }
            let short = path("/1.png", 100)
            // From the store, from memory, and with a condition.
            for fields in [[], [], [], [("If-None-Match", "*")]] {
                let left = try PhotoRouteTests.secondsLeft(try await service.get(short, fields))
                #expect((1...100).contains(left))
            }
            let long = try PhotoRouteTests.secondsLeft(try await service.get(path("/1.png", 10_000)))
            #expect(long > 200)
            let missing = try await service.get(path("/none.png", 20))
            #expect(PhotoFailureTests.maximumAge(missing) ?? 61 <= 20)
        }
    }

    @Test func aRememberedTargetExpiresToo() async throws {
        let keyring = try Self.keyring()
        try await ServiceHarness.run(.init(server: { $0.signingKeys = keyring })) { service in
            service.serve("/1.png")
            let signer = ImageURLSigner(keyring: keyring)
            // The hit path reads the machine's clock, so the signature ends by that clock.
            let path = signer.path(forURL: service.origin.url("/1.png"), expiresAt: Date().addingTimeInterval(1))
            while try await service.get(path).status == 200 { await Task.yield() }
            #expect(try await service.get(path).status == 403)
        }
    }

    @Test("K-10 the signature counts at its place alone, and a wrong one is refused")
    func wrongSignatures() async throws {
        let keyring = try Self.keyring()
        try await ServiceHarness.run(.init(server: { $0.signingKeys = keyring })) { service in
            service.serve("/1.png")
            let signer = ImageURLSigner(keyring: keyring)
            let good = signer.path(forURL: service.origin.url("/1.png"), expiresAt: nil)
            let parts = try ImageURLSignerTests.parts(good)
            let other = Base64URL.encode(Array(service.origin.url("/2.png").utf8))
            let targets = [
                "/images/\(parts.signature)/\(other)", "/images/x/\(parts.url)",
                "/images/\(parts.url)/\(parts.signature)",
                "/images/x/\(parts.url)?signature=\(parts.signature)",
                "/images/\(parts.signature.dropLast())/\(parts.url)",
            ]
            for target in targets {
                let response = try await service.get(target)
                #expect(response.status == 403, "\(target)")
                #expect(response["Halcyon-Reason"] == "signature-invalid")
                // HEAD asks for the same proof.
                #expect(try await service.get(target, method: "HEAD").status == 403)
            }
            #expect(service.origin.requests().isEmpty)
        }
    }

    @Test("S-19 a valid signature does not open a host that is not on the list, nor an address that is blocked")
    func policyStillHolds() async throws {
        let keyring = try Self.keyring()
        let adjust: (inout ServerConfiguration) -> Void = { $0.signingKeys = keyring }
        try await ServiceHarness.run(.init(pipeline: { $0.origins = [.init(host: "127.0.0.1")] }, server: adjust)) {
            service in
            service.serve("/1.png")
            let signer = ImageURLSigner(keyring: keyring)
            for (url, token) in [
                ("http://localhost:\(service.origin.port)/1.png", "blocked-host"),
                (service.origin.url("/1.png"), "blocked-address"),
            ] {
                let path = signer.path(forURL: url, expiresAt: nil)
                let response = try await service.get(path + "?placeholder=none")
                #expect(response.status == 502)
                #expect(response["Halcyon-Reason"] == token)
                #expect(try await service.get(path)["X-Halcyon-Placeholder"] == "unavailable")
            }
            #expect(service.origin.acceptedConnections == 0)
        }
    }

    @Test func withoutAKeyNoSignatureIsValid() async throws {
        try await ServiceHarness.run { service in
            let signer = ImageURLSigner(keyring: try Self.keyring())
            let path = signer.path(forURL: service.origin.url("/1.png"), expiresAt: nil)
            #expect(try await service.get(path).status == 403)
        }
    }
}
