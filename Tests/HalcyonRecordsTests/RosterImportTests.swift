import HalcyonRecords
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RosterImportTests {
    let samples: Samples
    var store: RecordStore { samples.store }

    init() throws { samples = try Samples() }

    private func importing(
        _ rows: String..., skipBad: Bool = false, isDryRun: Bool = false
    ) async throws -> ImportReport {
        let text = (["id,grade,class,number,name,photo"] + rows).joined(separator: "\n")
        return try await store.importRoster(try Samples.roster(text), skipBad: skipBad, isDryRun: isDryRun)
    }

    @Test func importingAgainUpdates() async throws {
        var report = try await importing(
            "1,1,1,1,a,http://h.example/a", "2,1,1,2,b,http://h.example:81/b", "3,1,1,3,c,")
        #expect(report.isApplied)
        #expect([report.added, report.updated, report.unchanged] == [3, 0, 0])
        #expect(report.hosts == ["h.example": 1, "h.example:81": 1])
        report = try await importing("1,1,1,1,a,http://h.example/a", "2,1,1,2,b,http://h.example/new", "4,1,1,4,d,")
        #expect([report.added, report.updated, report.unchanged] == [1, 1, 1])
        #expect(report.removedPhotoURLs == ["http://h.example:81/b"])
        #expect(try await store.allStudents().map(\.id) == [1, 2, 3, 4])
        #expect(try await store.student(id: 2)?.profileImageURL == "http://h.example/new")
    }

    @Test(arguments: [
        ("HTTP://Photos.Example/a", "photos.example"), ("https://photos.example:8443?x=@y", "photos.example:8443"),
        ("http://photos.example#z", "photos.example"), ("http://[::1]:80/a", "[::1]:80"),
        ("http://photos.example\\@evil.example/", "photos.example"), ("http://사진.example/가", "사진.example"),
    ])
    func hostsOfThePhotosAreNamed(url: String, host: String) async throws {
        #expect(try await importing("1,1,1,1,a,\(url)", isDryRun: true).hosts == [host: 1])
    }

    @Test func aPhotoThatSomebodyStillHasIsNotRemoved() async throws {
        _ = try await importing("1,1,1,1,a,http://h.example/same", "2,1,1,2,b,http://h.example/same")
        let report = try await importing("1,1,1,1,a,")
        #expect(report.updated == 1)
        #expect(report.removedPhotoURLs.isEmpty)
    }

    @Test func nothingIsImportedUnlessAllRowsAreGood() async throws {
        let report = try await importing("1,1,1,1,a,", "2,1,1,x,b,")
        #expect(!report.isApplied)
        #expect(report.problems.map(\.line) == [3])
        #expect(report.added == 1)
        #expect(try await store.allStudents().isEmpty)
    }

    @Test func skippingBadRowsImportsTheRest() async throws {
        let report = try await importing("1,1,1,1,a,", "2,1,1,x,b,", skipBad: true)
        #expect(report.isApplied)
        #expect(report.problems.count == 1)
        #expect(try await store.allStudents().map(\.id) == [1])
    }

    @Test func aDryRunWritesNothing() async throws {
        let report = try await importing("1,1,1,1,a,", isDryRun: true)
        #expect(report.added == 1)
        #expect(!report.isApplied)
        #expect(try await store.allStudents().isEmpty)
    }

    @Test func studentsMaySwapSeats() async throws {
        _ = try await importing("1,1,1,1,a,", "2,1,1,2,b,", "3,1,1,3,c,")
        let report = try await importing("1,1,1,2,a,", "2,1,1,3,b,", "3,1,1,1,c,")
        #expect(report.updated == 3)
        #expect(try await store.allStudents().map(\.id) == [3, 1, 2])
    }

    @Test func aSeatOfSomebodyWhoIsNotInTheFileIsAConflict() async throws {
        _ = try await importing("1,1,1,1,a,", "2,1,1,2,b,")
        let report = try await importing("9,1,1,1,x,", "8,1,1,8,y,")
        #expect(!report.isApplied)
        #expect(
            report.problems.map(\.description) == [
                "line 2, number: the seat is that of student 1, whom no good row names: if it has left, remove it first; "
                    + "if it is this one, give this row its id"
            ])
    }

    @Test func aRowThatDropsOutKeepsItsSeatFromTheOthers() async throws {
        _ = try await importing("1,1,1,1,a,", "2,1,1,2,b,", "3,1,1,3,c,")
        // 2 may not have the seat of 3, so 2 stays, so 1 may not have the seat of 2.
        let report = try await importing("1,1,1,2,a,", "2,1,1,3,b,", "4,1,1,4,d,", skipBad: true)
        #expect(report.problems.map(\.line) == [2, 3])
        #expect(report.added == 1)
        #expect(try await store.allStudents().map(\.id) == [1, 2, 3, 4])
    }

    @Test(arguments: [RosterEncoding.utf8, .utf16LittleEndian, .utf16BigEndian, .cp949], [true, false])
    func anExportedRosterComesBackUnchanged(encoding: RosterEncoding, hasMark: Bool) async throws {
        var random = SplitMix(state: 2026)
        let alphabet = Array("가힣똠뷁한 글abcXYZ012,;\"'=+-@\\%·").map(String.init)
        for number in 1...60 {
            let name = "x" + (0..<12).map { _ in alphabet.randomElement(using: &random) ?? "" }.joined() + "x"
            let url = number % 3 == 0 ? nil : "http://h.example/\(number)?a=\"b\",c;d"
            try await store.add(try Samples.student(1, number % 7 + 1, number, name: name, url: url))
        }
        try await store.add(try Samples.student(2, 1, 1, name: "=HYPERLINK(\"x\")"))
        let bytes = try await store.exportRoster(encoding: encoding, hasByteOrderMark: hasMark)
        let roster = try RosterReader.read(bytes)
        #expect(roster.problems.isEmpty)
        #expect(roster.encoding == encoding)
        #expect(roster.rows.map(\.student) == (try await store.allStudents()))
        #expect(try await store.importRoster(roster).unchanged == 61)
    }

    @Test func anExportNamesTheStudentWhoseNameCannotBeWritten() async throws {
        try await store.add(try Samples.student(1, 1, 1, name: "José 🙂"))
        let error = await #expect(throws: RecordError.self) { try await store.exportRoster(encoding: .cp949) }
        #expect(error?.description == "student 202610101 has a character that CP949/EUC-KR lacks")
    }

    @Test func twentyThousandStudentsComeInAtOnce() async throws {
        var text = "학년,반,번호,이름,사진\n"
        for grade in 1...4 {
            for classNumber in 1...60 {
                for number in 1...85 {
                    text +=
                        "\(grade),\(classNumber),\(number),김학생\(number),http://photos.example/\(grade)/\(classNumber)/\(number).jpg\n"
                }
            }
        }
        let report = try await store.importRoster(try Samples.roster(text))
        #expect(report.added == 20_400)
        #expect(report.hosts == ["photos.example": 20_400])
        #expect(try await store.totals().numOfClasses == ["1": 60, "2": 60, "3": 60, "4": 60])
    }
}

/// A small generator with a seed, so that a failure comes again.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
