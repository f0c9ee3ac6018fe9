import Foundation
import HalcyonRecords
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// OLD-CLIENTS.md, section A. The types are the app's own: what it decodes, no more and no less optional.
enum FaceCheckApp {
    struct Envelope<Result: Decodable>: Decodable {
        let isSuccess: Bool
        let code: Int
        let message: String
        let result: Result?
    }

    struct Totals: Decodable {
        let numOfClasses: [Int: Int]
        let numOfStudents: [Int: [Int: Int]]
    }

    struct Student: Decodable {
        let id: Int
        let grade: Int
        let classNumber: Int
        let number: Int
        let name: String
        let profileImageURL: String?
    }

    struct Guidance: Decodable {
        let studentID: Int
        let grade: Int
        let classNumber: Int
        let number: Int
        let guidanceID: Int
        let name: String
        let reason: String
        let detail: String?
        /// As the app spells it.
        let profileURLImage: String?
    }

    /// Decodes it whatever the HTTP status, as the app does.
    static func decode<Result: Decodable>(_ type: Result.Type, _ response: RawResponse) throws -> Envelope<Result> {
        try JSONDecoder().decode(Envelope<Result>.self, from: Data(response.body))
    }
}

@Suite(.timeLimit(.minutes(1)))
struct FaceCheckAppTests {
    private static func withSchool(_ body: (ServiceHarness) async throws -> Void) async throws {
        try await ServiceHarness.run { service in
            try await service.student(1, photo: nil)
            try await service.student(7, photo: "/7.png")
            try await body(service)
        }
    }

    @Test func theNumbersOfTheSchool() async throws {
        try await Self.withSchool { service in
            let totals = try FaceCheckApp.decode(FaceCheckApp.Totals.self, await service.get("/students/totalNumber"))
            #expect(totals.isSuccess)
            #expect(totals.result?.numOfClasses == [1: 1])
            #expect(totals.result?.numOfStudents == [1: [1: 2]])
        }
    }

    @Test func aPupilIsFoundByTheIdThatTheAppBuilds() async throws {
        try await Self.withSchool { service in
            let found = try FaceCheckApp.decode(
                FaceCheckApp.Student.self, await service.get("/students/search?id=202110107"))
            #expect(found.isSuccess)
            #expect(found.result?.number == 7)
            #expect(found.result?.profileImageURL?.hasSuffix("/7.png") == true)
            let without = try FaceCheckApp.decode(
                FaceCheckApp.Student.self, await service.get("/students/search?id=202110101"))
            #expect(without.result?.profileImageURL == nil)
            let unknown = try FaceCheckApp.decode(
                FaceCheckApp.Student.self, await service.get("/students/search?id=202199999"))
            #expect(!unknown.isSuccess)
            #expect(unknown.result == nil)
        }
    }

    /// As Alamofire sends the app's dictionary of texts, in either of its encodings.
    @Test(arguments: [
        ("application/json", #"{"studentID":"202110107","reason":"복장 불량"}"#),
        (
            "application/x-www-form-urlencoded; charset=utf-8",
            "reason=%EB%B3%B5%EC%9E%A5%20%EB%B6%88%EB%9F%89&studentID=202110107"
        ),
    ])
    func aGuidanceIsGiven(contentType: String, body: String) async throws {
        try await Self.withSchool { service in
            let given = try FaceCheckApp.decode(
                FaceCheckApp.Guidance.self, await service.send("POST", "/guidances", body, type: contentType))
            #expect(given.isSuccess)
            #expect(given.result?.studentID == 202_110_107)
            #expect(given.result?.reason == "복장 불량")
            #expect(given.result?.detail == nil)
            #expect(given.result?.profileURLImage?.hasSuffix("/7.png") == true)
        }
    }

    @Test func theListIsReplacedByWhatADeletionAnswers() async throws {
        try await Self.withSchool { service in
            for body in [
                #"{"studentID":"202110101","reason":"기타","detail":"복도에서 뜀"}"#,
                #"{"studentID":"202110107","reason":"실내화 없음"}"#,
            ] {
                let given = try FaceCheckApp.decode(
                    FaceCheckApp.Guidance.self, await service.send("POST", "/guidances", body))
                #expect(given.isSuccess)
            }
            let all = try FaceCheckApp.decode([FaceCheckApp.Guidance].self, await service.get("/guidances"))
            #expect(all.result?.map(\.reason) == ["실내화 없음", "기타"])
            #expect(all.result?.last?.detail == "복도에서 뜀")
            let first = try #require(all.result?.first?.guidanceID)
            let rest = try FaceCheckApp.decode(
                [FaceCheckApp.Guidance].self, await service.get("/guidances/\(first)", method: "DELETE"))
            #expect(rest.result?.map(\.studentID) == [202_110_101])
            // The old server called this a success.
            let again = try FaceCheckApp.decode(
                [FaceCheckApp.Guidance].self, await service.get("/guidances/\(first)", method: "DELETE"))
            #expect(!again.isSuccess)
        }
    }
}
