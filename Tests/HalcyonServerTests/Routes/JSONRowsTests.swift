import Foundation
import HalcyonRecords
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct JSONRowsTests {
    private func bytes(_ answer: HTTPAnswer) -> String {
        guard case .bytes(let bytes) = answer.body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: ["김하나", "a\"b\\c/d", "🙂 é", "</script>", "a\u{2028}b"])
    func rowsAreWhatTheEncoderWrites(name: String) async throws {
        let folder = try TemporaryFolder()
        let store = try RecordStore(path: folder.file("records.sqlite"))
        let student = try Student(
            id: 7, grade: 1, classNumber: 2, number: 3, name: name, profileImageURL: "https://h.example/a?b=\"c\"&d=1")
        try await store.add(student)
        for seconds in [0.0, 951_782_399, 1_800_000_000.999] {
            _ = try await store.addGuidance(
                studentID: 7, reason: "기타", detail: "x\n\t\r y \(name)", now: Date(timeIntervalSince1970: seconds))
        }
        _ = try await store.addGuidance(studentID: 7, reason: "무단횡단")
        let guidances = try await store.guidances()
        let rows = JSONRows.answer(guidances, next: "1-2") { $0.guidance($1, photoURL: $1.photoURL) }
        #expect(bytes(rows) == bytes(RecordsAnswer.success(guidances, next: "1-2")))
        let students = JSONRows.answer([student], next: nil) { $0.student($1, photoURL: $1.profileImageURL) }
        #expect(bytes(students) == bytes(RecordsAnswer.success([student])))
    }
}
