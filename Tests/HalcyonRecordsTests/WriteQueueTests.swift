import HalcyonRecords
import HalcyonSQLite
import HalcyonTestSupport
import Synchronization
import Testing

@testable import HalcyonRecords

@Suite(.timeLimit(.minutes(1)))
struct WriteQueueTests {
    private let folder: TemporaryFolder
    private let database: Database
    private let queue: WriteQueue

    init() throws {
        folder = try TemporaryFolder()
        database = try Database(
            path: folder.file("q.sqlite"),
            migrations: [
                """
                CREATE TABLE parents (id INTEGER PRIMARY KEY) STRICT;
                CREATE TABLE children (
                    id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES parents DEFERRABLE INITIALLY DEFERRED
                ) STRICT;
                """
            ])
        queue = WriteQueue(database)
    }

    /// The statements, each a write of its own, all waiting at the time the first begins; which of them succeeded.
    private func run(_ statements: [String]) async throws -> [Bool] {
        let gate = Gate()
        database.enqueue { _ in gate.waitBlocking() }
        let outcomes = Mutex<[Int: Bool]>([:])
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            @Sendable func note(_ index: Int, _ isDone: Bool) {
                let count = outcomes.withLock { outcomes in
                    outcomes[index] = isDone
                    return outcomes.count
                }
                if count == statements.count { continuation.resume() }
            }
            for (index, statement) in statements.enumerated() {
                queue.add(
                    WriteQueue.Pending { connection in
                        try connection.execute(statement)
                        return { note(index, true) }
                    } fail: { _ in
                        note(index, false)
                    })
            }
            gate.open()
        }
        let found = outcomes.withLock { $0 }
        return statements.indices.map { found[$0] ?? false }
    }

    private func count(_ table: String) async throws -> Int? {
        try await database.run { try $0.first("SELECT count(*) FROM \(table)") { $0.int(0) } }
    }

    @Test func aWriteThatFailsDoesNotTakeTheOthersAlong() async throws {
        let outcome = try await run([
            "INSERT INTO parents VALUES (1)", "INSERT INTO parents VALUES (1)", "INSERT INTO nowhere VALUES (1)",
            "INSERT INTO parents VALUES (2)",
        ])
        #expect(outcome == [true, false, false, true])
        #expect(try await count("parents") == 2)
    }

    /// Foreign keys are checked at the commit, which is everybody's.
    @Test func norDoesOneWhoseCommitFails() async throws {
        let outcome = try await run([
            "INSERT INTO parents VALUES (1)", "INSERT INTO children VALUES (1, 99)",
            "INSERT INTO children VALUES (2, 1)",
        ])
        #expect(outcome == [true, false, true])
        #expect(try await count("parents") == 1)
        #expect(try await count("children") == 1)
    }

    @Test func manyWritersAllGetTheirAnswers() async throws {
        let samples = try Samples()
        try await samples.store.add(try Samples.student(1, 1, 1))
        let ids = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try await samples.store.addGuidance(studentID: 202_610_101, reason: "무단횡단").guidanceID
                }
            }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(ids == Set(1...200))
        #expect(try await samples.store.guidances().count == 200)
        #expect(try await samples.store.lastJournalEntry() == 201)
    }
}
