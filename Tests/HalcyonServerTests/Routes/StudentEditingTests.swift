import Halcyon
import HalcyonRecords
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct StudentEditingTests {
    private static func put(_ service: ServiceHarness, _ id: Int, _ body: String) async throws -> RawResponse {
        try #require(try await RawClient.request(port: service.port, "PUT", "/students/\(id)", body: body))
    }

    @Test func aStudentIsAddedWithOrWithoutAnId() async throws {
        try await ServiceHarness.run { service in
            let free = try await service.post(
                "/students",
                #"{"id":"7","grade":"1","classNumber":"2","number":"3","name":" 김하나 ","profileImageURL":"https://h.example/1.jpg"}"#
            )
            #expect(free.status == 200)
            let student = try #require(free.json["result"] as? [String: Any])
            #expect(student["id"] as? Int == 7)
            #expect(student["name"] as? String == "김하나")
            #expect(student["profileImageURL"] as? String == "https://h.example/1.jpg")
            let byRule = try await service.post(
                "/students", #"{"schoolYear":2021,"grade":1,"classNumber":1,"number":7,"name":"나"}"#)
            #expect((byRule.json["result"] as? [String: Any])?["id"] as? Int == 202_110_107)
            #expect(byRule.text.contains("\"profileImageURL\":null"))
        }
    }

    @Test(arguments: [
        ("{}", 400, 2001, "grade"), (#"{"grade":1,"classNumber":1,"number":2}"#, 400, 2001, "name"),
        (#"{"grade":"x","classNumber":1,"number":2,"name":"a"}"#, 400, 2002, "grade"),
        (#"{"grade":1,"classNumber":1.5,"number":2,"name":"a"}"#, 400, 2002, "classNumber"),
        (#"{"grade":1,"classNumber":1,"number":100,"name":"a"}"#, 400, 2003, "number"),
        (#"{"grade":1,"classNumber":1,"number":2,"name":7}"#, 400, 2002, "name"),
        (#"{"grade":1,"classNumber":1,"number":2,"name":"a\u0000b"}"#, 400, 2003, "name"),
        (#"{"grade":1,"classNumber":1,"number":2,"name":" "}"#, 400, 2003, "name"),
        (
            #"{"grade":1,"classNumber":1,"number":2,"name":"a","profileImageURL":"ftp://h/"}"#, 400, 2003,
            "profileImageURL"
        ),
        (
            #"{"grade":1,"classNumber":1,"number":2,"name":"a","profileImageURL":"https://u:p@h/"}"#, 400, 2003,
            "profileImageURL"
        ),
        (
            #"{"grade":1,"classNumber":1,"number":2,"name":"a","profileImageURL":"/a.jpg"}"#, 400, 2003,
            "profileImageURL"
        ),
        (#"{"id":0,"grade":1,"classNumber":1,"number":2,"name":"a"}"#, 400, 2003, "id"),
        (#"{"id":202110101,"grade":1,"classNumber":1,"number":2,"name":"a"}"#, 409, 3000, "id"),
        (#"{"id":9,"grade":1,"classNumber":1,"number":1,"name":"a"}"#, 409, 3000, "number"), ("[]", 400, 2006, ""),
    ])
    func mistakesAreNamed(body: String, status: Int, code: Int, field: String) async throws {
        try await ServiceHarness.run { service in
            try await service.student(1, photo: nil)
            let response = try await service.post("/students", body)
            #expect(response.status == status)
            #expect(response.code == code)
            #expect((response.json["message"] as? String)?.hasPrefix(field) == true)
            #expect(try await service.records.allStudents().count == 1)
        }
    }

    @Test func whatIsGivenIsChangedAndTheRestStays() async throws {
        try await ServiceHarness.run { service in
            let id = try await service.student(1, photo: "/1.png")
            try await service.student(2, photo: nil)
            let renamed = try await Self.put(service, id, #"{"name":"새 이름","id":"\#(id)"}"#)
            let student = try #require(renamed.json["result"] as? [String: Any])
            #expect(student["name"] as? String == "새 이름")
            #expect(student["number"] as? Int == 1)
            #expect(student["profileImageURL"] as? String == service.origin.url("/1.png"))
            for (body, status, code) in [
                (#"{"number":2}"#, 409, 3000), (#"{"id":5}"#, 400, 2004), ("{}", 400, 2001),
                (#"{"grade":"0"}"#, 400, 2003),
            ] {
                let refused = try await Self.put(service, id, body)
                #expect(refused.status == status)
                #expect(refused.code == code)
            }
            #expect(try await Self.put(service, 999, #"{"name":"a"}"#).status == 404)
            let bare = try await Self.put(service, id, #"{"profileImageURL":null}"#)
            #expect(bare.text.contains("\"profileImageURL\":null"))
        }
    }

    /// A client that sends back what it was shown does not make the service its own origin.
    @Test func theProxiedURLSentBackLeavesThePhoto() async throws {
        var adjustments = ServiceHarness.Adjustments()
        adjustments.server = { $0.photoURLs = .proxied(base: "http://photos.school.example") }
        try await ServiceHarness.run(adjustments) { service in
            let id = try await service.student(1, photo: "/1.png")
            let shown = try #require(
                (try await service.get("/students/\(id)").json["result"] as? [String: Any])?["profileImageURL"]
                    as? String)
            #expect(try await Self.put(service, id, #"{"profileImageURL":"\#(shown)","number":9}"#).status == 200)
            #expect(try await service.records.student(id: id)?.profileImageURL == service.origin.url("/1.png"))
        }
    }

    @Test("F-11: the photo that a student had is in no cache any more")
    func anotherURLAndARemovalDropWhatIsCached() async throws {
        try await ServiceHarness.run { service in
            service.serve("/1.png")
            let id = try await service.student(1, photo: "/1.png")
            #expect(try await service.get("/students/\(id)/photo").status == 200)
            #expect(
                try await Self.put(service, id, #"{"profileImageURL":"\#(service.origin.url("/2.png"))"}"#).status
                    == 200)
            #expect(try await service.pipeline.purge(.url(service.origin.url("/1.png")), isDryRun: true).count == 0)
            service.serve("/2.png")
            #expect(try await service.get("/students/\(id)/photo").status == 200)
            let removed = try await service.get("/students/\(id)", method: "DELETE")
            #expect((removed.json["result"] as? [String: Any])?["id"] as? Int == id)
            #expect(try await service.pipeline.purge(.url(service.origin.url("/2.png")), isDryRun: true).count == 0)
            #expect(try await service.get("/students/\(id)", method: "DELETE").status == 404)
            #expect(try await service.get("/students/\(id)/photo").status == 404)
        }
    }
}
