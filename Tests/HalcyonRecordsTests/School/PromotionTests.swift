import Foundation
import HalcyonRecords
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PromotionTests {
    let samples: Samples
    var store: RecordStore { samples.store }

    init() throws { samples = try Samples() }

    /// Ids by the rule of 2026, but for one free id; three grades.
    private func school() async throws {
        let text = """
            id,grade,class,number,name,photo
            ,1,1,1,가하나,http://h.example/1
            ,1,1,2,나둘,
            ,1,2,1,다셋,
            77,1,2,2,라넷,
            ,2,1,1,마다섯,http://h.example/5
            ,3,1,1,바여섯,http://h.example/6
            """
        #expect(try await store.importRoster(try Samples.roster(text)).added == 6)
        for id in [202_610_101, 77, 202_630_101] {
            _ = try await store.addGuidance(studentID: id, reason: "무단횡단")
        }
    }

    private func newRoster(_ rows: String..., header: String = "grade,class,number,name,photo") throws -> ParsedRoster {
        try RosterReader.read(Array(([header] + rows).joined(separator: "\n").utf8), schoolYear: 2027)
    }

    private func names() async throws -> [Int: String] {
        Dictionary(uniqueKeysWithValues: try await store.allStudents().map { ($0.id, $0.name) })
    }

    @Test func everybodyGoesUpAndTheLastGradeLeaves() async throws {
        try await school()
        let report = try await store.promoteStudents(toYear: 2027)
        #expect(report.isApplied)
        #expect(report.lastGrade == 3)
        #expect(report.grades.map(\.next) == [2, 3, nil])
        #expect(report.grades.map(\.students) == [4, 1, 1])
        #expect(report.leavers.map(\.name) == ["바여섯"])
        #expect(report.renumbered == 4)
        #expect(report.removedGuidances == 1)
        #expect(
            try await names() == [
                202_720_101: "가하나", 202_720_102: "나둘", 202_720_201: "다셋", 77: "라넷", 202_730_101: "마다섯",
            ])
        let guidances = try await store.guidances(matching: GuidanceQuery(status: .all))
        #expect(guidances.map(\.student.name).sorted() == ["가하나", "라넷"])
        #expect(try await store.guidances(matching: GuidanceQuery(grade: 2)).count == 2)
        #expect(try await store.students(matching: StudentQuery(grade: 2, nameQuery: "ㄱㅎㄴ")).students.count == 1)
        #expect(try await store.student(id: 202_720_101)?.profileImageURL == "http://h.example/1")
    }

    @Test func aDryRunChangesNothing() async throws {
        try await school()
        let before = try await store.allStudents()
        let report = try await store.promoteStudents(toYear: 2027, isDryRun: true)
        #expect(!report.isApplied)
        #expect(report.grades.map(\.students) == [4, 1, 1])
        #expect(try await store.allStudents() == before)
        #expect(try await store.promoteStudents(toYear: 2027).isApplied)
    }

    @Test func twiceInOneYearIsRefusedUnlessItIsMeant() async throws {
        try await school()
        _ = try await store.promoteStudents(toYear: 2027, lastGrade: 6)
        let after = try await store.allStudents()
        let error = await #expect(throws: RecordError.self) {
            try await store.promoteStudents(toYear: 2027, lastGrade: 6)
        }
        #expect(error?.description.contains("2027 already") == true)
        #expect(try await store.allStudents() == after)
        let again = try await store.promoteStudents(toYear: 2027, lastGrade: 6, isAgain: true)
        #expect(again.grades.map(\.grade) == [2, 3, 4])
        #expect(try await store.promoteStudents(toYear: 2028, lastGrade: 9).isApplied)
    }

    @Test func aSchoolThatIsOfThatYearAlreadyIsRefused() async throws {
        try await school()
        await #expect(throws: RecordError.refused("the ids of 5 students are of the school year 2026 or later already"))
        {
            try await store.promoteStudents(toYear: 2026)
        }
    }

    /// `--last-grade 2` in a school of three would make whole grades leave.
    @Test func aLastGradeBelowTheHighestIsRefused() async throws {
        try await school()
        let error = await #expect(throws: RecordError.self) {
            try await store.promoteStudents(toYear: 2027, lastGrade: 2)
        }
        #expect(error?.description.contains("grade 3") == true)
        await #expect(throws: RecordError.self) { try await Samples().store.promoteStudents(toYear: 2027) }
    }

    @Test(arguments: [
        ("2026-09-01", 2027), ("2026-12-31", 2027), ("2027-02-28", 2027), ("2027-03-02", 2027), ("2027-08-31", 2027),
    ])
    func theYearIsThatOfTheNearestMarch(day: String, year: Int) throws {
        let zone = try #require(TimeZone(identifier: "Asia/Seoul"))
        let now = try Date(day + "T12:00:00+09:00", strategy: .iso8601)
        #expect(SchoolYear.nearest(now: now, timeZone: zone) == year)
    }

    /// The usual flow: ids and seats of the new year are dealt anew, and everybody keeps what is recorded of it.
    @Test func theNewRosterWithoutIdsFindsEverybodyInItsNewSeat() async throws {
        try await school()
        _ = try await store.promoteStudents(toYear: 2027)
        let rows = [
            "1,1,1,사새내기,", "2,2,5,가하나,http://h.example/1", "2,1,1,나둘,", "2,1,2,다셋,", "2,2,1,라넷,",
            "3,4,9,마다섯,http://h.example/5",
        ]
        let roster = try newRoster(rows[0], rows[1], rows[2], rows[3], rows[4], rows[5])
        let report = try await store.importRoster(roster)
        #expect(report.problems.isEmpty)
        #expect(report.added == 1)
        #expect(report.updated == 5)
        #expect(
            try await names() == [
                202_710_101: "사새내기", 202_720_205: "가하나", 202_720_101: "나둘", 202_720_102: "다셋", 77: "라넷",
                202_730_409: "마다섯",
            ])
        let guidances = try await store.guidances()
        #expect(guidances.map(\.student.id).sorted() == [77, 202_720_205])
        #expect(try await store.guidances(matching: GuidanceQuery(grade: 2, classNumber: 2)).count == 2)
        #expect(try await store.importRoster(roster).unchanged == 6)
    }

    /// The file says who sits where by ids made of seats: that is no other than leaving them out.
    @Test func theNewRosterWithIdsByTheRuleFindsThemToo() async throws {
        try await school()
        _ = try await store.promoteStudents(toYear: 2027)
        let roster = try newRoster(
            "202720102,2,1,2,가하나,", "202720101,2,1,1,나둘,", "202720201,2,2,1,다셋,", "77,2,2,2,라넷,",
            "202730101,3,1,1,마다섯,",
            header: "id,grade,class,number,name,photo")
        #expect(try await store.importRoster(roster).problems.isEmpty)
        #expect(try await names()[202_720_102] == "가하나")
        #expect(try await store.guidances(matching: GuidanceQuery(studentID: 202_720_102)).count == 1)
        #expect(try await store.guidances(matching: GuidanceQuery(studentID: 202_720_101)).isEmpty)
    }

    /// Somebody left over the summer and somebody new sits there: never one and the same.
    @Test func aNewcomerInALeaversSeatIsNotTakenForTheLeaver() async throws {
        try await school()
        _ = try await store.promoteStudents(toYear: 2027)
        let roster = try newRoster("2,1,1,아새로,", "2,1,2,나둘,", "2,2,1,다셋,", "2,2,2,라넷,", "3,1,1,마다섯,")
        let report = try await store.importRoster(roster)
        #expect(!report.isApplied)
        #expect(report.problems.map(\.line) == [2])
        try await store.removeStudent(id: 202_720_101)
        #expect(try await store.importRoster(roster).isApplied)
        #expect(try await store.guidances(matching: GuidanceQuery(studentID: 202_720_101)).isEmpty)
    }

    @Test func ofTwoWithOneNameTheFileMustSayWhoIsWho() async throws {
        let first = try newRoster("1,1,1,김하나,", "1,2,1,김하나,")
        #expect(try await store.importRoster(first).added == 2)
        _ = try await store.promoteStudents(toYear: 2028, lastGrade: 6)
        await #expect(throws: RecordError.self) { try await store.promoteStudents(toYear: 2028) }
        let again = try RosterReader.read(
            Array("grade,class,number,name\n2,3,1,김하나\n2,3,2,김하나\n".utf8), schoolYear: 2028)
        let problems = try await store.importRoster(again).problems
        #expect(problems.allSatisfy { $0.description.contains("name") })
        #expect(problems.count == 2)
        let told = "id,grade,class,number,name\n202820101,2,3,1,김하나\n202820201,2,3,2,김하나\n"
        let roster = try RosterReader.read(Array(told.utf8), schoolYear: 2028)
        #expect(try await store.importRoster(roster).updated == 2)
        #expect(try await names().keys.sorted() == [202_820_301, 202_820_302])
        #expect(try await store.importRoster(roster).unchanged == 2)
    }

    @Test func withinTheYearASeatSaysWhoItIs() async throws {
        try await school()
        let report = try await store.importRoster(try Samples.roster("grade,class,number,name\n1,1,1,가두나\n"))
        #expect(report.updated == 1)
        #expect(try await names()[202_610_101] == "가두나")
        #expect(try await store.guidances(matching: GuidanceQuery(studentID: 202_610_101)).count == 1)
    }

    private static let withIDs = "id,grade,class,number,name,photo"

    /// Five of a second grade, two of them of one name, under the ids of their first year's seats.
    private func promotedClasses() async throws {
        let first = try newRoster("1,1,1,김민수,", "1,1,2,김미영,", "1,1,3,곽민제,", "1,2,1,박지훈,", "1,2,2,김민수,")
        #expect(try await store.importRoster(first).added == 5)
        _ = try await store.promoteStudents(toYear: 2028, lastGrade: 6)
        for (id, reason) in [(202_820_101, "무단횡단"), (202_820_202, "복장 불량")] {
            _ = try await store.addGuidance(studentID: id, reason: reason)
        }
    }

    private func reasons() async throws -> [Int: String] {
        let guidances = try await store.guidances()
        return Dictionary(uniqueKeysWithValues: guidances.map { ($0.student.id, $0.reason.rawValue) })
    }

    private func roster2028(_ rows: String..., header: String = withIDs) throws -> ParsedRoster {
        try RosterReader.read(Array(([header] + rows).joined(separator: "\n").utf8), schoolYear: 2028)
    }

    /// Ids made of seats are dealt anew by the first import, so that the file's ids mean others at the second.
    @Test func aRosterWithTheIDsOfOldSeatsMayBeImportedAgain() async throws {
        try await promotedClasses()
        let roster = try roster2028(
            "202820102,2,1,1,김미영,", "202820103,2,1,2,곽민제,", "202820101,2,1,3,김민수,", "202820202,2,2,1,김민수,",
            "202820201,2,2,2,박지훈,")
        #expect(try await store.importRoster(roster).updated == 5)
        let names = try await names()
        #expect(names[202_820_101] == "김미영")
        #expect(try await reasons() == [202_820_103: "무단횡단", 202_820_201: "복장 불량"])
        let again = try await store.importRoster(roster)
        #expect(again.problems.isEmpty)
        #expect(again.unchanged == 5)
        #expect(try await self.names() == names)
    }

    @Test(arguments: [false, true]) func namesakesWhoSwapSeatsSwapThemOnce(isWhole: Bool) async throws {
        try await promotedClasses()
        var rows = ["202820202,2,1,1,김민수,", "202820101,2,2,2,김민수,"]
        if isWhole { rows += [",2,1,2,김미영,", ",2,1,3,곽민제,", ",2,2,1,박지훈,"] }
        let text = ([Self.withIDs] + rows).joined(separator: "\n")
        let roster = try RosterReader.read(Array(text.utf8), schoolYear: 2028)
        #expect(try await store.importRoster(roster).updated == 2)
        #expect(try await reasons() == [202_820_202: "무단횡단", 202_820_101: "복장 불량"])
        #expect(try await store.importRoster(roster).unchanged == rows.count)
        #expect(try await reasons() == [202_820_202: "무단횡단", 202_820_101: "복장 불량"])
    }

    /// Two of one name need ids, the others none; the id made of another's new seat may be the one they were recorded under.
    @Test func idsForNamesakesAloneAreEnough() async throws {
        try await promotedClasses()
        let roster = try roster2028(
            ",2,1,1,김미영,", ",2,1,2,곽민제,", "202820101,2,1,3,김민수,", "202820202,2,2,1,김민수,", ",2,2,2,박지훈,")
        #expect(roster.problems.isEmpty)
        let report = try await store.importRoster(roster)
        #expect(report.problems.isEmpty)
        #expect(report.updated == 5)
        #expect(try await reasons() == [202_820_103: "무단횡단", 202_820_201: "복장 불량"])
        #expect(try await store.importRoster(roster).unchanged == 5)
    }

    @Test func anIDOfTheYearBeforeNamesWhomItNamedThen() async throws {
        try await promotedClasses()
        let roster = try roster2028(
            "202710102,2,1,1,김미영,", "202710103,2,1,2,곽민제,", "202710101,2,1,3,김민수,", "202710202,2,2,1,김민수,",
            "202710201,2,2,2,박지훈,")
        #expect(try await store.importRoster(roster).updated == 5)
        #expect(try await reasons() == [202_820_103: "무단횡단", 202_820_201: "복장 불량"])
        #expect(try await store.importRoster(roster).unchanged == 5)
    }

    /// What was exported before the promotion would add everybody once more, in the seats left free.
    @Test func aRosterOfTheYearBeforeIsRefused() async throws {
        try await promotedClasses()
        let old = "grade,class,number,name\n1,1,1,김민수\n1,1,2,김미영\n"
        let roster = try RosterReader.read(Array(old.utf8), schoolYear: 2027)
        let report = try await store.importRoster(roster, skipBad: true)
        #expect(report.added == 0)
        #expect(
            report.problems.map(\.description)
                == [2, 3].map {
                    "line \($0), id: an id of the school year 2027: the students have been promoted to 2028"
                })
        #expect(try await store.allStudents().count == 5)
    }

    @Test func theYearOfNewIDsIsThatOfThePromotion() async throws {
        let december = try Date("2027-12-01T12:00:00+09:00", strategy: .iso8601)
        #expect(try await store.schoolYear(now: december) == 2027)
        try await promotedClasses()
        #expect(try await store.schoolYear(now: december) == 2028)
        #expect(try await store.schoolYear(now: december.addingTimeInterval(2 * 366 * 86_400)) == 2029)
    }

    /// An id made of a seat is no name: whoever sits there now, under another name, is somebody else.
    @Test func anIDOfAnotherNameAndSeatIsNoRename() async throws {
        try await promotedClasses()
        let before = try await store.allStudents()
        let report = try await store.importRoster(try roster2028("202820101,2,3,1,이새롬,"), skipBad: true)
        #expect(report.problems.map(\.line) == [2])
        #expect(report.problems[0].description.contains("202820101"))
        #expect(try await store.allStudents() == before)
    }

    /// One leaver is named, and the rows that only wait for its seat say for which.
    @Test func rowsThatWaitForAnotherNameIt() async throws {
        try await promotedClasses()
        // 곽민제 left; its seat goes to 김미영, whose seat goes to 박지훈.
        let roster = try roster2028(
            ",2,1,3,김미영,", ",2,1,2,박지훈,", "202820101,2,1,1,김민수,", "202820202,2,2,2,김민수,")
        let report = try await store.importRoster(roster)
        #expect(report.problems.map(\.line) == [2, 3])
        #expect(report.problems[0].description.contains("student 202820103"))
        #expect(report.problems[1].description.contains("line 2"))
        try await store.removeStudent(id: 202_820_103)
        #expect(try await store.importRoster(roster).isApplied)
    }
}
