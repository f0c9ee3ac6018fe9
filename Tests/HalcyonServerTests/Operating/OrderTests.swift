import Foundation
import Halcyon
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// The bodies of purges and prefetches.
@Suite(.timeLimit(.minutes(1)))
struct OrderTests {
    @Test(
        arguments: ["/cache/purge", "/cache/prefetch"],
        [
            (#"{"student": [202110101, 7]}"#, 404, 3001, "student 7: "),
            (#"{"student": [1, "x"]}"#, 400, 2002, "student[1]: "),
            (#"{"student": [0]}"#, 400, 2003, "student[0]: "),
            (#"{"url": ["http://h/", "junk"]}"#, 400, 2003, "url[1]: "),
            (#"{"url": [1]}"#, 400, 2002, "url[0]: "), (#"{"url": "junk"}"#, 400, 2003, "url: "),
            (#"{"url": "http://h/", "학년": 1}"#, 400, 2004, "학년: accepted are "),
            (#"{"url": "http://h/", "dry-run": true}"#, 400, 2004, "dry-run: accepted are "),
        ])
    func bothNameWhatIsWrong(target: String, order: (body: String, status: Int, code: Int, start: String)) async throws
    {
        try await ServiceHarness.run { service in
            try await service.student(1, photo: nil)
            let response = try await service.post(target, order.body)
            #expect(response.status == order.status)
            #expect(response.code == order.code)
            #expect((response.json["message"] as? String)?.hasPrefix(order.start) == true, "\(response.text)")
        }
    }

    @Test(arguments: [
        (#"{"toSize": 0}"#, 200), (#"{"toSize": 1048576}"#, 200), (#"{"toSize": "1MiB"}"#, 200),
        (#"{"toSize": "1048576"}"#, 200), (#"{"toSize": -1}"#, 400), (#"{"toSize": 1.5}"#, 400),
        (#"{"toSize": 1e300}"#, 400), (#"{"toSize": true}"#, 400),
    ])
    func aSizeIsANumberOrAText(body: String, status: Int) async throws {
        try await ServiceHarness.run { service in
            let response = try await service.post("/cache/purge", body)
            #expect(response.status == status)
        }
    }

    @Test(arguments: [
        (ImagePipeline.Error.Reason.invalidURL, 400, AnswerCode.outOfRange), (.invalidOption, 500, .internal),
        (.shutDown, 500, .internal),
    ])
    func onlyAWrongURLIsTheClientsFault(reason: ImagePipeline.Error.Reason, status: Int, code: AnswerCode) {
        let problem = PurgeOrder.problem(ImagePipeline.Error(reason, "why"))
        #expect(problem.status == status)
        #expect(problem.code == code)
    }

    @Test func aJobTooManyIs429() async throws {
        try await ServiceHarness.run { service in
            let gate = Gate()
            defer { gate.open() }
            service.origin.on("*") { exchange in
                gate.waitBlocking()
                exchange.respond(404)
            }
            func start(_ number: Int) async throws -> RawResponse {
                try await service.post("/cache/prefetch", #"{"url": "\#(service.origin.url("/\(number).png"))"}"#)
            }
            for number in 1...4 { #expect(try await start(number).status == 202) }
            let refused = try await start(5)
            #expect(refused.status == 429)
            #expect(refused.code == 4290)
            #expect(refused["Retry-After"].flatMap { Int($0) } ?? 0 > 0)
        }
    }
}
