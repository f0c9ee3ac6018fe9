import Foundation
import HalcyonRecords
import Testing

@Suite(.timeLimit(.minutes(1)))
struct GuidanceTests {
    let samples: Samples
    var store: RecordStore { samples.store }

    init() async throws {
        samples = try Samples()
        for (grade, classNumber) in [(1, 1), (1, 2), (2, 1)] {
            try await store.add(
                try Samples.student(grade, classNumber, 1, url: "http://h.example/\(grade)\(classNumber)"))
        }
    }

    private func add(_ studentID: Int, at seconds: Double = 0) async throws -> Guidance {
        try await store.addGuidance(
            studentID: studentID, reason: "무단횡단", now: Date(timeIntervalSince1970: 1_800_000_000 + seconds))
    }

    @Test func encodesWhatOldAndNewAppsDecode() async throws {
        let guidance = try await store.addGuidance(
            studentID: 202_610_101, reason: "복장 불량", now: Date(timeIntervalSince1970: 1_800_000_000))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(
            String(decoding: try encoder.encode(guidance), as: UTF8.self)
                == #"{"classNumber":1,"createdAt":"2027-01-15T08:00:00Z","detail":null,"grade":1,"guidanceID":1,"name":"김하나","number":1,"profileImageURL":"http://h.example/11","profileURLImage":"http://h.example/11","reason":"복장 불량","studentID":202610101}"#
        )
    }

    @Test(arguments: GuidanceReason.allCases)
    func everyReasonIsRecorded(reason: GuidanceReason) async throws {
        #expect(try await store.addGuidance(studentID: 202_610_101, reason: reason.rawValue).reason == reason)
    }

