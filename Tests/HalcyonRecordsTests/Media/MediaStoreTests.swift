import Foundation
import HalcyonRecords
import HalcyonTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MediaStoreTests {
    private let folder: TemporaryFolder
    private let store: MediaStore

    init() throws {
        folder = try TemporaryFolder()
        store = MediaStore(path: folder.file("media"))
    }

    /// `printf abc | b2sum -l 256`
    private static let abc = "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"

    private func media(_ id: MediaID, byteCount: Int, createdAt: Date = Date()) -> Media {
        Media(id: id, contentType: "image/jpeg", byteCount: byteCount, width: 1, height: 1, createdAt: createdAt)
    }

    private func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: store.path).filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: store.path + "/" + path, isDirectory: &isFolder)
                && !isFolder.boolValue && path != "lock"
        }
    }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func age(_ path: String, seconds: TimeInterval) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: path)
    }

    @Test func namesAFileByTheDigestOfItsBytes() async throws {
        let id = try await store.keep(Array("abc".utf8), fileExtension: "jpg")
        #expect(id.description == Self.abc + ".jpg")
        #expect(store.path(of: id) == folder.file("media/bd/\(Self.abc).jpg"))
        #expect(try store.readBlocking(id) == Array("abc".utf8))
    }

    @Test func filesAndFoldersAreTheirOwnersAlone() async throws {
        let id = try await store.keep(Array("abc".utf8), fileExtension: "jpg")
        #expect(try mode(store.path(of: id)) == 0o600)
        #expect(try mode(store.path) == 0o700)
        #expect(try mode(store.path + "/bd") == 0o700)
    }

    @Test func aFileIsMovedIn() async throws {
        let upload = folder.file("upload")
        try Data("abc".utf8).write(to: URL(fileURLWithPath: upload))
        try age(upload, seconds: 7200)
        let id = try await store.keep(fileAt: upload, fileExtension: "png")
        #expect(id.description == Self.abc + ".png")
        #expect(!FileManager.default.fileExists(atPath: upload))
        #expect(try mode(store.path(of: id)) == 0o600)
        #expect(try files().count == 1)
    }

    @Test(.enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm")))
    func aFileOfAnotherFileSystemIsCopied() async throws {
        let upload = "/dev/shm/halcyon-test-\(UUID().uuidString)"
        try Data("abc".utf8).write(to: URL(fileURLWithPath: upload))
        let id = try await store.keep(fileAt: upload, fileExtension: "jpg")
        #expect(try store.readBlocking(id) == Array("abc".utf8))
        #expect(!FileManager.default.fileExists(atPath: upload))
        #expect(try files() == ["bd/\(id)"])
    }

    @Test func theSameBytesTwiceAreOneFile() async throws {
        let upload = folder.file("upload")
        try Data("abc".utf8).write(to: URL(fileURLWithPath: upload))
        let first = try await store.keep(Array("abc".utf8), fileExtension: "jpg")
        let second = try await store.keep(fileAt: upload, fileExtension: "jpg")
        #expect(first == second)
        #expect(!FileManager.default.fileExists(atPath: upload))
        #expect(try files() == ["bd/\(first)"])
    }

    @Test func aFileCutShortIsReplaced() async throws {
        let id = try await store.keep(Array("abc".utf8), fileExtension: "jpg")
        try Data("ab".utf8).write(to: URL(fileURLWithPath: store.path(of: id)))
        _ = try await store.keep(Array("abc".utf8), fileExtension: "jpg")
        #expect(try store.readBlocking(id) == Array("abc".utf8))
    }

    @Test func manyKeepersOfTheSameBytesLeaveOneWholeFile() async throws {
        let bytes = [UInt8](repeating: 7, count: 100_000)
        // Each with a store of its own, as processes have.
        let ids = try await withThrowingTaskGroup(of: MediaID.self) { group in
            for _ in 0..<16 {
                group.addTask { try await MediaStore(path: store.path).keep(bytes, fileExtension: "gif") }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        let id = try #require(ids.first)
        #expect(ids.count == 1)
        #expect(try files().count == 1)
        try await store.verify(media(id, byteCount: bytes.count))
    }

    @Test func verifyTellsWhatIsWrongWithAFile() async throws {
        let id = try await store.keep(Array("abc".utf8), fileExtension: "jpg")
        try await store.verify(media(id, byteCount: 3))
        try Data("abd".utf8).write(to: URL(fileURLWithPath: store.path(of: id)))
        await #expect(throws: MediaError.damaged) { try await store.verify(media(id, byteCount: 3)) }
        try Data("abcd".utf8).write(to: URL(fileURLWithPath: store.path(of: id)))
        await #expect(throws: MediaError.wrongLength) { try await store.verify(media(id, byteCount: 3)) }
        try FileManager.default.removeItem(atPath: store.path(of: id))
        await #expect(throws: MediaError.missing) { try await store.verify(media(id, byteCount: 3)) }
    }

    @Test(arguments: [
        "", "../../etc/passwd", abc, abc + ".", abc + ".JPG", abc.uppercased() + ".jpg", abc + ".jpg/..",
        "/" + abc + ".jpg",
        abc.dropLast() + ".jpg", abc + ".jpeg12", abc + ".j\0g", String(abc.dropFirst(2)) + "...jpg", abc + "\n.jpg",
    ])
    func nothingElseIsAName(text: String) {
        #expect(MediaID(text) == nil)
    }

    @Test(arguments: ["", "jpeg12", "JPG", "../x", "j g"])
    func anExtensionThatIsNoneIsRefused(text: String) async throws {
        await #expect(throws: MediaError.invalidName) { try await store.keep([1], fileExtension: text) }
    }

    // MARK: Sweep

    @Test func theSweepRemovesOnlyWhatIsOldAndUnnamed() async throws {
        let records = try RecordStore(path: folder.file("records.sqlite"))
        let now = Date()
        let named = try await store.keep([1], fileExtension: "jpg")
        let orphan = try await store.keep([2], fileExtension: "jpg")
        let young = try await store.keep([3], fileExtension: "jpg")
        let unrecorded = try await store.keep([4], fileExtension: "jpg")
        for (id, age) in [(named, 7200.0), (orphan, 7200), (young, 60)] {
            try await records.add(media(id, byteCount: 1, createdAt: now.addingTimeInterval(-age)))
        }
        let student = try Student(id: 1, grade: 1, classNumber: 1, number: 1, name: "a")
        try await records.add(student)
        try await records.setPhoto(studentID: 1, media: named)
        for id in [named, orphan, unrecorded] { try age(store.path(of: id), seconds: 7200) }
        let leftover = store.path + "/incoming/leftover"
        try Data([9, 9]).write(to: URL(fileURLWithPath: leftover))
        try age(leftover, seconds: 7200)
        let foreign = store.path + "/02/notes.txt"
        try FileManager.default.createDirectory(atPath: store.path + "/02", withIntermediateDirectories: true)
        try Data([9]).write(to: URL(fileURLWithPath: foreign))
        try age(foreign, seconds: 7200)

        let removed = try await records.sweepMedia(in: store, now: now)
        #expect(removed.files == 3)
        #expect(removed.bytes == 4)
        #expect(Set(try await records.allMedia().map(\.id)) == [named, young])
        for id in [named, young] { #expect(FileManager.default.fileExists(atPath: store.path(of: id))) }
        for id in [orphan, unrecorded] { #expect(!FileManager.default.fileExists(atPath: store.path(of: id))) }
        #expect(!FileManager.default.fileExists(atPath: leftover))
        #expect(FileManager.default.fileExists(atPath: foreign))
    }

    @Test func aFileKeptAgainIsYoungAgain() async throws {
        let records = try RecordStore(path: folder.file("records.sqlite"))
        let id = try await store.keep([1], fileExtension: "jpg")
        try age(store.path(of: id), seconds: 7200)
        _ = try await store.keep([1], fileExtension: "jpg")
        #expect(try await records.sweepMedia(in: store).files == 0)
        #expect(try store.readBlocking(id) == [1])
    }

    @Test func aFolderThatIsNotThereHasNothingToSweep() async throws {
        let records = try RecordStore(path: folder.file("records.sqlite"))
        #expect(try await records.sweepMedia(in: store).files == 0)
        #expect(!FileManager.default.fileExists(atPath: store.path))
    }
}
