import Foundation
import HalcyonRecords
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// Whatever is refused, the app that called decodes why: no failure comes in another form than its route's answers.
@Suite(.timeLimit(.minutes(1)))
struct FailureDecodingTests {
    private struct BareFailure: Decodable {
        let error: String
    }

    private static func check(_ response: RawResponse, _ route: Route, _ what: String) throws {
        // What succeeds, or has no body to decode, is no failure.
        guard response.status >= 400 else { return }
        let body = Data(response.body)
        switch route.envelope {
        case .records:
            let failure = try JSONDecoder().decode(FaceCheckApp.Envelope<[String: String]>.self, from: body)
            #expect(!failure.isSuccess && failure.code >= 2000 && !failure.message.isEmpty, "\(what)")
        case .users:
            let failure = try JSONDecoder().decode(AccountApp.GenericResponse<AccountApp.Account>.self, from: body)
            #expect(!failure.success && failure.status == response.status && !failure.message.isEmpty, "\(what)")
            #expect(failure.data == nil, "\(what)")
        case .bare:
            #expect(try !JSONDecoder().decode(BareFailure.self, from: body).error.isEmpty, "\(what)")
        }
        #expect(response["Content-Type"] == "application/json; charset=utf-8", "\(what)")
    }

    @Test func everyRouteFailsInItsOwnEnvelope() async throws {
        try await ServiceHarness.run { service in
            let users = try await AccessTests.users(service.records)
            for route in service.server.routes {
                let target = route.path.replacing(/\{[^}]*\}/, with: "%C2%80")
                for method in route.methods where method != "HEAD" {
                    if case .events = route.note.answer { continue }
                    for (body, type) in [
                        ("{", "application/json"), ("[]", "application/json"), (#"{"a":1,"a":2}"#, "application/json"),
                        ("a=%ZZ", "application/x-www-form-urlencoded"), ("x", "text/csv"),
                        ("no boundary", "multipart/form-data"),
                    ] {
                        let token = try await AccessTests.token(users[.admin], service.records)
                        let response = try await service.send(
                            method, target, method == "GET" ? nil : body, type: type, [("token", token)])
                        #expect(response.status != 500, "\(method) \(target) \(body)")
                        try Self.check(response, route, "\(method) \(target) \(body)")
                    }
                    try Self.check(try await service.send(method, target, nil), route, "\(method) \(target) anonymous")
                }
                try Self.check(try await service.get(target, method: "TRACE"), route, "TRACE \(target)")
            }
        }
    }
}
