import Foundation
import Halcyon
import HalcyonHTTP
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// More than can be done at once, with an origin that fails.
@Suite(.timeLimit(.minutes(2)))
struct LoadTests {
    private static func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    @Test("O-15 twice what may be done at once, half of it failing: everybody is answered, and nothing stays behind")
    func overload() async throws {
        let narrow = ServiceHarness.Adjustments(pipeline: {
            $0.fetch.maximumPerHost = 4
            $0.fetch.maximumConcurrent = 4
            $0.negativeExpiration = .zero
        })
        try await ServiceHarness.run(narrow) { service in
            let photo = SampleImage.png(width: 50, height: 40, seed: 5)
            service.origin.on("*") { exchange in
                switch exchange.request.path.utf8.reduce(0, { $0 &* 31 &+ Int($1) }) % 6 {
                case 0: exchange.respond(500)
                case 1: exchange.reset()
                case 2: exchange.respond(404)
                default: exchange.respond(200, fields: [("Content-Type", "image/png")], body: photo)
                }
            }
            // What is opened once and kept is no leak.
            #expect(try await service.get(service.imageTarget("/warm")).status == 200)
            var before = 0
            for round in 0..<3 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for client in 0..<32 {
                        group.addTask {
                            for number in 0..<15 {
                                let path = "/\(round)/\(client)/\(number)"
                                let response = try await service.get(service.imageTarget(path))
                                #expect([200, 503].contains(response.status))
                                #expect(response.status == 503 || !response.body.isEmpty)
                            }
                        }
                        group.addTask {
                            let health = try await service.get("/healthz").status
                            #expect(health == 200)
                        }
                    }
                    try await group.waitForAll()
                }
                await service.origin.openConnections(fallTo: 4)
                while service.server.listener.connections.count > 0 { await Task.yield() }
                let now = try Self.descriptors()
                if round == 0 { before = now }
                #expect(now <= before + 8, "round \(round): \(now) after \(before)")
            }
            #expect(service.pipeline.passengerCount == 0)
            #expect(service.pipeline.fetchStatistics.running == 0)
            #expect(try await service.get("/readyz").status == 200)
        }
    }

    @Test("HB-85 a prefetch that an origin holds up holds up no hit")
    func hitsDuringAPrefetch() async throws {
        try await ServiceHarness.run { (service) async throws in
            service.serve("/hit")
            #expect(try await service.get(service.imageTarget("/hit")).status == 200)
            let hold = Gate()
            service.origin.on("*") { exchange in
                hold.waitBlocking()
                exchange.respond(404)
            }
            let urls = (0..<2_000).map { "\"\(service.origin.url("/\($0)"))\"" }.joined(separator: ",")
            let job = try await service.post("/cache/prefetch", #"{"url": [\#(urls)]}"#)
            #expect(job.status == 202)
            await service.origin.running(reach: 8)
            // The prefetch cannot end before the gate opens, so each of these was answered beside it.
            for _ in 0..<200 {
                let hit = try await service.get(service.imageTarget("/hit"))
                #expect(hit["Cache-Status"]?.hasPrefix("halcyon; hit") == true)
            }
            hold.open()
        }
    }

    @Test("S-12 every route that leads to an origin asks the same policy")
    func onePolicy() async throws {
        var adjustments = ServiceHarness.Adjustments(pipeline: { $0.origins = [] })
        adjustments.mount = nil
        try await ServiceHarness.run(adjustments) { (service) async throws in
            let elsewhere = service.origin.url("/a").replacing("127.0.0.1", with: "localhost")
            let id = try await service.student(photo: "/a")
            for target in [
                "/students/\(id)/photo", "/students/\(id)/photo?w=20", service.imageTarget("/a"),
                service.imageTarget("/a") + "&w=20", "/images?url=" + elsewhere.replacing("/", with: "%2F"),
                "/classes/1/1/sheet",
            ] {
                let response = try await service.get(target)
                #expect(response.status < 500, "\(target)")
            }
            for order in [#"{"url": ["\#(service.origin.url("/b"))"]}"#, #"{"grade": 1}"#] {
                let job = try await service.post("/cache/prefetch", order)
                #expect(job.status == 202)
                let place = try #require(job["Location"])
                var state = "running"
                while state == "running" {
                    let report = try await service.get(place).json["result"] as? [String: Any]
                    state = report?["state"] as? String ?? ""
                }
                #expect(state == "failed")
            }
            #expect(service.origin.acceptedConnections == 0)
        }
        // A mount judges as photos do: its own address alone is allowed by naming it.
        try await ServiceHarness.run(
            .init(server: { configuration in
                do { configuration.mounts = [try Mount("/m=http://localtest.invalid:1")] } catch { Issue.record(error) }
            })
        ) { service in
            let status = try await service.get("/m/a").status
            #expect([502, 504].contains(status))
        }
    }
}
