import HalcyonRecords
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// Requests as the older app sends them (OLD-CLIENTS.md, section A): every value a text.
@Suite(.timeLimit(.minutes(1)))
struct GuidanceRouteTests {
    static func withPupils(_ body: (ServiceHarness) async throws -> Void) async throws {
        try await ServiceHarness.run { service in
            try await service.student(1, photo: nil)
            try await service.student(2, photo: "/2.png")
            try await body(service)
        }
    }

    static func list(_ response: RawResponse) -> [[String: Any]] { response.json["result"] as? [[String: Any]] ?? [] }

    @Test func aGuidanceIsJoinedWithItsStudent() async throws {
        try await Self.withPupils { service in
            let added = try await service.post("/guidances", #"{"studentID":"202110102","reason":"복장 불량"}"#)
            #expect(added.status == 200)
            let guidance = try #require(added.json["result"] as? [String: Any])
            #expect(guidance["studentID"] as? Int == 202_110_102)
            #expect(guidance["name"] as? String == "김하나2")
            #expect(guidance["profileImageURL"] as? String == service.origin.url("/2.png"))
            #expect(guidance["profileURLImage"] as? String == service.origin.url("/2.png"))
            #expect(added.text.contains("\"detail\":null"))
            #expect(
                try await service.post("/guidances", #"{"studentID":202110101,"reason":"기타","detail":"복도"}"#).status
                    == 200)
            let all = Self.list(try await service.get("/guidances"))
            #expect(all.map { $0["detail"] as? String } == ["복도", nil])
            #expect(Self.list(try await service.get("/guidances?studentID=202110101")).count == 1)
            #expect(Self.list(try await service.get("/guidances?grade=2")).isEmpty)
        }
    }

    @Test func deletingAnswersWhatRemainsAndRestoringBringsBack() async throws {
        try await Self.withPupils { service in
            for reason in ["무단횡단", "실내화 없음"] {
                _ = try await service.post("/guidances", #"{"studentID":"202110101","reason":"\#(reason)"}"#)
            }
            let id = try #require(Self.list(try await service.get("/guidances")).first?["guidanceID"] as? Int)
            let remaining = try await RawClient.request(port: service.port, "DELETE", "/guidances/\(id)")
            #expect(Self.list(try #require(remaining)).map { $0["reason"] as? String } == ["무단횡단"])
            #expect(try await RawClient.request(port: service.port, "DELETE", "/guidances/\(id)")?.status == 404)
            #expect(Self.list(try await service.get("/guidances?status=deleted")).count == 1)
            #expect(try await service.post("/guidances/\(id)/restore", "").status == 200)
            #expect(Self.list(try await service.get("/guidances")).count == 2)
        }
    }

    @Test(arguments: [
        (#"{"reason":"기타"}"#, 2001, "studentID"), (#"{"studentID":"x","reason":"기타"}"#, 2002, "studentID"),
        (#"{"studentID":202110101}"#, 2001, "reason"),
        (#"{"studentID":202110101,"reason":"없는 이유"}"#, 2003, "reason"),
        (#"{"studentID":202110101,"reason":1}"#, 2002, "reason"),
        (#"{"studentID":202110101,"reason":"무단횡단","detail":"x"}"#, 2003, "detail"), (#"{"studentID":"#, 2006, ""),
    ])
    func mistakesAreNamed(body: String, code: Int, field: String) async throws {
        try await Self.withPupils { service in
            let response = try await service.post("/guidances", body)
            #expect(response.status == 400)
            #expect(response.code == code)
            #expect((response.json["message"] as? String)?.hasPrefix(field) == true)
        }
    }

    @Test func whoIsNotThereIs404AndWhatIsValidAlready409() async throws {
        try await Self.withPupils { service in
            let unknown = try await service.post("/guidances", #"{"studentID":"1","reason":"기타"}"#)
            #expect(unknown.status == 404)
            #expect(unknown.code == 3001)
            #expect((unknown.json["message"] as? String)?.hasPrefix("studentID") == true)
            _ = try await service.post("/guidances", #"{"studentID":202110101,"reason":"기타"}"#)
            let restored = try await service.post("/guidances/1/restore", "")
            #expect(restored.status == 409)
            #expect(restored.code == 3000)
            #expect(try await service.post("/guidances/9/restore", "").status == 404)
        }
    }

    @Test func deletingAnswersInThePageThatIsAskedFor() async throws {
        try await Self.withPupils { service in
            for student in [1, 1, 1, 2] {
                _ = try await service.post("/guidances", #"{"studentID":20211010\#(student),"reason":"무단횡단"}"#)
            }
            let answer = try await service.get("/guidances/1?studentID=202110101&limit=1", method: "DELETE")
            #expect(Self.list(answer).map { $0["guidanceID"] as? Int } == [3])
            let next = try #require(answer.json["next"] as? String)
            let rest = try await service.get("/guidances?studentID=202110101&limit=1&after=\(next)")
            #expect(Self.list(rest).map { $0["guidanceID"] as? Int } == [2])
            #expect(rest.json["next"] == nil)
            #expect(try await service.get("/guidances?limit=0").code == 2003)
            #expect(try await service.get("/guidances/2?limit=x", method: "DELETE").code == 2002)
            #expect(Self.list(try await service.get("/guidances")).count == 3)
        }
    }

    @Test func countsAreOfAPeriodAndAGrouping() async throws {
        try await Self.withPupils { service in
            for student in [1, 1, 2] {
                _ = try await service.post("/guidances", #"{"studentID":20211010\#(student),"reason":"무단횡단"}"#)
            }
            let byStudent = Self.list(try await service.get("/guidances/counts?by=student&from=2020-01-01"))
            #expect(byStudent.map { $0["count"] as? Int } == [2, 1])
            #expect(byStudent.first?["name"] as? String == "김하나1")
            let byClass = Self.list(try await service.get("/guidances/counts?grade=1"))
            #expect(byClass.map { $0["count"] as? Int } == [3])
            #expect(byClass.first?["studentID"] == nil)
            #expect(Self.list(try await service.get("/guidances/counts?to=2020-01-01")).isEmpty)
            for (query, code) in [("by=week", 2003), ("from=soon", 2002), ("grade=0", 2003)] {
                #expect(try await service.get("/guidances/counts?\(query)").code == code)
            }
        }
    }
}
