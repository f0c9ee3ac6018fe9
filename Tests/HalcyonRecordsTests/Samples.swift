import Foundation
import HalcyonRecords
import HalcyonTestSupport
import Testing

/// A store in a folder of its own.
struct Samples {
    let folder: TemporaryFolder
    let store: RecordStore

    init(onChange: @escaping @Sendable ([RecordChange]) -> Void = { _ in }) throws {
        folder = try TemporaryFolder()
        store = try RecordStore(path: folder.file("records.sqlite"), onChange: onChange)
    }

    static func student(_ grade: Int, _ classNumber: Int, _ number: Int, name: String = "김하나", url: String? = nil)
        throws -> Student
    {
        try Student(
            id: 202_600_000 + grade * 10_000 + classNumber * 100 + number, grade: grade, classNumber: classNumber,
            number: number, name: name, profileImageURL: url)
    }

    static func roster(_ text: String) throws -> ParsedRoster {
        try RosterReader.read(Array(text.utf8), schoolYear: 2026)
    }

    /// Recorded as media, without a file.
    func image(_ number: Int = 1) async throws -> MediaID {
        let digits = String(number)
        let id = try #require(MediaID(String(repeating: "0", count: 64 - digits.count) + digits + ".jpg"))
        try await store.add(
            Media(id: id, contentType: "image/jpeg", byteCount: 1, width: 1, height: 1, createdAt: Date()))
        return id
    }
}
