import Foundation
import HalcyonTestSupport
import Testing

@testable import HalcyonClient

@Suite(.timeLimit(.minutes(1)))
struct EndpointTests {
    @Test("the sample of each endpoint decodes into its model", arguments: EndpointRow.all)
    func samples(row: EndpointRow) async throws {
        var configuration = HalcyonClientConfiguration()
        configuration.stub = .immediate
        try await row.read(try HalcyonProvider(configuration: configuration), row.endpoint)
    }

    @Test("each endpoint asks for its route", arguments: EndpointRow.all)
    func routes(row: EndpointRow) async throws {
        let origin = try ScriptedOrigin()
        let sample = row.endpoint.sampleData
        origin.on("*") { $0.respond(body: [UInt8](sample)) }
        let provider = try HalcyonProvider(baseURL: origin.base, token: "t0ken")
        try await row.read(provider, row.endpoint)
        let request = try #require(origin.requests().first)
        #expect("\(request.method) \(request.target)" == row.request)
        #expect(request["Authorization"] == "Bearer t0ken")
        if !request.body.isEmpty { #expect(request["Content-Type"] != nil) }
        await provider.shutDown()
    }

    /// A new case without a row is a case without a test.
    @Test func theTableHasEveryCase() throws {
        let names = Set(EndpointRow.all.map { String("\($0.endpoint)".prefix { $0 != "(" }) })
        let source = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Sources/HalcyonClient/Endpoints/HalcyonEndpoint.swift").standardized,
            encoding: .utf8)
        let cases = source.split(separator: "\n").compactMap { line -> String? in
            let words = line.split(separator: " ")
            return words.first == "case" ? words.dropFirst().first.map { String($0.prefix { $0 != "(" }) } : nil
        }
        #expect(names.symmetricDifference(cases).isEmpty)
    }

    @Test func bodiesSayWhatTheAppsSay() async throws {
        let rows: [(HalcyonEndpoint, String)] = [
            (
                .addGuidance(studentID: 202_110_107, reason: .other, detail: "복도"),
                #"{"detail":"복도","reason":"기타","studentID":202110107}"#
            ),
            (.addGuidance(studentID: 1, reason: .dress), #"{"reason":"복장 불량","studentID":1}"#),
            (.changeStudent(id: 1, StudentChange(grade: 2)), #"{"grade":2}"#),
            (.changeStudent(id: 1, StudentChange(profileImageURL: .none)), #"{"profileImageURL":null}"#),
            (
                .exerciserSignUp(email: "a@h", password: "p", nickname: "n", cycle: 3),
                #"{"email":"a@h","ex_cycle":3,"nickname":"n","password":"p"}"#
            ),
            (
                .changePost(id: 4, EndpointRow.text),
                #"{"certi_id":4,"certi_sport":"달리기","ex_comment":"","ex_evalu":"만족","ex_intensity":"보통","ex_time":"30분"}"#
            ),
            (.purge(.grade(1, classNumber: 2), dryRun: true), #"{"class":2,"dryRun":true,"grade":1}"#),
            (.purge(.students([1, 2])), #"{"student":[1,2]}"#),
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        for (endpoint, text) in rows {
            guard case .json(let value) = endpoint.task else {
                Issue.record("no JSON: \(endpoint)")
                continue
            }
            #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == text)
        }
    }

    @Test("RFC 7578 §4 parts have names, and nothing of a name ends its line")
    func multipart() {
        let body = MultipartBody(
            [
                MultipartPart(
                    name: "image", bytes: Data([0, 13, 10]), fileName: "a\"\r\nX: y.jpeg", contentType: "image/jpeg"),
                MultipartPart(name: "note", bytes: Data("x".utf8)),
            ], boundary: "B")
        #expect(body.contentType == "multipart/form-data; boundary=B")
        let expected = """
            --B\r
            Content-Disposition: form-data; name="image"; filename="a%22%0D%0AX: y.jpeg"\r
            Content-Type: image/jpeg\r
            \r
            \0\r
            \r
            --B\r
            Content-Disposition: form-data; name="note"\r
            \r
            x\r
            --B--\r

            """
        #expect(String(decoding: body.bytes, as: UTF8.self) == expected)
    }
}