    @Test(
        arguments: [
            (202_610_101, "없는 이유", nil, "reason"), (202_610_101, "", nil, "reason"),
            (202_610_101, "복장 불량", "넥타이", "detail"), (202_610_101, "기타", String(repeating: "가", count: 1001), "detail"),
            (202_610_101, "기타", "a\u{0}b", "detail"),
        ] as [(Int, String, String?, String)])
    func refusesAndNamesTheField(studentID: Int, reason: String, detail: String?, field: String) async throws {
        let error = await #expect(throws: RecordError.self) {
            try await store.addGuidance(studentID: studentID, reason: reason, detail: detail)
        }
        #expect(error?.description.hasPrefix("\(field): ") == true)
        #expect(try await store.guidances(matching: GuidanceQuery(status: .all)).isEmpty)
    }

    @Test func onlyOtherMayHaveADetail() async throws {
        let other = try await store.addGuidance(studentID: 202_610_101, reason: "기타", detail: " 복도에서\n뜀 ")
        #expect(other.detail == "복도에서\n뜀")
        #expect(try await store.addGuidance(studentID: 202_610_101, reason: "무단횡단", detail: " ").detail == nil)
    }

    @Test func listsNewestFirstByGradeClassStudentAndStatus() async throws {
        let first = try await add(202_610_101, at: 0)
        let second = try await add(202_610_201, at: 1)
        let third = try await add(202_620_101, at: 1)
        func ids(_ query: GuidanceQuery) async throws -> [Int] {
            try await store.guidances(matching: query).map(\.guidanceID)
        }
        #expect(try await ids(GuidanceQuery()) == [third.guidanceID, second.guidanceID, first.guidanceID])
        #expect(try await ids(GuidanceQuery(grade: 1)) == [second.guidanceID, first.guidanceID])
        #expect(try await ids(GuidanceQuery(grade: 1, classNumber: 2)) == [second.guidanceID])
        #expect(try await ids(GuidanceQuery(studentID: 202_620_101)) == [third.guidanceID])
        try await store.removeGuidance(id: second.guidanceID)
        #expect(try await ids(GuidanceQuery(status: .deleted)) == [second.guidanceID])
        #expect(try await ids(GuidanceQuery(status: .all)).count == 3)
    }

    @Test func aDeletedGuidanceCanBeBroughtBackOnce() async throws {
        let id = try await add(202_610_101).guidanceID
        #expect(try await store.removeGuidance(id: id).deletedAt != nil)
        await #expect(throws: RecordError.notFound) { try await store.removeGuidance(id: id) }
        #expect(try await store.guidances().isEmpty)
        #expect(try await store.restoreGuidance(id: id).deletedAt == nil)
        await #expect(throws: RecordError.conflict(field: "status")) { try await store.restoreGuidance(id: id) }
        #expect(try await store.guidances().map(\.guidanceID) == [id])
        await #expect(throws: RecordError.notFound) { try await store.restoreGuidance(id: 99) }
    }

    @Test func nobodyGetsAGuidanceThatIsNotThere() async throws {
        await #expect(throws: RecordError.notFound) { try await store.addGuidance(studentID: 1, reason: "기타") }
    }

    /// As macOS and iOS may send it: U+1107 U+1169 U+11A8 U+110C U+1161 U+11BC for 복장.
    @Test func aReasonMayComeDecomposed() async throws {
        let decomposed =
            " \u{1107}\u{1169}\u{11A8}\u{110C}\u{1161}\u{11BC} \u{1107}\u{116E}\u{11AF}\u{1105}\u{1163}\u{11BC} "
        #expect(try await store.addGuidance(studentID: 202_610_101, reason: decomposed).reason == .dress)
    }

    @Test func pagesNeitherRepeatNorSkipWhileOthersComeAndGo() async throws {
        for second in 0..<9 { _ = try await add(202_610_101, at: Double(second / 2)) }
        let all = try await store.guidances().map(\.guidanceID)
        var query = GuidanceQuery(limit: 2)
        var seen: [Int] = []
        repeat {
            let page = try await store.guidancePage(matching: query)
            seen += page.guidances.map(\.guidanceID)
            query.after = page.next
            // One that is newer than all, and the one that was the last of the page goes.
            _ = try await add(202_620_101, at: 100)
            try await store.removeGuidance(id: seen.last ?? 0)
        } while query.after != nil
        #expect(seen == all)
        await #expect(throws: RecordError.self) { try await store.guidancePage(matching: GuidanceQuery(after: "1-x")) }
        await #expect(throws: RecordError.self) { try await store.guidancePage(matching: GuidanceQuery(limit: 0)) }
    }

    @Test func countsByClassStudentAndReason() async throws {
        for (student, seconds) in [(202_610_101, 0.0), (202_610_101, 10), (202_610_201, 20), (202_620_101, 30)] {
            _ = try await add(student, at: seconds)
        }
        try await store.removeGuidance(id: try await add(202_610_101, at: 5).guidanceID)
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        func counts(_ query: GuidanceCountQuery) async throws -> [Int] {
            try await store.guidanceCounts(query).map(\.count)
        }
        #expect(try await counts(GuidanceCountQuery()) == [2, 1, 1])
        #expect(try await counts(GuidanceCountQuery(from: start + 10, to: start + 30)) == [1, 1])
        #expect(try await counts(GuidanceCountQuery(by: .reason, grade: 1)) == [0, 0, 3, 0])
        let students = try await store.guidanceCounts(GuidanceCountQuery(by: .student))
        #expect(students.map(\.studentID) == [202_610_101, 202_610_201, 202_620_101])
        #expect(students.first?.name == "김하나")
        try await store.update(try Student(id: 202_610_101, grade: 3, classNumber: 5, number: 1, name: "김하나"))
        #expect(try await store.guidanceCounts(GuidanceCountQuery(grade: 3)).map(\.classNumber) == [5])
    }

    @Test(
        arguments: [
            ("2026-03-02", false, "2026-03-01T15:00:00Z"), ("2026-03-02", true, "2026-03-02T15:00:00Z"),
            ("2026-03-02T08:30:00+09:00", true, "2026-03-01T23:30:00Z"),
            ("2026-03-02T08:30:00 09:00", false, "2026-03-01T23:30:00Z"),
            ("2026-02-29", false, nil), ("2026-3-2", false, nil), ("0000-00-00", true, nil), ("heute", false, nil),
            ("", true, nil),
        ] as [(String, Bool, String?)])
    func periodsAreDaysOrMoments(text: String, isEnd: Bool, expected: String?) throws {
        let zone = try #require(TimeZone(identifier: "Asia/Seoul"))
        #expect(PeriodEnd.moment(text, isEnd: isEnd, timeZone: zone)?.formatted(.iso8601) == expected)
    }

    @Test func showsTheStudentAsRecordedNow() async throws {
        _ = try await add(202_610_101)
        try await store.update(try Student(id: 202_610_101, grade: 3, classNumber: 1, number: 1, name: "새 이름"))
        let guidance = try #require(try await store.guidances().first)
        #expect(guidance.student.name == "새 이름")
        #expect(guidance.photoURL == nil)
    }

    @Test func anImportThatMovesSeatsKeepsGuidances() async throws {
        _ = try await add(202_610_101)
        let text = "id,grade,class,number,name\n202610101,1,2,1,a\n202610201,1,1,1,b\n"
        #expect(try await store.importRoster(try Samples.roster(text)).updated == 2)
        #expect(try await store.guidances().map(\.student.classNumber) == [2])
    }

    @Test func removingAStudentRemovesItsGuidances() async throws {
        _ = try await add(202_610_101)
        _ = try await add(202_610_201)
        try await store.removeStudent(id: 202_610_101)
        #expect(try await store.guidances(matching: GuidanceQuery(status: .all)).map(\.student.id) == [202_610_201])
    }
}
