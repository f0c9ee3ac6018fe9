import Foundation
import HalcyonRecords
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct RecordsHealthTests {
    private func ready(_ service: ServiceHarness) async throws -> (status: Int, records: String?) {
        let response = try await service.get("/readyz")
        return (response.status, (response.json["result"] as? [String: Any])?["records"] as? String)
    }

    @Test func readinessTellsOfTheFirstCheck() async throws {
        try await ServiceHarness.run { service in
            var answer = try await ready(service)
            // The check runs in the background; each request is a real one.
            while answer.records == "not checked yet" { answer = try await ready(service) }
            #expect(answer.status == 200)
            #expect(answer.records == "ok")
            #expect(try await service.get("/metrics").text.contains("\nhalcyon_records_whole 1\n"))
        }
    }

    @Test func recordsThatCannotBeWrittenAreToldUntilTheyCan() async throws {
        try await ServiceHarness.run { service in
            // A folder where the probe is written stands for a disk that takes nothing: root may write anywhere.
            let probe = service.folder.file("records.sqlite-probe")
            try FileManager.default.createDirectory(atPath: probe, withIntermediateDirectories: false)
            let answer = try await ready(service)
            #expect(answer.status == 503)
            #expect(answer.records?.hasPrefix("cannot be written: ") == true)
            #expect(try await service.get("/metrics").text.contains("\nhalcyon_records_writable 0\n"))
            try FileManager.default.removeItem(atPath: probe)
            #expect(try await ready(service).status == 503)
            service.clock.advance(by: RecordsHealth.probeInterval)
            #expect(try await ready(service).status == 200)
        }
    }

    @Test(arguments: [(13, 507), (5, 503), (8, 503), (10, 503), (14, 503), (778, 503), (1, 500), (11, 500)])
    func failuresOfTheDatabaseHaveAStatus(code: Int32, status: Int) {
        let problem = Problem(RecordError.database(code: code, message: "x"))
        #expect(problem.status == status)
        #expect(problem.code.rawValue == 5000)
        #expect((problem.fields.first?.0 == "Retry-After") == (status == 503))
    }
}
