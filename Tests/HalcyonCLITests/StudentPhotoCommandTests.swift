import Foundation
import HalcyonTestSupport
import Testing

@testable import HalcyonCLI

@Suite(.timeLimit(.minutes(1)))
struct StudentPhotoCommandTests {
    private let folder: TemporaryFolder
    private let buffer = BufferConsole()
    private let photo = SampleImage.png(width: 9, height: 9, seed: 5)

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String...) async -> ExitCode {
        await CommandLineTool.run(
            arguments: arguments + ["--database", folder.file("r.sqlite"), "--cache-dir", folder.file("cache")],
            environment: [:], console: buffer.console)
    }

    private func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: folder.file(name)))
        return folder.file(name)
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: folder.file(name))))
    }

    private func addPupil() async throws {
        let code = await run(
            "students", "add", "--id", "7", "--grade", "1", "--class", "1", "--number", "7", "--name", "가나다",
            "--photo-url", "https://h.example/7.jpg")
        #expect(code == .done)
    }

    @Test func aFileBecomesThePhotoAndStaysWhereItIs() async throws {
        try await addPupil()
        let file = try write(photo, to: "face.jpg")
        #expect(await run("students", "photo", "7", file) == .done)
        // Named by what it is, whatever the file is called.
        #expect(buffer.out.contains(/photo  [0-9a-f]{64}\.png\n/))
        #expect(try bytes("face.jpg") == photo)
        #expect(
            try FileManager.default.attributesOfItem(atPath: folder.file("media"))[.posixPermissions] as? Int == 0o700)

        // No origin is asked, and none is allowed.
        #expect(await run("get", "7", "-o", folder.file("got")) == .done)
        #expect(try bytes("got") == photo)
        #expect(await run("get", "7", "--only-cached", "-o", folder.file("got")) == .done)
        #expect(await run("prefetch") == .done)
        #expect(buffer.out.contains("  1  already fresh"))
        #expect(await run("purge", "--all") == .done)
        #expect(await run("get", "7", "-o", folder.file("got")) == .done)
    }

    @Test func removingLeavesNeitherPhotoNorURL() async throws {
        try await addPupil()
        #expect(await run("students", "photo", "7", try write(photo, to: "face.png")) == .done)
        #expect(await run("students", "photo", "7", "--remove") == .done)
        #expect(await run("get", "7", "-o", "-") == .failed)
        #expect(buffer.err.contains("student 7 has no photo"))
    }

    @Test func anotherURLReplacesIt() async throws {
        try await addPupil()
        #expect(await run("students", "photo", "7", try write(photo, to: "face.png")) == .done)
        #expect(await run("students", "edit", "7", "--name", "라") == .done)
        #expect(await run("get", "7", "-o", folder.file("got")) == .done)
        #expect(await run("students", "edit", "7", "--photo-url", "https://h.example/8.jpg") == .done)
        #expect(buffer.out.contains("photo  https://h.example/8.jpg"))
        #expect(await run("students", "photo", "7", folder.file("face.png")) == .done)
        #expect(await run("students", "edit", "7", "--without-photo") == .done)
        #expect(buffer.out.contains("photo  none"))
    }

    @Test func whatIsNotAcceptedIsNamed() async throws {
        try await addPupil()
        let page = try write(Array("<html>".utf8), to: "page.jpg")
        #expect(await run("students", "photo", "7", page) == .failed)
        #expect(buffer.err.contains("the bytes are not an image"))
        #expect(await run("students", "photo", "7", try write(Array(photo.dropLast(9)), to: "cut.png")) == .failed)
        #expect(buffer.err.contains("the image ends too early"))
        let whole = try write(photo, to: "face.png")
        #expect(await run("students", "photo", "7", whole, "--max-image-bytes", "20") == .failed)
        #expect(buffer.err.contains("more than 20 bytes"))
        #expect(await run("students", "photo", "7", folder.file("none.png")) == .failed)
        #expect(await run("students", "photo", "8", whole) == .failed)
        #expect(buffer.err.contains("there is no student 8"))
        #expect(await run("students", "photo", "7") == .usage)
        #expect(await run("students", "photo", "7", whole, "--remove") == .usage)
        #expect(!FileManager.default.fileExists(atPath: folder.file("media")))
    }

    @Test func verifyReadsTheImagesOfRecordsToo() async throws {
        try await addPupil()
        #expect(await run("students", "photo", "7", try write(photo, to: "face.png")) == .done)
        #expect(await run("prefetch") == .done)
        #expect(await run("verify") == .done)
        #expect(buffer.out.contains("1 image of records read"))
        let media = folder.file("media")
        let name = try #require(
            try FileManager.default.subpathsOfDirectory(atPath: media).first { $0.hasSuffix(".png") })
        try Data(photo.reversed()).write(to: URL(filePath: media + "/" + name))
        #expect(await run("verify") == .failed)
        #expect(buffer.out.contains("  1 altered"))
    }
}
