import Foundation
import HalcyonRecords
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StudentPhotoTests {
    private let samples: Samples
    private var records: RecordStore { samples.store }

    init() throws { samples = try Samples() }

    private func media(_ digit: Character) async throws -> MediaID {
        let id = try #require(MediaID(String(repeating: digit, count: 64) + ".jpg"))
        try await records.add(
            Media(id: id, contentType: "image/jpeg", byteCount: 1, width: 1, height: 1, createdAt: Date()))
        return id
    }

    /// A student with a URL and, over it, a photo of its own.
    private func student(url: String? = "http://h.example/a") async throws -> (Student, MediaID) {
        let student = try Samples.student(1, 1, 1, url: url)
        try await records.add(student)
        let id = try await media("a")
        return (try await records.setPhoto(studentID: student.id, media: id), id)
    }

    @Test func aPhotoKeptHereComesBeforeTheURL() async throws {
        let (student, id) = try await student()
        #expect(student.profileImageURL == "http://h.example/a")
        #expect(try await records.photoSource(forStudent: student.id)?.place == .local(id))
    }

    @Test func theJournalNamesTheFieldAndNothingIsEnteredForNothing() async throws {
        let (student, id) = try await student()
        let start = try await records.lastJournalEntry()
        try await records.setPhoto(studentID: student.id, media: id)
        try await records.setPhoto(studentID: student.id, media: media("b"))
        try await records.clearPhoto(studentID: student.id)
        try await records.clearPhoto(studentID: student.id)
        let changes = try await records.journal(after: start, limit: 10).map(\.change)
        #expect(
            changes
                == [["photo"], ["profileImageURL", "photo"]].map {
                    RecordChange(.students, .changed, record: student.id, fields: $0)
                })
    }

    @Test func theVersionFollowsThePhoto() async throws {
        let (student, id) = try await student()
        let version = try #require(student.photoVersion)
        #expect(version.count == 16)
        #expect(version != (try Samples.student(1, 1, 1, url: "http://h.example/a").photoVersion))
        #expect(try await records.setPhoto(studentID: student.id, media: id).photoVersion == version)
        let other = try await records.setPhoto(studentID: student.id, media: media("b"))
        #expect(other.photoVersion != version)
        #expect(try await records.clearPhoto(studentID: student.id).photoVersion == nil)
    }

    @Test func thePhotoIsNotInTheJSONForm() async throws {
        let (student, _) = try await student()
        let json = try #require(
            JSONSerialization.jsonObject(with: JSONEncoder().encode(student)) as? [String: Any])
        #expect(Set(json.keys) == ["id", "grade", "classNumber", "number", "name", "profileImageURL"])
    }

    @Test func clearingLeavesNeitherPhotoNorURL() async throws {
        let (student, _) = try await student()
        let cleared = try await records.clearPhoto(studentID: student.id)
        #expect(cleared.photo == nil && cleared.profileImageURL == nil)
        #expect(try await records.photoSource(forStudent: student.id)?.place == nil)
    }

    @Test func anUnknownStudentHasNoPhotoToChange() async throws {
        let id = try await media("a")
        await #expect(throws: RecordError.notFound) { try await records.setPhoto(studentID: 1, media: id) }
        await #expect(throws: RecordError.notFound) { try await records.clearPhoto(studentID: 1) }
    }

    @Test(
        "what was said last counts: another URL replaces the photo, the same or none does not",
        arguments: [("http://h.example/a", true), (nil, true), ("http://h.example/b", false)] as [(String?, Bool)])
    func editing(url: String?, staysLocal: Bool) async throws {
        let (student, id) = try await student()
        try await records.update(try Samples.student(1, 1, 1, name: "둘", url: url))
        let edited = try #require(try await records.student(id: student.id))
        #expect(edited.photo == (staysLocal ? id : nil))
        #expect(edited.profileImageURL == url)
        #expect(edited.name == "둘")
    }

    @Test(arguments: [
        ("1,1,1,김하나,http://h.example/a", true), ("1,1,1,김하나,", true), ("1,2,9,김하나,http://h.example/a", true),
        ("1,1,1,김하나,http://h.example/b", false),
    ])
    func importing(row: String, staysLocal: Bool) async throws {
        let (student, id) = try await student()
        let roster = try Samples.roster(
            "id,grade,classNumber,number,name,profileImageURL\n\(student.id),\(row)\n")
        let report = try await records.importRoster(roster)
        #expect(report.problems.isEmpty)
        #expect(try await records.student(id: student.id)?.photo == (staysLocal ? id : nil))
    }

    @Test func importingTheSameRowAgainChangesNothing() async throws {
        let (student, _) = try await student()
        let roster = try Samples.roster(
            "id,grade,classNumber,number,name,profileImageURL\n\(student.id),1,1,1,김하나,http://h.example/a\n")
        #expect(try await records.importRoster(roster).unchanged == 1)
    }
}
