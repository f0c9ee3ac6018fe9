import Foundation
import Halcyon
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct OperatingRouteTests {
    @Test func anIdleServerIsAliveAndReady() async throws {
        try await ServiceHarness.run { service in
            #expect(try await service.get("/healthz").status == 200)
            let ready = try await service.get("/readyz")
            #expect(ready.status == 200)
            #expect((ready.json["result"] as? [String: Any])?["ready"] as? Bool == true)
        }
    }

    @Test("O-14 readiness says no before the port is closed")
    func readinessFlipsFirst() async throws {
        try await ServiceHarness.run(.init(server: { $0.readinessDelay = .seconds(30) })) { service in
            let client = try RawClient(port: service.port)
            let stopping = Task { await service.server.stop() }
            var status = 200
            while status == 200 {
                client.send("GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n")
                status = try #require(await client.response()).status
            }
            #expect(status == 503)
            // A new connection is still taken.
            #expect(try await service.get("/healthz").status == 200)
            stopping.cancel()
            await stopping.value
            #expect(throws: RawClient.Failure.self) { _ = try RawClient(port: service.port) }
        }
    }

    @Test func answersInProgressFinishWhenTheServerStops() async throws {
        try await ServiceHarness.run { service in
            let gate = Gate()
            let photo = SampleImage.png()
            service.origin.on("/1.png") { exchange in
                gate.waitBlocking()
                exchange.respond(200, body: photo)
            }
            let client = try RawClient(port: service.port)
            client.send("GET \(service.imageTarget("/1.png")) HTTP/1.1\r\nHost: x\r\n\r\n")
            await service.origin.requests(to: "/1.png", reach: 1)
            let stopping = Task { await service.server.stop() }
            gate.open()
            #expect(await client.response()?.body == photo)
            await stopping.value
        }
    }

    @Test("O-10 beyond loopback the server refuses to start unless that is said aloud")
    func startsOnLoopbackAlone() async throws {
        let adjust: (inout ServerConfiguration) -> Void = { configuration in
            do { configuration.listener.address = try ListenAddress("0.0.0.0:0") } catch { Issue.record(error) }
        }
        await #expect(throws: ListenerError.openToOthers("0.0.0.0:0")) {
            _ = try await ServiceHarness(.init(server: adjust))
        }
        let service = try await ServiceHarness(
            .init(server: {
                adjust(&$0)
                $0.isOpen = true
            }))
        #expect(try await service.get("/healthz").status == 200)
        await service.stop()
    }

    @Test("O-16 the number of series does not depend on what is asked")
    func seriesAreBounded() async throws {
        try await ServiceHarness.run { service in
            func series() async throws -> Set<String> {
                let text = try await service.get("/metrics").text
                return Set(
                    text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { String($0.prefix { $0 != " " }) })
            }
            for target in ["/nowhere", service.imageTarget("/missing.png"), "/metrics"] {
                _ = try await service.get(target)
            }
            let before = try await series()
            for number in 0..<200 {
                _ = try await service.get("/nowhere/\(number)?\(number)")
                _ = try await service.get(service.imageTarget("/missing\(number).png"))
            }
            #expect(try await series() == before)
            #expect(before.contains("halcyon_coalesced_total"))
            #expect(before.contains(#"halcyon_http_requests_total{route="image",source="placeholder",status="2xx"}"#))
        }
    }

    @Test func countersCountHits() async throws {
        try await ServiceHarness.run { service in
            service.serve("/1.png")
            for _ in 0..<5 { _ = try await service.get(service.imageTarget("/1.png")) }
            // The last exchange is counted when its connection is done with.
            var text = ""
            while !text.contains(#"halcyon_http_requests_total{route="image",source="memory",status="2xx"} 4"#) {
                text = try await service.get("/metrics").text
            }
            #expect(text.contains("halcyon_loads_total{source=\"memory\"} 4"))
            #expect(text.contains("halcyon_loads_total{source=\"origin\"} 1"))
            let stats = try await service.get("/cache/stats").json
            let memory = (stats["result"] as? [String: Any])?["memory"] as? [String: Any]
            #expect(memory?["entries"] as? Int == 1)
            #expect(memory?["hits"] as? Int == 4)
        }
    }

    @Test func metricsTellOfPictures() async throws {
        try await ServiceHarness.run { service in
            service.serve("/1.png")
            _ = try await service.get(service.imageTarget("/1.png") + "&w=8")
            _ = try await service.get(service.imageTarget("/1.png") + "&w=8")
            _ = try await service.get(service.imageTarget("/1.png") + "&w=9")
            let text = try await service.get("/metrics").text
            #expect(text.contains("\nhalcyon_renderings_total{outcome=\"done\"} 2\n"))
            #expect(text.contains("\nhalcyon_renderings_total{outcome=\"refused\"} 0\n"))
            #expect(text.contains("\nhalcyon_rendering_running 0\n"))
            #expect(text.contains("\nhalcyon_rendering_queued 0\n"))
            #expect(text.contains("\nhalcyon_lost_decoders_total 0\n"))
        }
    }

    @Test func purgeTakesWhatItNames() async throws {
        try await ServiceHarness.run { service in
            for number in 1...3 {
                service.serve("/\(number).png", SampleImage.png(seed: UInt64(number)))
                let id = try await service.student(number, photo: "/\(number).png")
                _ = try await service.get("/students/\(id)/photo")
            }
            func purge(_ body: String) async throws -> Int? {
                let result = try await service.post("/cache/purge", body).json["result"] as? [String: Any]
                return result?["count"] as? Int
            }
            #expect(try await purge(#"{"student": 202110101}"#) == 1)
            #expect(try await purge(#"{"student": 202110101}"#) == 0)
            #expect(try await purge(#"{"url": "\#(service.origin.url("/2.png"))"}"#) == 1)
            #expect(try await purge(#"{"grade": 1, "class": 2}"#) == 0)
            #expect(try await purge(#"{"grade": 1, "class": 1}"#) == 1)
            _ = try await service.get("/students/202110101/photo")
            #expect(service.origin.requests(to: "/1.png").count == 2)
            #expect(try await purge(#"{"all": true}"#) == 1)
        }
    }

    @Test(arguments: [
        ("", 2001), ("{}", 2001), ("[]", 2006), ("{", 2006), (#"{"all": false}"#, 2003),
        (#"{"all": true, "expired": true}"#, 2004),
        (#"{"everything": true}"#, 2004), (#"{"class": 1}"#, 2001), (#"{"host": "h", "class": 1}"#, 2004),
        (#"{"student": []}"#, 2003),
        (#"{"student": "x"}"#, 2002), (#"{"student": 1.5}"#, 2002), (#"{"grade": 100}"#, 2003),
        (#"{"olderThan": "soon"}"#, 2002), (#"{"olderThan": "99999999999999999999d"}"#, 2003),
        (#"{"toSize": "99999999999999999999"}"#, 2003), (#"{"toSize": 1e30}"#, 2003), (#"{"toSize": -1}"#, 2003),
        (#"{"toSize": 1.5}"#, 2002), (#"{"grade": 1e999}"#, 2003),
        (#"{"olderThan": 30}"#, 2002), (#"{"toSize": "1 GB"}"#, 2002), (#"{"all": true, "dryRun": "yes"}"#, 2002),
    ])
    func purgeIsStrict(body: String, code: Int) async throws {
        try await ServiceHarness.run { service in
            let response = try await service.post("/cache/purge", body)
            #expect(response.status == 400)
            #expect(response.code == code)
        }
    }

    @Test func otherContentTypesAndLargeBodiesAreRefused() async throws {
        try await ServiceHarness.run { service in
            let client = try RawClient(port: service.port)
            client.send(
                "POST /cache/purge HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}")
            #expect(await client.response()?.status == 415)
            let large = "{\"host\": \"" + String(repeating: "x", count: 65_536) + "\"}"
            let response = try await service.post("/cache/purge", large)
            #expect(response.status == 413)
            #expect(response.code == 2005)
        }
    }

    @Test func prefetchRunsAsAJob() async throws {
        try await ServiceHarness.run { service in
            service.serve("/1.png")
            try await service.student(1, photo: "/1.png")
            try await service.student(2, photo: nil)
            try await service.student(3, photo: "/missing.png")
            let started = try await service.post("/cache/prefetch", #"{"grade": 1}"#)
            #expect(started.status == 202)
            let location = try #require(started["Location"])
            var report: [String: Any] = [:]
            repeat {
                report = try #require(try await service.get(location).json["result"] as? [String: Any])
            } while report["state"] as? String == "running"
            #expect(report["state"] as? String == "failed")
            #expect(report["total"] as? Int == 3)
            #expect(report["done"] as? Int == 3)
            #expect(report["noPhoto"] as? Int == 1)
            #expect(report["missing"] as? Int == 1)
            #expect((report["failures"] as? [[String: String]]) == [["id": "202110103", "reason": "missing"]])
            #expect(try await service.get("/cache/jobs/none").status == 404)
        }
    }
}
