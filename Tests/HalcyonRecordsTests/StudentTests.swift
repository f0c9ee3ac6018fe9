import Foundation
import HalcyonRecords
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StudentTests {
    @Test func encodesAMissingPhotoAsNull() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let student = try Student(id: 202_110_107, grade: 1, classNumber: 1, number: 7, name: "김하나")
        let json = String(decoding: try encoder.encode(student), as: UTF8.self)
        #expect(
            json
                == #"{"classNumber":1,"grade":1,"id":202110107,"name":"김하나","number":7,"profileImageURL":null}"#)
        #expect(try JSONDecoder().decode(Student.self, from: Data(json.utf8)) == student)
    }

    @Test(
        arguments: [
            (0, 1, 1, 1, "a", nil, "id"), (9_007_199_254_740_992, 1, 1, 1, "a", nil, "id"),
            (1, 0, 1, 1, "a", nil, "grade"),
            (1, 100, 1, 1, "a", nil, "grade"), (1, 1, -1, 1, "a", nil, "classNumber"),
            (1, 1, 1, 100, "a", nil, "number"),
            (1, 1, 1, 1, " \u{3000}", nil, "name"), (1, 1, 1, 1, "a\nb", nil, "name"),
            (1, 1, 1, 1, String(repeating: "가", count: 101), nil, "name"),
            (1, 1, 1, 1, "a", "ftp://h.example/a", "profileImageURL"), (1, 1, 1, 1, "a", "/a.jpg", "profileImageURL"),
            (1, 1, 1, 1, "a", "http:///a.jpg", "profileImageURL"), (1, 1, 1, 1, "a", "http://u@/a", "profileImageURL"),
            (1, 1, 1, 1, "a", "javascript:alert(1)", "profileImageURL"),
            (1, 1, 1, 1, "a", "http://h.example/a b", "profileImageURL"),
            (1, 1, 1, 1, "a", "http://h.example/" + String(repeating: "x", count: 8192), "profileImageURL"),
        ] as [(Int, Int, Int, Int, String, String?, String)])
    func refusesWhatIsOutOfRange(
        id: Int, grade: Int, classNumber: Int, number: Int, name: String, url: String?, field: String
    ) {
        let error = #expect(throws: RecordError.self) {
            try Student(
                id: id, grade: grade, classNumber: classNumber, number: number, name: name, profileImageURL: url)
        }
        guard case .invalid(field, accepted: _)? = error else {
            Issue.record("\(String(describing: error)) is not about \(field)")
            return
        }
    }

    @Test func acceptsTheEndsOfTheRanges() throws {
        let url = "HTTPS://h.example/" + String(repeating: "x", count: 8192 - 18)
        let student = try Student(
            id: 9_007_199_254_740_991, grade: 99, classNumber: 99, number: 99, name: " 가 ", profileImageURL: url)
        #expect(student.name == "가")
        #expect(student.profileImageURL == url)
        #expect(
            try Student(id: 1, grade: 1, classNumber: 1, number: 1, name: "가", profileImageURL: " ").profileImageURL
                == nil)
    }

    @Test("F-11: the version changes when, and only when, the photo's URL does")
    func photoVersionFollowsTheURL() throws {
        let first = try Samples.student(1, 1, 1, url: "http://h.example/1.jpg?v=1")
        let renamed = try Samples.student(2, 1, 1, name: "이두리", url: "http://h.example/1.jpg?v=1")
        let changed = try Samples.student(1, 1, 1, url: "http://h.example/1.jpg?v=2")
        #expect(first.photoVersion == renamed.photoVersion)
        #expect(first.photoVersion != changed.photoVersion)
        #expect(try Samples.student(1, 1, 1).photoVersion == nil)
    }
}
