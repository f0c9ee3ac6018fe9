import Foundation
import HalcyonTestSupport
import Testing

@testable import HalcyonCLI

@Suite(.timeLimit(.minutes(1)))
struct StudentsCommandTests {
    private let folder: TemporaryFolder
    private let buffer = BufferConsole()

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String...) async -> ExitCode {
        await CommandLineTool.run(
            arguments: arguments + ["--database", folder.file("r.sqlite")], environment: [:], console: buffer.console)
    }

    private func write(_ text: String) throws -> String {
        let path = folder.file("roster.csv")
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    private let good = """
        학년,반,번호,이름,사진
        1,1,1,가나다,http://photos.school.example/1.jpg
        1,1,2,라마바,
        """

    @Test func aRosterIsImportedListedAndExported() async throws {
        let roster = try write(good)
        #expect(await run("students", "import", roster, "--school-year", "2021") == .done)
        #expect(buffer.out == "2 added, 0 updated, 0 unchanged, 0 bad\n")
        #expect(await run("students", "list", "--grade", "1") == .done)
        #expect(buffer.out.contains("202110101  1-1-1  가나다\n202110102  1-1-2  라마바  (no photo)\n"))
        #expect(await run("students", "export", folder.file("out.csv")) == .done)
        let exported = try String(contentsOfFile: folder.file("out.csv"), encoding: .utf8)
        #expect(exported.contains("202110101,1,1,1,가나다,http://photos.school.example/1.jpg\r\n"))
        #expect(await run("students", "import", folder.file("out.csv")) == .done)
        #expect(buffer.out.contains("0 added, 0 updated, 2 unchanged, 0 bad\n"))
    }

    @Test func importNamesTheHostsThatAreMissingAndTheOption() async throws {
        #expect(await run("students", "import", try write(good)) == .done)
        #expect(buffer.err.contains("add --allow-origin photos.school.example"))
        #expect(
            await run("students", "import", folder.file("roster.csv"), "--allow-origin", "*.school.example") == .done)
        #expect(buffer.err.components(separatedBy: "--allow-origin").count == 2)
    }

    @Test func aBadRowStopsTheImportAndIsNamed() async throws {
        let roster = try write(good + "\n1,1,x,사아자,\n")
        #expect(await run("students", "import", roster) == .failed)
        #expect(buffer.err.contains("line 4, number: "))
        #expect(buffer.out.hasPrefix("nothing was imported"))
        #expect(await run("students", "import", roster, "--dry-run", "--skip-bad") == .failed)
        #expect(await run("students", "list", "--json") == .done)
        #expect(buffer.out.hasSuffix("[\n\n]\n"))
        #expect(await run("students", "import", roster, "--skip-bad") == .failed)
        #expect(buffer.out.hasSuffix("2 added, 0 updated, 0 unchanged, 1 bad\n"))
    }

    @Test func onePupilIsAddedChangedShownAndRemoved() async throws {
        #expect(
            await run(
                "students", "add", "--grade", "2", "--class", "3", "--number", "4", "--name", "가나다", "--school-year",
                "2021", "--photo-url", "http://photos.school.example/a.jpg") == .done)
        #expect(await run("students", "edit", "202120304", "--name", "바사아", "--without-photo") == .done)
        #expect(await run("students", "show", "202120304", "--json") == .done)
        #expect(buffer.out.contains("\"name\" : \"바사아\""))
        #expect(buffer.out.hasSuffix("\"profileImageURL\" : null\n}\n"))
        #expect(await run("students", "remove", "202120304") == .done)
        #expect(await run("students", "show", "202120304") == .failed)
        #expect(buffer.err.contains("there is no student 202120304"))
    }

    @Test func aVariableLeftOverDoesNotMoveAPupil() async throws {
        #expect(
            await run("students", "add", "--id", "7", "--grade", "2", "--class", "3", "--number", "4", "--name", "a")
                == .done)
        let code = await CommandLineTool.run(
            arguments: ["students", "edit", "7", "--name", "b", "--database", folder.file("r.sqlite")],
            environment: ["HALCYON_GRADE": "5", "HALCYON_NAME": "c"], console: buffer.console)
        #expect(code == .done)
        #expect(buffer.out.hasSuffix("grade  2\nclass  3\nnumber 4\nname   b\nphoto  none\n"))
    }

    @Test(arguments: [
        (["students", "add", "--grade", "1", "--class", "1", "--name", "a"], "needs --number", ExitCode.usage),
        (["students", "show", "seven"], "\"seven\" is not accepted: expected a number above 0", .usage),
        (["students", "edit", "7", "--photo-url", "http://a/", "--without-photo"], "exclude each other", .usage),
        (["students", "remove", "7"], "there is no student 7", .failed),
        (["students", "import", "/nonexistent"], "cannot read /nonexistent: No such file", .failed),
    ])
    func whatCannotBeDoneIsSaid(arguments: [String], message: String, code: ExitCode) async {
        _ = await run("students", "add", "--id", "1", "--grade", "1", "--class", "1", "--number", "1", "--name", "a")
        let ended = await CommandLineTool.run(
            arguments: arguments + ["--database", folder.file("r.sqlite")], environment: [:], console: buffer.console)
        #expect(ended == code)
        #expect(buffer.err.contains(message))
    }

    @Test func aPromotionIsToldFirstThenDone() async throws {
        let roster = try write(good + "\n2,1,1,사아자,\n")
        #expect(await run("students", "import", roster, "--school-year", "2021") == .done)
        #expect(await run("guidances", "add", "202120101", "--reason", "무단횡단") == .done)
        #expect(await run("students", "promote", "--year", "2022") == .done)
        let told = """
            school year 2022; the last grade is 2, the highest in which there is somebody (--last-grade says otherwise)
            grade 1: 2 students to grade 2
            grade 2: 1 student leave
            2 ids of the new year, 1 guidance of those who leave removed
            """
        #expect(buffer.out.contains(told + "\n"))
        #expect(buffer.err.contains("nothing was changed; --yes does it"))
        #expect(await run("students", "show", "202120101") == .done)
        #expect(await run("students", "promote", "--year", "2022", "--yes") == .done)
        #expect(buffer.out.contains(told + ", 0 photos dropped from the caches\n"))
        #expect(await run("students", "show", "202120101") == .failed)
        #expect(await run("students", "show", "202220101") == .done)
        #expect(await run("students", "promote", "--year", "2022", "--yes") == .failed)
        #expect(buffer.err.contains("promoted to the school year 2022 already"))
    }

    /// The year of a promotion in autumn is the coming one, today's date still says the old one.
    @Test func afterAPromotionNewIDsAreOfItsYear() async throws {
        #expect(await run("students", "import", try write(good), "--school-year", "2090") == .done)
        #expect(await run("students", "promote", "--year", "2091", "--last-grade", "3", "--yes") == .done)
        #expect(await run("students", "import", try write("grade,class,number,name\n1,1,1,새내기\n")) == .done)
        #expect(await run("students", "add", "--grade", "1", "--class", "1", "--number", "2", "--name", "둘") == .done)
        #expect(await run("students", "list", "--grade", "1") == .done)
        #expect(buffer.out.contains("209110101  1-1-1"))
        #expect(buffer.out.contains("209110102  1-1-2"))
        #expect(await run("students", "import", try write(good), "--school-year", "2090") == .usage)
        #expect(buffer.err.contains("--school-year 2090: the students have been promoted to 2091"))
    }

    @Test(arguments: [
        ("PK\u{3}\u{4}\u{14}\0\u{6}\0", "a spreadsheet"), ("%PDF-1.7\n", "a PDF"),
    ])
    func aFileThatIsNoTextIsCalledWhatItIs(content: String, name: String) async throws {
        #expect(await run("students", "import", try write(content)) == .failed)
        #expect(buffer.err.contains("the file is \(name)"))
        #expect(buffer.err.contains("save it as CSV"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("r.sqlite")))
    }

    @Test func guidancesOfAPeriodAreCounted() async throws {
        #expect(await run("students", "import", try write(good), "--school-year", "2021") == .done)
        for (id, reason) in [("202110101", "무단횡단"), ("202110101", "복장 불량"), ("202110102", "무단횡단")] {
            #expect(await run("guidances", "add", id, "--reason", reason) == .done)
        }
        #expect(await run("guidances", "counts", "--by", "student") == .done)
        #expect(buffer.out.contains("2  1-1-1  가나다\n1  1-1-2  라마바\n"))
        #expect(await run("guidances", "counts", "--by", "reason", "--json") == .done)
        #expect(await run("guidances", "counts", "--by", "class", "--to", "2020-01-01") == .done)
        #expect(buffer.err.contains("0 guidances"))
        let reversed = await run("guidances", "counts", "--from", "2026-03-02", "--to", "2026-03-01")
        #expect(reversed == .usage)
        #expect(buffer.err.contains("ends before it begins"))
    }
}
