import Foundation
import Halcyon
import HalcyonRecords
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct PhotoRouteTests {
    static let photo = SampleImage.png(width: 40, height: 30, seed: 7)

    @Test func aPhotoComesFromTheOriginOnceAndThenFromMemory() async throws {
        try await ServiceHarness.run { service in
            service.serve("/1.png", Self.photo, fields: [("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")])
            let id = try await service.student(photo: "/1.png")
            let first = try await service.get("/students/\(id)/photo")
            #expect(first.status == 200)
            #expect(first.body == Self.photo)
            #expect(first["Content-Type"] == "image/png")
            #expect(first["Cache-Status"]?.hasPrefix("halcyon; fwd=uri-miss") == true)
            #expect(first["Last-Modified"] == "Sun, 06 Nov 1994 08:49:37 GMT")
            for _ in 0..<2 {
                let again = try await service.get("/students/\(id)/photo")
                #expect(again.body == Self.photo)
                #expect(again["Cache-Status"]?.hasPrefix("halcyon; hit") == true)
                #expect(again["ETag"] == first["ETag"])
                #expect(again["Last-Modified"] == first["Last-Modified"])
                #expect(again["Cache-Control"]?.hasPrefix("private, max-age=") == true)
                #expect(again["Age"] != nil)
                #expect(again["Accept-Ranges"] == "bytes")
                #expect(again["Date"] != nil)
            }
            #expect(service.origin.requests(to: "/1.png").count == 1)
        }
    }

    @Test("E-04 R-05 HEAD has the fields of GET, no body, and ignores Range")
    func headIsGetWithoutBody() async throws {
        try await ServiceHarness.run { service in
            service.serve("/1.png", Self.photo)
            let id = try await service.student(photo: "/1.png")
            for target in ["/students/\(id)/photo", service.imageTarget("/1.png")] {
                _ = try await service.get(target)
                let get = try await service.get(target)
                let head = try await service.get(target, [("Range", "bytes=0-1")], method: "HEAD")
                #expect(head.status == 200)
                for name in ["Content-Length", "Content-Type", "ETag", "Accept-Ranges"] {
                    #expect(head[name] == get[name])
                }
                // Age may have gone up by a second between the two; what is left of max-age does not change with it.
                #expect(try Self.secondsLeft(head) == Self.secondsLeft(get))
            }
            #expect(try await service.get("/students/9/photo", method: "HEAD").status == 404)
            let refused = try await service.get("/images?url=ftp%3A%2F%2Fx", method: "HEAD")
            #expect(refused.status == 400)
        }
    }

    /// For how long a client may use the answer (RFC 9111 §4.2): max-age less Age.
    static func secondsLeft(_ response: RawResponse) throws -> Int {
        let control = try #require(response["Cache-Control"])
        let maximum = try #require(control.firstMatch(of: #/max-age=(\d+)/#).flatMap { Int($0.1) })
        return maximum - (try #require(response["Age"].flatMap { Int($0) }))
    }

    @Test("R-13 R-15 conditional requests are answered with 304 and no body, or 412")
    func conditionalRequests() async throws {
        try await ServiceHarness.run { service in
            service.serve("/1.png", Self.photo, fields: [("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")])
            let target = service.imageTarget("/1.png")
            let tag = try #require(try await service.get(target)["ETag"])
            let client = try RawClient(port: service.port)
            // (field, value, status) from RFC 9110 §13.1.
            let table = [
                ("If-None-Match", tag, 304), ("If-None-Match", "W/\(tag)", 304),
                ("If-None-Match", "\"a\", \(tag)", 304),
                ("If-None-Match", "*", 304), ("If-None-Match", "\"a\"", 200), ("If-Match", tag, 200),
                ("If-Match", "*", 200), ("If-Match", "\"a\"", 412), ("If-Match", "W/\(tag)", 412),
                ("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT", 304),
                ("If-Modified-Since", "Sun, 06 Nov 1994 08:49:36 GMT", 200),
                ("If-Unmodified-Since", "Sun, 06 Nov 1994 08:49:36 GMT", 412),
                ("If-Unmodified-Since", "Sun, 06 Nov 1994 08:49:37 GMT", 200),
            ]
            for (name, value, status) in table {
                client.send("GET \(target) HTTP/1.1\r\nHost: x\r\n\(name): \(value)\r\n\r\n")
                let response = try #require(await client.response())
                #expect(response.status == status, "\(name): \(value)")
                if status == 304 {
                    #expect(response["ETag"] == tag)
                    #expect(response["Cache-Control"] != nil)
                }
                if status == 200 { #expect(response.body == Self.photo) }
                if status == 412 { Self.expectNothingOfThePhoto(response) }
            }
            // Had a 304 brought a body, the next answer would not have been readable.
            client.send("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await client.response()?.body == Self.photo)
        }
    }

    /// RFC 9111 §3: an answer about a condition is not the photo, and nothing may keep it as such.
    static func expectNothingOfThePhoto(_ response: RawResponse) {
        #expect(response.status == 412)
        #expect(response["Cache-Control"] == "no-store")
        for name in ["ETag", "Last-Modified", "Age", "Content-Disposition", "X-Halcyon-Placeholder"] {
            #expect(response[name] == nil, "\(name)")
        }
    }

    @Test func anUnfulfilledConditionOnAPlaceholderHasNothingOfIt() async throws {
        try await ServiceHarness.run { service in
            let id = try await service.student(photo: nil)
            Self.expectNothingOfThePhoto(try await service.get("/students/\(id)/photo", [("If-Match", "\"a\"")]))
        }
    }

    @Test("E-05 E-06 one range is a part of the photo, several are the whole, nonsense is the whole or 416")
    func ranges() async throws {
        try await ServiceHarness.run { service in
            service.serve("/1.png", Self.photo)
            let target = service.imageTarget("/1.png")
            let tag = try #require(try await service.get(target)["ETag"])
            let count = Self.photo.count
            let table: [(String, Range<Int>?)] = [
                ("bytes=0-0", 0..<1), ("bytes=2-5", 2..<6), ("bytes=-4", count - 4..<count), ("bytes=3-", 3..<count),
                ("bytes=0-99999999999999999999", 0..<count), ("bytes=-99999999999999999999", 0..<count),
                ("bytes=0-1,3-4", nil), ("bytes=5-2", nil), ("lines=0-1", nil), ("bytes=x", nil),
            ]
            for (range, part) in table {
                let response = try await service.get(target, [("Range", range)])
                #expect(response.status == (part == nil ? 200 : 206), "\(range)")
                #expect(response.body == Array(Self.photo[part ?? 0..<count]), "\(range)")
                if let part {
                    #expect(response["Content-Range"] == "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(count)")
                }
            }
            for range in ["bytes=\(count)-", "bytes=99999999999999999999-", "bytes=-0"] {
                let response = try await service.get(target, [("Range", range)])
                #expect(response.status == 416)
                #expect(response["Content-Range"] == "bytes */\(count)")
            }
            #expect(try await service.get(target, [("Range", "bytes=0-0"), ("If-Range", tag)]).status == 206)
            #expect(try await service.get(target, [("Range", "bytes=0-0"), ("If-Range", "\"old\"")]).status == 200)
        }
    }

    @Test("E-02 E-10 a client's range never reaches the origin, and we say ourselves that we take ranges")
    func rangesStayHere() async throws {
        try await ServiceHarness.run { service in
            service.serve("/1.png", Self.photo, fields: [("Accept-Ranges", "none")])
            let response = try await service.get(service.imageTarget("/1.png"), [("Range", "bytes=1-2")])
            #expect(response.status == 206)
            #expect(response.body == Array(Self.photo[1...2]))
            #expect(response["Accept-Ranges"] == "bytes")
            #expect(service.origin.requests()[0]["Range"] == nil)
        }
    }

    @Test("H-01 two hundred requests for one cold photo make one request to the origin")
    func coldHerd() async throws {
        try await ServiceHarness.run { service in
            let gate = Gate()
            service.origin.on("/1.png") { exchange in
                gate.waitBlocking()
                exchange.respond(200, body: Self.photo)
            }
            let id = try await service.student(photo: "/1.png")
            let answers = try await withThrowingTaskGroup(of: RawResponse.self) { group in
                for _ in 0..<200 { group.addTask { try await service.get("/students/\(id)/photo") } }
                await service.origin.requests(to: "/1.png", reach: 1)
                gate.open()
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count == 200)
            #expect(answers.allSatisfy { $0.status == 200 && $0.body == Self.photo })
            #expect(service.origin.requests(to: "/1.png").count == 1)
        }
    }

    @Test("HB-84 D-11 beyond what may run and wait, requests get 503 with Retry-After")
    func overload() async throws {
        let limits: (inout ImagePipeline.Configuration) -> Void = {
            $0.fetch.maximumConcurrent = 2
            $0.fetch.maximumPerHost = 2
            $0.fetch.maximumQueued = 3
        }
        try await ServiceHarness.run(.init(pipeline: limits)) { service in
            let gate = Gate()
            service.origin.on("*") { exchange in
                gate.waitBlocking()
                exchange.respond(200, body: Self.photo)
            }
            let answers = try await withThrowingTaskGroup(of: RawResponse.self) { group in
                for number in 0..<20 { group.addTask { try await service.get(service.imageTarget("/\(number).png")) } }
                var answers: [RawResponse] = []
                for try await answer in group {
                    answers.append(answer)
                    // The fifteen that find no room are answered while the others are held.
                    if answers.count == 15 { gate.open() }
                }
                return answers
            }
            let refused = answers.filter { $0.status == 503 }
            // Whether a transfer had begun when the next one came decides about two of them.
            #expect(refused.count >= 15)
            #expect(
                refused.allSatisfy {
                    $0["Retry-After"].flatMap { Int($0) } ?? 0 >= 1 && $0["X-Halcyon-Placeholder"] == nil
                })
            #expect(answers.count { $0.status == 200 && $0.body == Self.photo } == 20 - refused.count)
            #expect(refused.count <= 17)
            #expect(service.origin.mostConcurrent() <= 2)
        }
    }

    @Test("K-01 K-08 X-03 X-07 the client's fields do not reach the origin, nor the origin's the client")
    func nothingCrosses() async throws {
        try await ServiceHarness.run { service in
            service.serve(
                "/1.png", Self.photo,
                fields: [
                    ("Set-Cookie", "a=b"), ("Link", "<http://x>"), ("Refresh", "1"), ("Location", "http://x"),
                    ("Content-Security-Policy", "default-src *"),
                    ("Content-Disposition", "attachment; filename=\"evil.html\""),
                    ("X-Origin", "1"), ("Server", "origin"),
                ])
            let target = service.imageTarget("/1.png")
            let sent = [
                ("Cookie", "session=1"), ("Authorization", "Bearer 1"), ("X-Forwarded-Host", "evil.example"),
                ("Forwarded", "host=evil.example"), ("X-Forwarded-Proto", "https"),
            ]
            let first = try await service.get(target, sent)
            let second = try await service.get(target)
            #expect(first.body == second.body)
            let asked = try #require(service.origin.requests(to: "/1.png").first)
            #expect(service.origin.requests(to: "/1.png").count == 1)
            for (name, _) in sent { #expect(asked[name] == nil) }
            for response in [first, second] {
                let names = Set(response.fields.map { $0.name.lowercased() })
                let allowed: Set = [
                    "date", "connection", "content-length", "content-type", "etag", "cache-control", "age",
                    "cache-status",
                    "accept-ranges", "content-disposition", "x-content-type-options", "content-security-policy",
                ]
                #expect(names.isSubset(of: allowed), "\(names.subtracting(allowed))")
                #expect(response["Content-Disposition"] == "inline; filename=\"photo.png\"")
                #expect(response["Content-Security-Policy"] == "default-src 'none'; sandbox")
            }
        }
    }

    @Test func aPhotoChangedByAnotherProcessIsSeenSoon() async throws {
        try await ServiceHarness.run { service in
            let other = SampleImage.png(width: 9, height: 9, seed: 8)
            service.serve("/1.png", Self.photo)
            service.serve("/2.png", other)
            let id = try await service.student(photo: "/1.png")
            let target = "/students/\(id)/photo"
            for _ in 0..<2 { #expect(try await service.get(target).body == Self.photo) }
            // A store of its own, as another process has it: nothing tells the server.
            let stranger = try RecordStore(path: service.folder.file("records.sqlite"))
            let old = try #require(try await stranger.student(id: id))
            try await stranger.update(
                Student(
                    id: id, grade: old.grade, classNumber: old.classNumber, number: old.number, name: old.name,
                    profileImageURL: service.origin.url("/2.png")))
            // Ends by the suite's time limit if it is never seen.
            while try await service.get(target).body != other { await Task.yield() }
        }
    }

    @Test("F-11 F-12 purging a student makes the next request fetch, however the photo got into the cache")
    func purgeOfAStudent() async throws {
        try await ServiceHarness.run { service in
            let other = SampleImage.png(width: 9, height: 9, seed: 8)
            service.serve("/shared.png", Self.photo)
            let first = try await service.student(1, photo: "/shared.png")
            let second = try await service.student(2, photo: "/shared.png")
            #expect(try await service.get("/students/\(first)/photo").body == Self.photo)
            #expect(try await service.get("/students/\(second)/photo").body == Self.photo)
            service.serve("/shared.png", other)
            for _ in 0..<2 {
                #expect(try await service.post("/cache/purge", #"{"student": \#(second)}"#).status == 200)
            }
            #expect(try await service.get("/students/\(second)/photo").body == other)
        }
    }

    @Test func aChangedPhotoIsSeenAtOnce() async throws {
        try await ServiceHarness.run { service in
            let other = SampleImage.png(width: 9, height: 9, seed: 8)
            service.serve("/1.png", Self.photo)
            service.serve("/2.png", other)
            let id = try await service.student(photo: "/1.png")
            let target = "/students/\(id)/photo"
            for _ in 0..<2 { #expect(try await service.get(target).body == Self.photo) }
            try await service.changePhoto(of: id, to: "/2.png")
            #expect(try await service.get(target).body == other)
            try await service.changePhoto(of: id, to: nil)
            #expect(try await service.get(target)["X-Halcyon-Placeholder"] == "no-photo")
            try await service.records.removeStudent(id: id)
            #expect(try await service.get(target).status == 404)
        }
    }
}
