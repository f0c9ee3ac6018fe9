import Foundation
import HalcyonRecords
import HalcyonSQLite
import HalcyonTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RecordStoreTests {
    let samples: Samples
    var store: RecordStore { samples.store }

    init() throws { samples = try Samples() }

    private func fill(_ students: [Student]) async throws {
        for student in students { try await store.add(student) }
    }

    @Test func findsByIDAndBySeat() async throws {
        let student = try Samples.student(1, 2, 3, url: "http://h.example/a")
        try await fill([student, try Samples.student(1, 2, 4)])
        #expect(try await store.student(id: student.id) == student)
        #expect(try await store.student(grade: 1, classNumber: 2, number: 3) == student)
        #expect(try await store.student(id: 1) == nil)
        #expect(try await store.student(grade: 1, classNumber: 3, number: 3) == nil)
        #expect(try await store.photoSource(forStudent: student.id)?.place == .url("http://h.example/a"))
        #expect(try await store.photoSource(forStudent: 1) == nil)
    }

    @Test func onlyTheOwnerMayReadTheFiles() async throws {
        try await fill([try Samples.student(1, 1, 1)])
        for suffix in ["", "-wal", "-shm"] {
            let path = samples.folder.file("records.sqlite") + suffix
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(suffix)")
        }
    }

    @Test func totalsCountClassesAndStudents() async throws {
        #expect(try await store.totals() == SchoolTotals())
        try await fill([
            try Samples.student(1, 1, 1), try Samples.student(1, 1, 2), try Samples.student(1, 3, 1),
            try Samples.student(2, 1, 1),
        ])
        let totals = try await store.totals()
        #expect(totals.numOfClasses == ["1": 2, "2": 1])
        #expect(totals.numOfStudents == ["1": ["1": 2, "3": 1], "2": ["1": 1]])
    }

    @Test func pagesNeitherRepeatNorSkipWhileOthersComeAndGo() async throws {
        let all = try (1...25).map { try Samples.student(1, $0 % 5 + 1, $0) }
        try await fill(all.shuffled())
        let expected = all.sorted { ($0.classNumber, $0.number) < ($1.classNumber, $1.number) }
        var seen: [Student] = []
        var query = StudentQuery(limit: 4)
        repeat {
            let page = try await store.students(matching: query)
            #expect(page.students.count <= 4)
            seen += page.students
            query.after = page.next
            // The student whom the next page begins after goes, and one comes before everybody seen.
            if let last = page.students.last, page.next != nil {
                try await store.removeStudent(id: last.id)
                try await store.add(try Samples.student(1, 1, 99 - seen.count / 4 - last.classNumber * 5))
            }
        } while query.after != nil
        let added = Set(seen.map(\.id)).subtracting(all.map(\.id))
        #expect(seen.filter { !added.contains($0.id) } == expected)
        #expect(Set(seen.map(\.id)).count == seen.count)
    }

    @Test func filtersByGradeClassAndBeginningOfTheName() async throws {
        try await fill([
            try Samples.student(1, 1, 1, name: "김하나"), try Samples.student(1, 2, 1, name: "Park Semi"),
            try Samples.student(2, 1, 1, name: "100%_확실"), try Samples.student(2, 1, 2, name: "김하늘"),
        ])
        func names(_ query: StudentQuery) async throws -> [String] {
            try await store.students(matching: query).students.map(\.name)
        }
        #expect(try await names(StudentQuery(grade: 2)) == ["100%_확실", "김하늘"])
        #expect(try await names(StudentQuery(grade: 1, classNumber: 2)) == ["Park Semi"])
        #expect(try await names(StudentQuery(nameQuery: "김하")) == ["김하나", "김하늘"])
        #expect(try await names(StudentQuery(nameQuery: "semi")) == ["Park Semi"])
        #expect(try await names(StudentQuery(nameQuery: "%")) == [])
        #expect(try await names(StudentQuery(nameQuery: "100%_")) == ["100%_확실"])
        #expect(try await names(StudentQuery(nameQuery: "' OR 1=1 --")) == [])
        #expect(try await store.allStudents(grade: 2).count == 2)
    }

    @Test(arguments: ["", "1-1", "1-1-1-1", "a-1-1", "0-1-1", "1-1-100", "1--1"])
    func aPageNeedsACursorOfOurs(after: String) async throws {
        await #expect(throws: RecordError.invalid(field: "after", accepted: "the `next` of the page before")) {
            try await store.students(matching: StudentQuery(after: after))
        }
    }

    @Test(arguments: [0, -1, 1001])
    func aPageHasALimit(limit: Int) async throws {
        await #expect(throws: RecordError.invalid(field: "limit", accepted: "a whole number from 1 to 1000")) {
            try await store.students(matching: StudentQuery(limit: limit))
        }
    }

    @Test func anIDAndASeatHaveOneStudent() async throws {
        let student = try Samples.student(1, 1, 1)
        try await fill([student, try Samples.student(1, 1, 2)])
        await #expect(throws: RecordError.conflict(field: "id")) { try await store.add(student) }
        let sameSeat = try Student(id: 7, grade: 1, classNumber: 1, number: 1, name: "x")
        await #expect(throws: RecordError.conflict(field: "number")) { try await store.add(sameSeat) }
        let moved = try Student(id: student.id, grade: 1, classNumber: 1, number: 2, name: "x")
        await #expect(throws: RecordError.conflict(field: "number")) { try await store.update(moved) }
        await #expect(throws: RecordError.notFound) { try await store.update(sameSeat) }
        await #expect(throws: RecordError.notFound) { try await store.removeStudent(id: 7) }
    }

    @Test func updatesEveryField() async throws {
        let student = try Samples.student(1, 1, 1, url: "http://h.example/1")
        try await fill([student])
        let changed = try Student(id: student.id, grade: 2, classNumber: 3, number: 4, name: "새 이름")
        #expect(try await store.update(changed) == student)
        #expect(try await store.student(id: student.id) == changed)
    }

    @Test func tellsOfEachCommitBeforeItReturns() async throws {
        let changes = Mutex<[RecordChange]>([])
        let samples = try Samples { added in changes.withLock { $0 += added } }
        let student = try Samples.student(1, 1, 1)
        try await samples.store.add(student)
        #expect(changes.withLock { $0 } == [RecordChange(.students, .created, record: student.id)])
        _ = try await samples.store.update(student)
        await #expect(throws: RecordError.self) { try await samples.store.add(student) }
        #expect(changes.withLock { $0.count } == 1)
        try await samples.store.removeStudent(id: student.id)
        #expect(changes.withLock { $0.count } == 2)
    }

    @Test func dataVersionFollowsOtherProcessesCommits() async throws {
        let other = try RecordStore(path: samples.folder.file("records.sqlite"))
        let before = try store.dataVersion()
        #expect(try store.dataVersion() == before)
        try await other.add(try Samples.student(1, 1, 1))
        let after = try store.dataVersion()
        #expect(after != before)
        #expect(try store.dataVersion() == after)
    }

    @Test func writersOfManyStoresWaitForEachOther() async throws {
        let path = samples.folder.file("records.sqlite")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...8 {
                let store = try RecordStore(path: path)
                group.addTask {
                    for classNumber in 1...10 { try await store.add(try Samples.student(1, classNumber, number)) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.allStudents().count == 80)
    }

    @Test func manyMayOpenANewDatabaseAtOnce() async throws {
        let path = samples.folder.file("new.sqlite")
        try await withThrowingTaskGroup(of: SchoolTotals.self) { group in
            for _ in 0..<8 { group.addTask { try await RecordStore(path: path).totals() } }
            for try await totals in group { #expect(totals == SchoolTotals()) }
        }
    }

    @Test func theSchemaRefusesWhatTheModelRefuses() throws {
        let connection = try Connection(path: samples.folder.file("records.sqlite"))
        for values in [
            "0,1,1,1,'a',NULL", "1,0,1,1,'a',NULL", "1,1,100,1,'a',NULL", "1,1,1,1,'',NULL", "1,1,1,'x','a',NULL",
            "1,1,1,1,'a',''",
        ] {
            #expect(throws: DatabaseError.self, "\(values)") {
                try connection.execute("INSERT INTO students VALUES (\(values))")
            }
        }
    }

    @Test func aDatabaseOfANewerProgramIsRefused() throws {
        let path = samples.folder.file("newer.sqlite")
        try Connection(path: path).execute("PRAGMA user_version=999")
        #expect(throws: RecordError.self) { try RecordStore(path: path) }
    }

    @Test(arguments: [
        "CREATE TABLE contacts (id INTEGER)", "PRAGMA application_id=1234", "CREATE TABLE a (b); PRAGMA user_version=2",
    ])
    func aDatabaseOfAnotherProgramIsLeftAsItIs(sql: String) throws {
        let path = samples.folder.file("other.sqlite")
        try Connection(path: path).execute("\(sql); PRAGMA wal_checkpoint(TRUNCATE)")
        let content = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(throws: RecordError.self) { try RecordStore(path: path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
    }

    @Test func whereNothingShallBeCreatedNothingIs() throws {
        let path = samples.folder.file("typo.sqlite")
        #expect(throws: RecordError.self) { try RecordStore(path: path, isCreated: false) }
        #expect(!FileManager.default.fileExists(atPath: path))
        _ = try RecordStore(path: samples.folder.file("records.sqlite"), isCreated: false)
    }

    @Test(
        "names are found in either case and any Unicode form",
        arguments: ["élan", "E\u{301}LAN", "김", "\u{1100}\u{1175}\u{11B7}", "100%"])
    func namesAreFoundInAnyForm(query: String) async throws {
        try await samples.store.add(Samples.student(1, 1, 1, name: "E\u{301}lan 100% \u{1100}\u{1175}\u{11B7}하나"))
        try await samples.store.add(Samples.student(1, 1, 2, name: "Other 100"))
        let found = try await samples.store.students(matching: StudentQuery(nameQuery: query)).students
        #expect(found.map(\.number) == [1])
        #expect(found.first?.name.unicodeScalars.contains("\u{301}") == false)
    }

    @Test func aFileThatIsNoDatabaseIsLeftAsItIs() throws {
        let path = samples.folder.file("other")
        let content = Data(repeating: 65, count: 5000)
        try content.write(to: URL(fileURLWithPath: path))
        #expect(throws: RecordError.self) { try RecordStore(path: path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
    }

    @Test func aFolderThatIsMissingIsNamed() throws {
        let path = samples.folder.file("none/records.sqlite")
        let error = #expect(throws: RecordError.self) { try RecordStore(path: path) }
        #expect(error?.description.contains(path) == true)
    }
}
