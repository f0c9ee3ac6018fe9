import HalcyonRecords
import HalcyonSQLite
import HalcyonTestSupport
import Testing

/// Syllables and jamo by the Unicode Standard, §3.12 (Hangul syllable decomposition): 김 is U+1100 U+1175 U+11B7.
@Suite(.timeLimit(.minutes(1)))
struct NameSearchTests {
    static let names = [
        "김민준", "김미나", "기성용", "강민지", "권나라", "광수", "까치", "Park Semi", "van der Berg", "김 서연", "ÄNNE Öz", "값진이", "이ㅋㅋ",
        "100%?[x]",
    ]

    private func found(_ query: String, grade: Int? = nil) async throws -> [String] {
        let samples = try Samples()
        for (index, name) in Self.names.enumerated() {
            try await samples.store.add(try Samples.student(index % 2 + 1, 1, index / 2 + 1, name: name))
        }
        return try await samples.store.students(matching: StudentQuery(grade: grade, nameQuery: query)).students
            .map(\.name).sorted()
    }

    @Test(
        arguments: [
            // Initial consonants, from the beginning of the name: compatibility and conjoining jamo.
            ("ㄱㅁㅈ", ["강민지", "김민준"]), ("\u{1100}\u{1106}\u{110C}", ["강민지", "김민준"]), ("ㅁㅈ", []),
            ("ㄱㅅㅇ", ["기성용", "김 서연"]),
            // An input method makes ㄳ of ㄱ and ㅅ.
            ("ㄳ", ["광수", "기성용", "김 서연"]),
            // A double consonant is itself.
            ("ㄲ", ["까치"]), ("ㅇㅋㅋ", ["이ㅋㅋ"]),
            // Mixed, and what an input method sends before a syllable is whole.
            ("김ㅁ", ["김미나", "김민준"]), ("ㄱ민", ["강민지", "김민준"]), ("ㄱ미", ["강민지", "김미나", "김민준"]), ("ㄱ민ㅈ", ["강민지", "김민준"]),
            ("기", ["기성용", "김 서연", "김미나", "김민준"]), ("김미", ["김미나", "김민준"]), ("김민", ["김민준"]), ("고", ["광수"]),
            ("구", ["권나라"]),
            ("갑", ["값진이"]), ("기ㅁ", []), ("기미", []),
            // Decomposed, as some systems send it.
            ("\u{1100}\u{1175}\u{11B7}\u{1106}\u{1175}\u{11AB}", ["김민준"]),
            // The beginning of the name or of one of its words, in either case.
            ("semi", ["Park Semi"]), ("PARK s", ["Park Semi"]), ("ark", []), ("der b", ["van der Berg"]),
            ("änne", ["ÄNNE Öz"]), ("a\u{308}nne", ["ÄNNE Öz"]), ("öz", ["ÄNNE Öz"]), ("김서", ["김 서연"]),
            ("서연", ["김 서연"]),
            // Nothing in it is a pattern.
            ("100%?[", ["100%?[x]"]), ("*", []), ("김*ㅁ", []), ("[ㄱ-ㅎ]", []), ("ㄱ?", []), ("ㅇㅋ^", []),
            ("\u{0}", []), (String(repeating: "가", count: 5000), []),
        ] as [(String, [String])])
    func findsNames(query: String, expected: [String]) async throws {
        #expect(try await found(query) == expected.sorted())
    }

    @Test(arguments: ["", "  ", "\u{3000}"])
    func whiteSpaceAsksForNothing(query: String) async throws {
        #expect(try await found(query).count == Self.names.count)
    }

    @Test func aSearchStaysInItsGrade() async throws {
        #expect(try await found("ㄱ", grade: 1).count + found("ㄱ", grade: 2).count == found("ㄱ").count)
    }

    /// A student whose two words both fit comes once.
    @Test func pagesOfASearchNeitherRepeatNorSkip() async throws {
        let samples = try Samples()
        for number in 1...25 {
            let name = number % 2 == 0 ? "민 민수\(number)" : "민수\(number)"
            try await samples.store.add(try Samples.student(1, number % 3 + 1, number, name: name))
        }
        var query = StudentQuery(nameQuery: "민수", limit: 4)
        var ids: [Int] = []
        repeat {
            let page = try await samples.store.students(matching: query)
            ids += page.students.map(\.id)
            query.after = page.next
        } while query.after != nil
        #expect(ids == (try await samples.store.allStudents().map(\.id)))
    }

    @Test func aNewNameIsFoundAndTheOldOneIsNot() async throws {
        let samples = try Samples()
        try await samples.store.add(try Samples.student(1, 1, 1, name: "김민준"))
        try await samples.store.update(try Samples.student(1, 1, 1, name: "박서준"))
        #expect(try await samples.store.students(matching: StudentQuery(nameQuery: "ㄱㅁ")).students.isEmpty)
        #expect(try await samples.store.students(matching: StudentQuery(nameQuery: "ㅂㅅㅈ")).students.count == 1)
        try await samples.store.removeStudent(id: 202_610_101)
        #expect(try await samples.store.students(matching: StudentQuery(nameQuery: "ㅂㅅㅈ")).students.isEmpty)
    }

    /// Databases from before there was such a search.
    @Test func namesThatHaveNoKeysGetThemWhenTheRecordsAreOpened() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("records.sqlite")
        try await RecordStore(path: path).add(try Samples.student(1, 1, 1, name: "김민준"))
        try Connection(path: path).execute("DELETE FROM studentNames")
        let store = try RecordStore(path: path)
        #expect(try await store.students(matching: StudentQuery(nameQuery: "ㄱㅁㅈ")).students.count == 1)
    }
}
