import Halcyon
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct PlaceholderTests {
    /// What an origin does, and what it comes to: marker, status without placeholder, token.
    static let failures: [(path: String, marker: String, status: Int, token: String)] = [
        ("/missing", "no-photo", 404, "missing"), ("/gone", "no-photo", 404, "missing"),
        ("/html", "unavailable", 502, "not-an-image"), ("/empty", "unavailable", 502, "empty"),
        ("/broken", "unavailable", 502, "origin-status"), ("/closed", "unavailable", 502, "truncated"),
        ("/slow", "unavailable", 504, "timeout"),
    ]

    static func withMisbehavingOrigin(
        server: @escaping (inout ServerConfiguration) -> Void = { _ in }, _ body: (ServiceHarness) async throws -> Void
    ) async throws {
        try await ServiceHarness.run(.init(pipeline: { $0.fetch.timeout = .milliseconds(700) }, server: server)) {
            service in
            service.origin.on("/missing") { $0.respond(404) }
            service.origin.on("/gone") { $0.respond(410) }
            service.origin.on("/html") {
                $0.respond(200, fields: [("Content-Type", "image/png")], body: Array("<html>".utf8))
            }
            service.origin.on("/empty") { $0.respond(200) }
            service.origin.on("/broken") { $0.respond(500, body: SampleImage.png()) }
            service.origin.on("/closed") { exchange in
                exchange.head(200, declaring: 1000)
                exchange.closeNow()
            }
            service.origin.on("/slow") { $0.waitForClose() }
            try await body(service)
        }
    }

    @Test("F-01 R-06 R-11 F-02 F-05 F-09 S-15 HB-106 every failure ends in a marked, short-lived placeholder")
    func failuresShowThePlaceholder() async throws {
        try await Self.withMisbehavingOrigin { service in
            for failure in Self.failures {
                let response = try await service.get(service.imageTarget(failure.path))
                #expect(response.status == 200, "\(failure.path)")
                #expect(response.body == ServiceHarness.placeholder.bytes)
                #expect(response["X-Halcyon-Placeholder"] == failure.marker, "\(failure.path)")
                #expect(response["Cache-Control"] == "max-age=60")
                #expect(response["Halcyon-Reason"] == failure.token, "\(failure.path)")
                #expect(response["Cache-Status"]?.contains("detail=\(failure.token)") == true)
                #expect(response["Location"] == nil)
                // CONTRACT.md: every image answer has it.
                #expect(response["Age"] == "0")
                #expect(response["Content-Type"] == "image/png")
            }
        }
    }

    @Test("F-13 X-05 R-17 without a placeholder missing is 404, bad 502, slow 504, with a reason from a closed list")
    func failuresWithoutPlaceholder() async throws {
        let tokens = Set(ImagePipeline.Error.Reason.allCases.map(\.rawValue) + ["no-photo"])
        try await Self.withMisbehavingOrigin { service in
            for failure in Self.failures {
                let response = try await service.get(service.imageTarget(failure.path) + "&placeholder=none")
                #expect(response.status == failure.status, "\(failure.path)")
                #expect(response["Halcyon-Reason"] == failure.token, "\(failure.path)")
                #expect(tokens.contains(response["Halcyon-Reason"] ?? ""))
                #expect(response["X-Halcyon-Placeholder"] == nil)
                #expect(response["Content-Type"] == "application/json; charset=utf-8")
                #expect(response.json["isSuccess"] as? Bool == false)
            }
            let id = try await service.student(photo: nil)
            let none = try await service.get("/students/\(id)/photo?placeholder=none")
            #expect(none.status == 404)
            #expect(none["Halcyon-Reason"] == "no-photo")
            #expect(none.code == 3001)
        }
    }

    /// Every cause with every setting: status × whether the cause has the placeholder.
    @Test(
        "F-03 status, lifetime and causes are separate settings", arguments: [PlaceholderPolicy.Status.ok, .failure],
        [0, 60, 5])
    func settings(status: PlaceholderPolicy.Status, seconds: Int) async throws {
        let covered: Set<PlaceholderPolicy.Cause> = [.missing, .timeout, .noPhoto]
        let adjust: (inout ServerConfiguration) -> Void = {
            $0.placeholder.status = status
            $0.placeholder.maximumAgeSeconds = seconds
            $0.placeholder.causes = covered
        }
        try await Self.withMisbehavingOrigin(server: adjust) { service in
            for (path, expected, isCovered) in [("/missing", 404, true), ("/slow", 504, true), ("/html", 502, false)] {
                let response = try await service.get(service.imageTarget(path))
                #expect(response.status == (isCovered && status == .ok ? 200 : expected))
                #expect((response["X-Halcyon-Placeholder"] != nil) == isCovered)
                #expect(response["Cache-Control"] == (seconds == 0 ? "no-cache" : "max-age=\(seconds)"))
            }
            let id = try await service.student(photo: nil)
            let response = try await service.get("/students/\(id)/photo")
            #expect(response.status == (status == .ok ? 200 : 404))
            #expect(response["X-Halcyon-Placeholder"] == "no-photo")
        }
    }

    @Test("E-09 F-04 HB-105 the placeholder has its own ETag and gives way to the photo when that can be had")
    func placeholderGivesWay() async throws {
        try await ServiceHarness.run(.init(pipeline: { $0.negativeExpiration = .seconds(60) })) { service in
            let photo = SampleImage.png(width: 20, height: 20, seed: 3)
            service.origin.on("/1.png") { $0.respond(503) }
            let id = try await service.student(photo: "/1.png")
            let target = "/students/\(id)/photo"
            let standIn = try await service.get(target)
            #expect(standIn["X-Halcyon-Placeholder"] == "unavailable")
            let tag = try #require(standIn["ETag"])
            #expect(try await service.get(target, [("If-None-Match", tag)]).status == 304)
            service.serve("/1.png", photo)
            service.clock.advance(by: 61)
            let response = try await service.get(target, [("If-None-Match", tag)])
            #expect(response.status == 200)
            #expect(response.body == photo)
            #expect(response["ETag"] != tag)
            #expect(response["X-Halcyon-Placeholder"] == nil)
        }
    }

    @Test("F-06 a missing photo is asked for once in its negative lifetime")
    func missingIsRemembered() async throws {
        try await ServiceHarness.run { service in
            let id = try await service.student(photo: "/none.png")
            for _ in 0..<50 { _ = try await service.get("/students/\(id)/photo") }
            #expect(service.origin.requests(to: "/none.png").count == 1)
        }
    }

    @Test func onlyAnUnknownStudentIsNotFound() async throws {
        try await ServiceHarness.run { service in
            let response = try await service.get("/students/1/photo")
            #expect(response.status == 404)
            #expect(response.code == 3001)
            #expect(try await service.get("/students/x/photo").code == 2002)
            #expect(try await service.get("/students/0/photo").code == 2003)
        }
    }

    @Test("X-01 S-22 no answer has a type that a browser runs")
    func noActiveContent() async throws {
        try await ServiceHarness.run { service in
            let svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><script>1</script></svg>".utf8)
            service.origin.on("/a.svg") { $0.respond(200, fields: [("Content-Type", "image/svg+xml")], body: svg) }
            let targets = [
                service.imageTarget("/a.svg"), service.imageTarget("/a.svg") + "&placeholder=none", "/nowhere",
                "/healthz",
                "/metrics", "/students/1",
            ]
            for target in targets {
                let response = try await service.get(target)
                let type = response["Content-Type"] ?? ""
                for active in ["svg", "html", "xml", "javascript"] { #expect(!type.contains(active), "\(target)") }
                #expect(response["X-Content-Type-Options"] == "nosniff")
                #expect(response["Content-Security-Policy"] == "default-src 'none'; sandbox")
                #expect(response.body != svg)
            }
        }
    }
}
