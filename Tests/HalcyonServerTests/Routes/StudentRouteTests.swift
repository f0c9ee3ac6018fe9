import HalcyonRecords
import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct StudentRouteTests {
    static func withClass(_ body: (ServiceHarness) async throws -> Void) async throws {
        try await ServiceHarness.run { service in
            for number in 1...3 { try await service.student(number, photo: number == 1 ? nil : "/\(number).png") }
            try await service.records.add(
                Student(id: 202_120_101, grade: 2, classNumber: 1, number: 1, name: "Park Semi", profileImageURL: nil))
            try await body(service)
        }
    }

    /// OLD-CLIENTS.md, section A: keys of `numOfStudents` are numbers in quotes.
    @Test func totalsAreByGradeAndClass() async throws {
        try await Self.withClass { service in
            let json = try await service.get("/students/totalNumber").json
            #expect(json["isSuccess"] as? Bool == true)
            #expect(json["code"] as? Int == 1000)
            let result = try #require(json["result"] as? [String: Any])
            #expect(result["numOfClasses"] as? [String: Int] == ["1": 1, "2": 1])
            #expect(result["numOfStudents"] as? [String: [String: Int]] == ["1": ["1": 3], "2": ["1": 1]])
        }
    }

    @Test func aStudentIsFoundByIdOrSeat() async throws {
        try await Self.withClass { service in
            for target in [
                "/students/search?id=202110101", "/students/202110101",
                "/students/search?grade=1&classNumber=1&number=1",
            ] {
                let response = try await service.get(target)
                #expect(response.status == 200)
                #expect(response["Content-Type"] == "application/json; charset=utf-8")
                let student = try #require(response.json["result"] as? [String: Any])
                #expect(student["id"] as? Int == 202_110_101)
                #expect(student["name"] as? String == "김하나1")
                // Present and null, as older clients decode it.
                #expect(response.text.contains("\"profileImageURL\":null"))
            }
        }
    }

    @Test(arguments: [
        ("/students/search?id=999", 404, 3001, ""), ("/students/999", 404, 3001, ""),
        ("/students/search", 400, 2001, "grade"),
        ("/students/search?grade=1&classNumber=1", 400, 2001, "number"), ("/students/search?id=abc", 400, 2002, "id"),
        ("/students/search?grade=100&classNumber=1&number=1", 400, 2003, "grade"),
        ("/students?limit=0", 400, 2003, "limit"),
        ("/students?after=x", 400, 2003, "after"), ("/students?grade=one", 400, 2002, "grade"),
        ("/nowhere", 404, 3001, ""),
        ("/students/", 404, 3001, ""),
    ])
    func mistakesAreNamed(target: String, status: Int, code: Int, field: String) async throws {
        try await Self.withClass { service in
            let response = try await service.get(target)
            #expect(response.status == status)
            #expect(response.code == code)
            #expect(response.json["isSuccess"] as? Bool == false)
            #expect((response.json["message"] as? String)?.hasPrefix(field) == true)
        }
    }

    @Test func listsComeInOrderAndInPages() async throws {
        try await Self.withClass { service in
            var ids: [Int] = []
            var next: String? = ""
            while let after = next {
                let json = try await service.get("/students?limit=2" + (after.isEmpty ? "" : "&after=\(after)")).json
                ids += (json["result"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? Int }
                next = json["next"] as? String
            }
            #expect(ids == [202_110_101, 202_110_102, 202_110_103, 202_120_101])
            let named = try await service.get("/students?q=%EA%B9%80%ED%95%98%EB%82%982&grade=1").json
            #expect((named["result"] as? [[String: Any]])?.count == 1)
        }
    }

    @Test func otherMethodsAre405WithAllow() async throws {
        try await Self.withClass { service in
            let response = try await service.post("/students/totalNumber", "{}")
            #expect(response.status == 405)
            #expect(response["Allow"] == "GET, HEAD")
            #expect(response.code == 2004)
        }
    }
}
