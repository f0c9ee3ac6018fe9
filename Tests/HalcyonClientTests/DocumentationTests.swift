import Foundation
import HalcyonClient
import Testing

/// The examples of docs/client.md, word for word, without `@testable`.
@Suite(.timeLimit(.minutes(1)))
struct DocumentationTests {
    private static var stubbed: HalcyonClientConfiguration {
        // example: stub
        var configuration = HalcyonClientConfiguration()
        configuration.stub = .immediate
        // end
        return configuration
    }

    @Test func guidances() async throws {
        let halcyon = try HalcyonProvider(configuration: Self.stubbed)
        // example: results
        switch await halcyon.guidances(GuidanceFilter(grade: 1)) {
        case .success(let page): print(page.items.map(\.reason))
        case .requestError(let refusal): print(refusal.message)  // 400–499, in the words of the service
        case .pathError(let status): print("not Halcyon, or another version of it", status)
        case .serverError(let refusal): print(refusal.message)  // 500
        case .networkFailure(let failure): print(failure.kind)  // no answer, or a status such as 503
        }
        // end
    }

    @Test func values() async throws {
        let halcyon = try HalcyonProvider(configuration: Self.stubbed)
        let image = Data([1])
        // example: values
        let account = try await halcyon.signIn(email: "a@school.example", password: "correct horse 1").get()
        let student = try await halcyon.student(id: 202_110_107).get()
        let photo = try await halcyon.photo(studentID: student.id).get()
        _ = try await halcyon.setPhoto(studentID: student.id, ImageFile(bytes: image)).get()
        let boards = try await halcyon.request(HalcyonEndpoint.notices(clubID: "컴퓨터"), as: [Notice].self).get()
        // end
        #expect(account.userName == "컴동쌤")
        #expect(photo.bytes.count > 8)
        #expect(boards.count == 1)
    }

    // example: target
    struct Weather: TargetType {
        struct Report: Decodable, Sendable { let celsius: Int }

        var baseURL: String { "https://photos.school.example" }
        var path: String { PathText.joined("weather", "서울") }
        var method: RequestMethod { .get }
        var task: RequestTask { .query([("day", "2026-11-30")]) }
        var envelope: AnswerEnvelope { .bare }
        var sampleData: Data { Data(#"{"celsius":4}"#.utf8) }
    }
    // end

    @Test func aTargetOfOnesOwnRunsToo() async throws {
        let halcyon = try HalcyonProvider(configuration: Self.stubbed)
        #expect(try await halcyon.request(Weather(), as: Weather.Report.self).get().celsius == 4)
    }

    @Test func theDocumentHasTheseExamples() throws {
        func text(_ path: String) throws -> [String] {
            let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: path).standardized
            return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        let document = try text("../../docs/client.md")
        var isExample = false
        var count = 0
        for line in try text("DocumentationTests.swift") {
            if line.hasPrefix("// example:") {
                isExample = true
            } else if line == "// end" {
                isExample = false
            } else if isExample {
                count += 1
                #expect(document.contains(line), "\(line)")
            }
        }
        #expect(count > 20)
    }
}
