import Foundation
import HalcyonRecords
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RosterReaderTests {
    static let text = "학년,반,번호,이름,사진\r\n1,1,7,김하늘,http://photos.example/7.jpg\r\n2,10,12,똠방각하 뷁,\r\n"

    /// `text.encode("cp949")` of Python; the second name has syllables that EUC-KR lacks.
    static let cp949: [UInt8] = [
        0xC7, 0xD0, 0xB3, 0xE2, 0x2C, 0xB9, 0xDD, 0x2C, 0xB9, 0xF8, 0xC8, 0xA3, 0x2C, 0xC0, 0xCC, 0xB8, 0xA7, 0x2C,
        0xBB, 0xE7, 0xC1, 0xF8, 0x0D, 0x0A, 0x31, 0x2C, 0x31, 0x2C, 0x37, 0x2C, 0xB1, 0xE8, 0xC7, 0xCF, 0xB4, 0xC3,
        0x2C, 0x68, 0x74, 0x74, 0x70, 0x3A, 0x2F, 0x2F, 0x70, 0x68, 0x6F, 0x74, 0x6F, 0x73, 0x2E, 0x65, 0x78, 0x61,
        0x6D, 0x70, 0x6C, 0x65, 0x2F, 0x37, 0x2E, 0x6A, 0x70, 0x67, 0x0D, 0x0A, 0x32, 0x2C, 0x31, 0x30, 0x2C, 0x31,
        0x32, 0x2C, 0x8C, 0x63, 0xB9, 0xE6, 0xB0, 0xA2, 0xC7, 0xCF, 0x20, 0x94, 0xEE, 0x2C, 0x0D, 0x0A,
    ]

    static let littleEndian = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    static let bigEndian = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }

    @Test(arguments: [
        ("UTF-8", Array(text.utf8), RosterEncoding.utf8),
        ("UTF-8 with a mark", [0xEF, 0xBB, 0xBF] + Array(text.utf8), .utf8),
        ("UTF-16LE with a mark", [0xFF, 0xFE] + littleEndian, .utf16LittleEndian),
        ("UTF-16BE with a mark", [0xFE, 0xFF] + bigEndian, .utf16BigEndian),
        ("UTF-16LE", littleEndian, .utf16LittleEndian),
        ("UTF-16BE", bigEndian, .utf16BigEndian),
        ("CP949", cp949, .cp949),
    ])
    func recognisesTheEncoding(name: String, bytes: [UInt8], encoding: RosterEncoding) throws {
        let roster = try RosterReader.read(bytes, schoolYear: 2026)
        #expect(roster.encoding == encoding)
        #expect(roster.problems.isEmpty)
        #expect(
            roster.rows.map(\.student) == [
                try Student(
                    id: 202_610_107, grade: 1, classNumber: 1, number: 7, name: "김하늘",
                    profileImageURL: "http://photos.example/7.jpg"),
                try Student(id: 202_621_012, grade: 2, classNumber: 10, number: 12, name: "똠방각하 뷁"),
            ])
    }

    @Test func bytesOfNoEncodingAreNamedByLineAndByte() throws {
        let error = #expect(throws: RecordError.self) {
            // 0xFF is no lead byte of CP949.
            try RosterReader.read(Array(Self.cp949.prefix(24)) + [0x31, 0xFF, 0x0A], schoolYear: 2026)
        }
        #expect(error?.description == "line 2, byte 25 of the file: the text is neither UTF-8 nor CP949/EUC-KR")
        let marked = #expect(throws: RecordError.self) { try RosterReader.read([0xEF, 0xBB, 0xBF, 0x0A, 0xC0, 0x0A]) }
        #expect(marked?.description == "line 2, byte 4 of the file: the text is not UTF-8")
        let half = #expect(throws: RecordError.self) {
            try RosterReader.read([0xFF, 0xFE, 0x41, 0x00, 0x0A, 0x00, 0x41])
        }
        #expect(half?.description == "line 2, byte 6 of the file: the text is not UTF-16LE")
    }

    @Test(arguments: [",", ";", "\t"], ["\r\n", "\n", "\r"])
    func readsEveryDelimiterAndLineEnd(delimiter: String, lineEnd: String) throws {
        let lines = [
            ["name", "NO", "Class_No", " Grade ", "비고"], ["\"a\(delimiter) \"\"b\"\"\"", "2", "1", "1", "x"],
            ["", "", "", "", ""], ["c", "3", "1", "1"],
        ]
        let roster = try Samples.roster(lines.map { $0.joined(separator: delimiter) }.joined(separator: lineEnd))
        #expect(String(roster.delimiter) == delimiter)
        #expect(roster.ignoredColumns == ["비고"])
        if delimiter == "\t" {
            // A tab is read like any other delimiter, but no name may hold one.
            #expect(roster.problems.map(\.description).first?.hasPrefix("line 2, name:") == true)
        } else {
            #expect(roster.problems.isEmpty)
            #expect(roster.rows.first?.student.name == "a\(delimiter) \"b\"")
        }
        #expect(roster.rows.last?.student.name == "c")
        #expect(roster.rows.last?.line == 4)
    }

    @Test(arguments: [
        "id,grade,classNumber,number,name,profileImageURL", "STUDENT_ID,Grade,class,NO,Name,photo_url",
        "학번,학년,반,번호,성명,사진주소", "student id, grade , Class Number , num, 학생명 , PICTURE", "sep=,\n학번,학년,반,번호,이름,image-url",
    ])
    func knowsTheAliases(header: String) throws {
        let roster = try Samples.roster(header + "\n9,1,2,3,a,http://h.example/a")
        let expected = try Student(
            id: 9, grade: 1, classNumber: 2, number: 3, name: "a", profileImageURL: "http://h.example/a")
        #expect(roster.rows.map(\.student) == [expected])
        #expect(roster.ignoredColumns.isEmpty)
    }

    @Test(arguments: ["1학년,3반,7번", "１,３,０７", " 01 , 03 ,007", "1 학년,３반,７번"])
    func readsNumbersAsPeopleWriteThem(seat: String) throws {
        let roster = try Samples.roster("학년,반,번호,이름\n\(seat),a")
        #expect(roster.problems.isEmpty)
        #expect(roster.rows.first?.student.id == 202_610_307)
    }

    @Test(
        arguments: [
            ("1,1,x,a,", "number"), ("1,1,0,a,", "number"), ("1,1,100,a,", "number"), ("1,,1,a,", "classNumber"),
            ("-1,1,1,a,", "grade"), ("1.5,1,1,a,", "grade"), ("99999999999999999999,1,1,a,", "grade"),
            ("1,1,1,,", "name"),
            ("1,1,1", "name"), ("1,1,1,a,photo.jpg", "profileImageURL"), ("1,1,1,a,,x", nil), ("1,1,1,\"a\"b,", "name"),
            ("1,1,1,a,http://u:p@h.example/a", "profileImageURL"),
        ] as [(String, String?)])
    func aBadRowIsReportedByLineAndColumn(row: String, column: String?) throws {
        let roster = try Samples.roster("grade,class,number,name,photo\n2,1,1,good,\n\n\(row)\n2,1,2,good,\n")
        #expect(roster.problems.map(\.line) == [4])
        #expect(roster.problems.map(\.column) == [column])
        #expect(roster.rows.map(\.line) == [2, 5])
    }

    @Test func everyWrongColumnOfARowIsTold() throws {
        let roster = try Samples.roster("id,grade,class,number,name\nx,x,x,x,\n")
        #expect(roster.problems.map(\.column) == ["grade", "classNumber", "number", "id", "name"])
        #expect(roster.problems[0].description == "line 2, grade: accepted is a whole number from 1 to 99")
    }

    @Test func duplicatesNameBothLines() throws {
        let roster = try Samples.roster("id,grade,class,number,name\n1,1,1,1,a\n1,1,1,2,b\n2,1,1,1,c\n,1,1,1,d\n")
        #expect(
            roster.problems.map(\.description) == [
                "line 3, id: the id of line 2 again", "line 4, number: the seat (grade, class, number) of line 2 again",
                "line 5, number: the seat (grade, class, number) of line 2 again",
            ])
    }

    @Test func linesAreCountedThroughQuotedFields() throws {
        let roster = try Samples.roster(
            "grade,class,number,name,memo\r\n1,1,1,a,\"one\r\ntwo\r\nthree\"\r\n1,1,0,b,\r\n")
        #expect(roster.rows.map(\.line) == [2])
        #expect(roster.problems.map(\.line) == [5])
    }

    @Test(arguments: [
        ("", "the file is empty; its first line must be a header"),
        ("\n\n", "the file is empty; its first line must be a header"),
        ("\n1,1,1,a\n", "line 2: the header has no column for grade; accepted are grade, 학년"),
        ("grade,class,name\n", "line 1: the header has no column for number; accepted are number, no, num, 번호"),
        ("grade,학년,class,number,name\n", "line 1: the header has 2 columns for grade"),
        ("grade,class,number,\"name\n1,1,1,a\n", "line 1: a quoted field begins here and is never closed"),
    ])
    func aFileThatCannotBeReadSaysWhy(text: String, message: String) {
        let error = #expect(throws: RecordError.self) { try Samples.roster(text) }
        #expect(error?.description == message)
    }

    @Test func anUnclosedQuoteSpoilsItsRowAndWhatFollows() throws {
        let roster = try Samples.roster("grade,class,number,name\n1,1,1,a\n1,1,2,\"b\n1,1,3,c\n")
        #expect(roster.rows.map(\.line) == [2])
        #expect(roster.problems.map(\.line) == [3])
        #expect(roster.problems.map(\.column) == ["name"])
    }

    @Test func aRowThatIsWrongAsAWholeIsNamedSo() throws {
        let roster = try Samples.roster("grade,class,number,name\n1,1,1,a,b\n")
        #expect(roster.problems.first?.description.hasPrefix("line 2, whole row: ") == true)
    }

    @Test func problemsNeverQuoteTheRow() throws {
        let roster = try Samples.roster("grade,class,number,name,photo\n비밀,1,1,\u{1}비밀,비밀\n")
        #expect(roster.problems.count == 3)
        #expect(!roster.problems.contains { $0.description.contains("비밀") })
    }

    @Test(arguments: [
        ("2026-02-28T14:59:59Z", 2025), ("2026-02-28T15:00:00Z", 2026), ("2026-12-31T14:59:59Z", 2026),
        ("2026-12-31T15:00:00Z", 2026),
    ])
    func theSchoolYearBeginsInMarch(now: String, year: Int) throws {
        let zone = try #require(TimeZone(identifier: "Asia/Seoul"))
        #expect(SchoolYear.current(now: try Date(now, strategy: .iso8601), timeZone: zone) == year)
    }
}
