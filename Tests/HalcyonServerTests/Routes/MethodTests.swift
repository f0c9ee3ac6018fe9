import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct MethodTests {
    /// RFC 9110 §9.1, §15.5.6, §15.6.2. Methods are case-sensitive.
    @Test(arguments: [
        ("BREW", "/students", 501), ("get", "/students", 501), ("PROPFIND", "/nowhere", 501),
        ("PATCH", "/students", 405),
        ("DELETE", "/students", 405), ("OPTIONS", "/students", 405), ("TRACE", "/healthz", 405),
        ("PUT", "/users/signin", 405), ("PUT", "/students/search", 405), ("PUT", "/nowhere", 404),
        ("GET", "*", 400),
    ])
    func unknownMethodsAreNotImplemented(method: String, target: String, status: Int) async throws {
        try await ServiceHarness.run { service in
            let response = try await service.get(target, method: method)
            #expect(response.status == status)
            #expect((response["Allow"] != nil) == (status == 405))
            #expect((response.json["isSuccess"] ?? response.json["success"]) as? Bool == false)
        }
    }

    @Test func optionsOfTheServerAreTold() async throws {
        try await ServiceHarness.run { service in
            let response = try await service.get("*", method: "OPTIONS")
            #expect(response.status == 204)
            #expect(response["Allow"] == "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT")
        }
    }
}
