import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// What a query may say, and what is said of one that is wrong.
@Suite(.timeLimit(.minutes(1)))
struct PhotoQueryTests {
    @Test(arguments: [
        ("placeholder=svg", 2003, "placeholder"), ("placeholder=", 2003, "placeholder"),
        ("placeholder=none&placeholder=none", 2004, "placeholder"), ("w=1&w=1", 2004, "w"),
        ("format=auto&format=auto", 2004, "format"),
    ])
    func whatIsWrongIsNamedOnEveryRoute(query: String, code: Int, name: String) async throws {
        try await ServiceHarness.run { service in
            service.serve("/1.png")
            let id = try await service.student(photo: "/1.png")
            for target in ["/students/\(id)/photo?", service.imageTarget("/1.png") + "&"] {
                let response = try await service.get(target + query)
                #expect(response.status == 400)
                #expect(response.code == code)
                #expect((response.json["message"] as? String)?.hasPrefix("\(name): accepted") == true)
            }
            #expect(service.origin.requests().isEmpty)
        }
    }

    @Test(arguments: [
        ("ftp%3A%2F%2Fh%2F", "neither http nor https"), ("http%3A%2F%2Fu%40h%2F", "user name"),
        ("http%3A%2F%2Fh%2F%25zz", "hexadecimal"), ("photo.png", "http:// or https://"),
        ("http%3A%2F%2Fh%3A0%2F", "port"), ("http%3A%2F%2F%2F", "no host"),
    ])
    func theTrueReasonIsTold(url: String, reason: String) async throws {
        try await ServiceHarness.run { service in
            let response = try await service.get("/images?url=" + url)
            #expect(response.status == 400)
            #expect(response.code == 2003)
            let message = try #require(response.json["message"] as? String)
            #expect(message.hasPrefix("url: ") && message.contains(reason))
        }
    }

    @Test(arguments: ["/students?grade=1&grade=2", "/students?q=a&q=b", "/guidances?status=valid&status=deleted"])
    func recordsTakeAnItemOnceToo(target: String) async throws {
        try await ServiceHarness.run { service in
            let response = try await service.get(target)
            #expect(response.status == 400)
            #expect(response.code == 2004)
        }
    }

    @Test func twoURLsAreOneTooMany() async throws {
        try await ServiceHarness.run { service in
            let target = service.imageTarget("/1.png")
            let response = try await service.get(target + "&" + target.drop { $0 != "?" }.dropFirst())
            #expect(response.status == 400)
            #expect((response.json["message"] as? String)?.hasPrefix("url: ") == true)
        }
    }
}
