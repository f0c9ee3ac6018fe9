import Foundation
import HalcyonRecords
import HalcyonTestSupport
import Testing

/// What was answered is on disk, whenever the process ends.
@Suite(.timeLimit(.minutes(5)))
struct KillTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("SIGKILL at any point loses nothing that was answered")
    func everyGuidanceThatWasAnsweredIsThere() async throws {
        let database = folder.file("records.sqlite")
        do {
            let store = try RecordStore(path: database)
            try await store.add(Student(id: 7, grade: 1, classNumber: 1, number: 1, name: "김하나"))
        }
        var answered: Set<Int> = []
        for _ in 0..<30 {
            let server = try ChildProcess(
                "serve", "--listen", "127.0.0.1:0", "--log-format", "json", "--log-level", "info", folder: folder)
            await server.err.wait { $0.contains("\"event\":\"listening\"") }
            let port = String(try #require(server.err.value.firstMatch(of: #/127\.0\.0\.1:(\d+)/#)).1)
            // Two at once, each with one request after another.
            let clients = try (0..<2).map { _ in try client(port: port) }
            let count = Int.random(in: 1...12)
            await clients[0].out.wait { $0.split(separator: "\n").count >= count }
            server.signal(SIGKILL)
            #expect(await server.ended() == SIGKILL)
            for client in clients {
                _ = await client.ended()
                answered.formUnion(
                    client.out.value.matches(of: #/"guidanceID":(\d+)[^\n]*\}\n/#).compactMap { Int($0.1) })
            }
            let store = try RecordStore(path: database, isCreated: false)
            let recorded = Set(try await store.guidances().map(\.guidanceID))
            #expect(answered.subtracting(recorded) == [])
            #expect(try await store.integrityFindings() == [])
            // Each has its entry in the journal, those too whose answer nobody got.
            let entries = try await store.journal(after: 0, limit: 1_000_000, topics: [.guidances])
            #expect(Set(entries.map(\.change.record)) == Set(recorded.map(String.init)))
        }
        #expect(answered.count >= 30)
    }

    /// curl, which is no code of ours, until the connection fails.
    private func client(port: String) throws -> ChildProcess {
        try ChildProcess(
            arguments: [
                "-s", "-N", "--fail-early", "-w", "\\n", "-H", "Content-Type: application/json", "-d",
                #"{"studentID":7,"reason":"무단횡단"}"#, "http://127.0.0.1:\(port)/guidances?[1-100000]",
            ], folder: folder, executable: URL(filePath: "/usr/bin/curl"))
    }
}
