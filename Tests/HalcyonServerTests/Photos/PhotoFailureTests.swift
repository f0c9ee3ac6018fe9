import Foundation
import Halcyon
import HalcyonHTTP
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// What an answer says of a failure that it covers up: whether anybody was asked, and for how long it lasts.
@Suite(.timeLimit(.minutes(1)))
struct PhotoFailureTests {
    static func maximumAge(_ response: RawResponse) -> Int? {
        if response["Cache-Control"] == "no-cache" { return 0 }
        return response["Cache-Control"]?.firstMatch(of: #/max-age=(\d+)/#).flatMap { Int($0.1) }
    }

    @Test func aRememberedFailureIsKeptNoLongerThanItIsRemembered() async throws {
        try await ServiceHarness.run(.init(pipeline: { $0.negativeExpiration = .seconds(60) })) { service in
            service.origin.on("/1.png") { $0.respond(404) }
            for query in ["", "&placeholder=none"] {
                let response = try await service.get(service.imageTarget("/1.png") + query)
                #expect(Self.maximumAge(response) ?? 61 <= 60)
            }
            // A first 404 is remembered for half of it.
            service.clock.advance(by: 25)
            for query in ["", "&placeholder=none"] {
                let response = try await service.get(service.imageTarget("/1.png") + query)
                #expect(Self.maximumAge(response) ?? 61 <= 5)
            }
            #expect(service.origin.requests().count == 1)
        }
    }

    @Test(arguments: [
        (Duration?.none, "max-age=60"), (.seconds(90), "max-age=60"), (.seconds(7), "max-age=7"),
        (.milliseconds(7900), "max-age=7"), (.milliseconds(400), "no-cache"),
    ])
    func aPlaceholderEndsWithItsFailure(wait: Duration?, expected: String) throws {
        let error = ImagePipeline.Error(.breakerOpen, "the origin has failed too often", retryAfter: wait)
        let answer = PlaceholderAnswer(PlaceholderPolicy(image: ServiceHarness.placeholder)).answer(
            to: try #require(PhotoFailure(error)), with: PlaceholderPicture([1], contentType: "image/png"),
            method: "GET", fields: HTTPFields(), isWanted: true, now: Date())
        #expect(answer.fields.contains { $0 == ("Cache-Control", expected) })
    }

    @Test("RFC 9211 §2.1: a stale copy that is sent before the origin is asked is a hit")
    func aStaleCopySentAtOnceIsAHit() async throws {
        try await ServiceHarness.run(.init(pipeline: { $0.staleWhileRevalidate = .seconds(3600) })) { service in
            service.serve("/1.png")
            let target = service.imageTarget("/1.png")
            _ = try await service.get(target)
            service.clock.advance(by: 7 * 86_400 + 60)
            let response = try await service.get(target + "&again")
            let status = try #require(response["Cache-Status"])
            #expect(status.hasPrefix("halcyon; hit; ttl=-") && status.hasSuffix("detail=revalidating"), "\(status)")
        }
    }

    @Test func aStaleCopyThatIsReplacedSaysSo() async throws {
        try await ServiceHarness.run(.init(pipeline: { $0.staleWhileRevalidate = .zero })) { service in
            service.serve("/1.png")
            let target = service.imageTarget("/1.png")
            _ = try await service.get(target)
            service.clock.advance(by: 7 * 86_400 + 60)
            service.serve("/1.png", SampleImage.png(seed: 2))
            let status = try #require(try await service.get(target + "&again")["Cache-Status"])
            #expect(status.hasPrefix("halcyon; fwd=stale; fwd-status=200; "), "\(status)")
        }
    }

    @Test("an answer for which nobody was asked does not say that the origin was (RFC 9211 §2.2)")
    func onlyWhatWasForwardedSaysSo() async throws {
        try await ServiceHarness.run { service in
            service.origin.on("/1.png") { $0.respond(404) }
            let target = service.imageTarget("/1.png")
            let asked = try await service.get(target)
            #expect(asked["Cache-Status"] == "halcyon; fwd=uri-miss; detail=missing")
            let remembered = try await service.get(target)
            #expect(remembered["Cache-Status"] == "halcyon; detail=missing")
            let blocked = try await service.get("/images?url=http%3A%2F%2Fother.example%2F1.png")
            #expect(blocked["Cache-Status"] == "halcyon; detail=blocked-host")
        }
    }
}
