import Foundation
import HalcyonSQLite
import HalcyonTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ConnectionTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("test.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [
        Value.null, .integer(.min), .integer(.max), .real(0.1), .real(-.infinity), .text(""), .text("ü\u{0}한"),
        .blob([]), .blob([0, 255]),
    ])
    func valuesComeBackAsTheyWent(value: Value) throws {
        let connection = try Connection(path: path)
        try connection.execute("CREATE TABLE t(v)")
        try connection.run("INSERT INTO t VALUES (?)", [value])
        let back = try connection.first("SELECT v, typeof(v) FROM t") { row -> Value in
            switch row.text(1) {
            case "null": .null
            case "integer": .integer(Int64(row.int(0)))
            case "real": .real(row.double(0))
            case "text": .text(row.text(0))
            default: .blob(row.blob(0))
            }
        }
        #expect(back == value)
    }

    @Test func aFailedTransactionLeavesNothing() throws {
        struct Stop: Error {}
        let connection = try Connection(path: path)
        try connection.execute("CREATE TABLE t(v)")
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES (1)")
                throw Stop()
            }
        }
        #expect(try connection.first("SELECT count(*) FROM t") { $0.int(0) } == 0)
        // The lock is free again.
        try connection.transaction { try connection.run("INSERT INTO t VALUES (2)") }
        #expect(try connection.first("SELECT v FROM t") { $0.int(0) } == 2)
    }

    @Test func migrationsRunOnceAndInOrder() throws {
        let first = ["CREATE TABLE t(v)", "INSERT INTO t VALUES (1)"]
        try Connection(path: path).migrate(first)
        let connection = try Connection(path: path)
        try connection.migrate(first + ["INSERT INTO t VALUES (2)"])
        #expect(try connection.all("SELECT v FROM t ORDER BY v") { $0.int(0) } == [1, 2])
        #expect(throws: DatabaseError.self) { try connection.migrate(first) }
    }

    @Test func twoProcessesMigratingAtOnceDoItOnce() async throws {
        let path = path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    _ = try Database(path: path, migrations: ["CREATE TABLE t(v)", "INSERT INTO t VALUES (1)"])
                }
            }
            try await group.waitForAll()
        }
        #expect(try Connection(path: path).first("SELECT count(*) FROM t") { $0.int(0) } == 1)
    }

    @Test func errorsNameTheStatementAndHideTheValues() throws {
        let connection = try Connection(path: path)
        try connection.execute("CREATE TABLE t(v TEXT UNIQUE)")
        try connection.run("INSERT INTO t VALUES (?)", ["secret"])
        let error = #expect(throws: DatabaseError.self) { try connection.run("INSERT INTO t VALUES (?)", ["secret"]) }
        // SQLITE_CONSTRAINT_UNIQUE, https://www.sqlite.org/rescode.html
        #expect(error?.code == 2067)
        #expect(error?.primaryCode == 19)
        #expect(error?.description.contains("INSERT INTO t") == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test func aReaderSeesTheLastCommitWhileAWriterIsAtWork() throws {
        let writer = try Connection(path: path)
        try writer.execute("CREATE TABLE t(v); INSERT INTO t VALUES (1)")
        let reader = try Connection(path: path, options: .init(isReadOnly: true))
        let before = try reader.dataVersion()
        try writer.transaction {
            try writer.run("INSERT INTO t VALUES (2)")
            #expect(try reader.first("SELECT count(*) FROM t") { $0.int(0) } == 1)
        }
        #expect(try reader.first("SELECT count(*) FROM t") { $0.int(0) } == 2)
        #expect(try reader.dataVersion() != before)
        #expect(throws: DatabaseError.self) { try reader.execute("DELETE FROM t") }
    }

    @Test func aBackupIsWhole() throws {
        let connection = try Connection(path: path)
        try connection.execute("CREATE TABLE t(v); INSERT INTO t VALUES (7)")
        try connection.backup(to: folder.file("copy.sqlite"))
        let copy = try Connection(path: folder.file("copy.sqlite"), options: .init(isReadOnly: true))
        #expect(try copy.first("SELECT v FROM t") { $0.int(0) } == 7)
    }

    @Test func whatIsNoDatabaseIsRefused() throws {
        try Array(repeating: UInt8(ascii: "x"), count: 4_096).withUnsafeBytes { bytes in
            let file = try #require(fopen(path, "w"))
            defer { fclose(file) }
            #expect(fwrite(bytes.baseAddress, 1, bytes.count, file) == bytes.count)
        }
        // SQLITE_NOTADB
        let error = #expect(throws: DatabaseError.self) { _ = try Connection(path: path) }
        #expect(error?.primaryCode == 26)
    }
}
