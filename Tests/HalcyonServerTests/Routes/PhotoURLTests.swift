import HalcyonRecords
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct PhotoURLTests {
    static func run(base: String, _ body: (ServiceHarness) async throws -> Void) async throws {
        try await ServiceHarness.run(.init(server: { $0.photoURLs = .proxied(base: base) }), body)
    }

    static func urls(_ response: RawResponse, _ key: String = "profileImageURL") -> [String?] {
        let result = response.json["result"]
        let list = result as? [[String: Any]] ?? (result as? [String: Any]).map { [$0] } ?? []
        return list.map { $0[key] as? String }
    }

    @Test(
        "K-08 every route shows the photo under Halcyon's own URL, whatever the request says of its host",
        arguments: ["", "https://photos.school.example/halcyon"])
    func everyRouteShowsTheProxiedURL(base: String) async throws {
        try await Self.run(base: base) { service in
            service.serve("/1.png", SampleImage.png())
            let id = try await service.student(1, photo: "/1.png")
            let start = "\(base)/students/\(id)/photo?v="
            let forged = [
                ("X-Forwarded-Host", "evil.example"), ("X-Forwarded-Proto", "https"),
                ("Forwarded", "host=evil.example"),
            ]
            let added = try await service.post("/guidances", #"{"studentID":\#(id),"reason":"무단횡단"}"#)
            let guidanceID = try #require((added.json["result"] as? [String: Any])?["guidanceID"] as? Int)
            var answers = [added]
            for target in [
                "/students/\(id)", "/students/search?id=\(id)", "/students/search?grade=1&classNumber=1&number=1",
                "/students", "/guidances",
            ] {
                answers.append(try await service.get(target, forged))
            }
            _ = try await service.post("/guidances", #"{"studentID":\#(id),"reason":"무단횡단"}"#)
            answers.append(try await service.get("/guidances/\(guidanceID)", method: "DELETE"))
            answers.append(try await service.post("/guidances/\(guidanceID)/restore", ""))
            for answer in answers {
                #expect(answer.status == 200)
                let urls = Self.urls(answer)
                #expect(!urls.isEmpty)
                #expect(urls.allSatisfy { $0?.hasPrefix(start) == true })
                #expect(!answer.text.contains(service.origin.url("/")) && !answer.text.contains("evil"))
                if answer.text.contains("guidanceID") { #expect(Self.urls(answer, "profileURLImage") == urls) }
            }
            let url = try #require(Self.urls(answers[1]).first ?? nil)
            for _ in 0..<2 {
                #expect(try await service.get(String(url.dropFirst(base.count))).body == SampleImage.png())
            }
        }
    }

    @Test func theTokenChangesWhenAndOnlyWhenThePhotoDoes() async throws {
        try await Self.run(base: "") { service in
            let id = try await service.student(1, photo: "/1.png")
            func shown() async throws -> String? { Self.urls(try await service.get("/students/\(id)"))[0] }
            let first = try #require(try await shown())
            let old = try #require(try await service.records.student(id: id))
            try await service.records.update(
                Student(
                    id: id, grade: 2, classNumber: 3, number: 4, name: "other", profileImageURL: old.profileImageURL))
            #expect(try await shown() == first)
            try await service.changePhoto(of: id, to: "/2.png")
            let second = try #require(try await shown())
            #expect(second != first)
            try await service.changePhoto(of: id, to: nil)
            let answer = try await service.get("/students/\(id)")
            #expect(answer.text.contains("\"profileImageURL\":null"))
            try await service.changePhoto(of: id, to: "/1.png")
            #expect(try await shown() == first)
        }
    }
}
