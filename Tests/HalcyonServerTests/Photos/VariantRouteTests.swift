import Foundation
import Halcyon
import HalcyonImage
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct VariantRouteTests {
    private static let photo = SampleImage.png(width: 120, height: 80, seed: 7)

    private func size(_ response: RawResponse) throws -> [Int] {
        let info = try ImageProbe.probe(response.body)
        return [info.pixelWidth, info.pixelHeight]
    }

    @Test(arguments: [
        ("w=30", [30, 20]), ("h=20", [30, 20]), ("w=30&h=30", [30, 20]), ("w=30&h=30&fit=cover", [30, 30]),
        ("w=30&h=30&fit=crop", [30, 30]), ("w=30&dpr=2", [60, 40]), ("w=300", [120, 80]),
        ("w=240&enlarge=1", [240, 160]), ("w=240&enlarge=1&fit=down&h=400", [120, 80]), ("round=max", [120, 80]),
        ("format=webp", [120, 80]), ("fit=cover", [120, 80]),
    ])
    func everyImageRouteTakesTheParameters(query: String, expected: [Int]) async throws {
        try await ServiceHarness.run { (service) async throws in
            service.serve("/1.png", Self.photo)
            let id = try await service.student(photo: "/1.png")
            for target in ["/students/\(id)/photo?", service.imageTarget("/1.png") + "&"] {
                let made = try await service.get(target + query)
                #expect(made.status == 200)
                #expect(try size(made) == expected)
                let kept = try await service.get(target + query)
                #expect(kept.body == made.body)
                #expect(kept["ETag"] == made["ETag"])
                #expect(kept["Cache-Status"]?.hasPrefix("halcyon; hit") == true)
                for name in ["Content-Type", "Content-Length", "Age", "X-Content-Type-Options"] {
                    #expect(kept[name] != nil)
                }
            }
            #expect(service.origin.requests().count == 1)
        }
    }

    @Test(arguments: [
        ("w=0", 2003), ("w=4097", 2003), ("h=x", 2002), ("dpr=5", 2003), ("fit=stretch", 2003), ("format=bmp", 2003),
        ("q=0", 2003), ("q=101", 2003), ("round=4097", 2003), ("round=-1", 2003), ("w=", 2002), ("w=1.5", 2002),
        ("w=99999999999999999999", 2003),
        ("w=-1", 2003), ("round=x", 2002), ("enlarge=2", 2003),
    ])
    func whatIsOutOfRangeIsNamed(query: String, code: Int) async throws {
        try await ServiceHarness.run { (service) async throws in
            let name = String(query.prefix { $0 != "=" })
            let id = try await service.student(photo: nil)
            for target in ["/students/\(id)/photo?", service.imageTarget("/1.png") + "&"] {
                let response = try await service.get(target + query)
                #expect(response.status == 400)
                #expect(response.code == code)
                #expect((response.json["message"] as? String)?.hasPrefix("\(name): accepted is ") == true)
            }
        }
    }

    @Test(
        "V-01 V-03 what depends on Accept says so, what names its format does not depend on it",
        arguments: [
            ("image/avif,image/webp,*/*;q=0.8", "image/webp"), ("image/webp;q=0.5,image/png", "image/png"),
            ("*/*", "image/png"), ("image/webp;q=0,*/*", "image/png"), ("image/jpeg", "image/jpeg"),
        ])
    func autoChoosesByAcceptAndSaysSo(accept: String, type: String) async throws {
        try await ServiceHarness.run { (service) async throws in
            service.serve("/1.png", Self.photo)
            let id = try await service.student(photo: "/1.png")
            // 30 × 20 pixels are too few for AVIF to pay.
            for target in ["/students/\(id)/photo?w=30&format=auto", "/students/\(id)/photo?w=30"] {
                for _ in 0..<3 {
                    let response = try await service.get(target, [("Accept", accept)])
                    #expect(response["Content-Type"] == type)
                    #expect(response["Vary"] == "Accept")
                    let tag = try #require(response["ETag"])
                    let same = try await service.get(target, [("Accept", accept), ("If-None-Match", tag)])
                    #expect(same.status == 304)
                    #expect(same["Vary"] == "Accept")
                }
            }
            // The original and a format by name do not depend on it.
            for target in ["/students/\(id)/photo", "/students/\(id)/photo?w=30&format=webp"] {
                #expect(try await service.get(target, [("Accept", accept)])["Vary"] == nil)
            }
        }
    }

    /// What one client was given is not what another gets, also where it is answered from memory at once.
    @Test("V-02 clients that accept different formats get what they accept")
    func clientsThatAcceptDifferentFormatsAreToldApart() async throws {
        try await ServiceHarness.run { (service) async throws in
            service.serve("/1.png", Self.photo)
            let target = service.imageTarget("/1.png") + "&w=30"
            for _ in 0..<3 {
                #expect(try await service.get(target, [("Accept", "image/webp")])["Content-Type"] == "image/webp")
                #expect(try await service.get(target, [("Accept", "image/jpeg")])["Content-Type"] == "image/jpeg")
                #expect(try await service.get(target)["Content-Type"] == "image/png")
                // Two lines are one list (RFC 9110 §5.3).
                let lines = [("Accept", "image/jpeg;q=0.1"), ("Accept", "image/webp")]
                #expect(try await service.get(target, lines)["Content-Type"] == "image/webp")
            }
            #expect(service.origin.requests().count == 1)
        }
    }

    @Test func aVariantIsAsMuchAPhotoAsTheOriginal() async throws {
        try await ServiceHarness.run { (service) async throws in
            service.serve("/1.png", Self.photo)
            let target = service.imageTarget("/1.png") + "&w=30"
            let whole = try await service.get(target)
            let part = try await service.get(target, [("Range", "bytes=0-7")])
            #expect(part.status == 206)
            #expect(part.body == Array(whole.body.prefix(8)))
            let head = try await service.get(target, method: "HEAD")
            #expect(head["Content-Length"] == "\(whole.body.count)")
            let original = try await service.get(service.imageTarget("/1.png"))
            #expect(whole["ETag"] != original["ETag"])
        }
    }

    @Test func theDrawnPlaceholderComesInEverySizeAndFormat() async throws {
        let drawn = ServiceHarness.Adjustments(server: { $0.placeholder.drawing = .silhouette })
        try await ServiceHarness.run(drawn) { (service) async throws in
            let id = try await service.student(photo: nil)
            for (query, type, size) in [
                ("w=64", "image/png", [64, 64]), ("w=300&h=200&fit=cover&format=jpeg", "image/jpeg", [300, 200]),
                ("w=512&format=webp", "image/webp", [512, 512]),
            ] {
                let response = try await service.get("/students/\(id)/photo?" + query)
                #expect(response.status == 200)
                #expect(response["X-Halcyon-Placeholder"] == "no-photo")
                #expect(response["Content-Type"] == type)
                #expect(try self.size(response) == size)
                let tag = try #require(response["ETag"])
                #expect(try await service.get("/students/\(id)/photo?" + query, [("If-None-Match", tag)]).status == 304)
            }
        }
    }

    @Test func aPhotoThatCannotBeDecodedIsUnavailableAndStillServedAsItIs() async throws {
        try await ServiceHarness.run { (service) async throws in
            var broken = Self.photo
            broken[41] = 0xFF
            service.serve("/1.png", broken)
            let id = try await service.student(photo: "/1.png")
            let answer = try await service.get("/students/\(id)/photo?w=30")
            #expect(answer.status == 200)
            #expect(answer["X-Halcyon-Placeholder"] == "unavailable")
            #expect(answer["Halcyon-Reason"] == "malformed-image")
            let refused = try await service.get("/students/\(id)/photo?w=30&placeholder=none")
            #expect(refused.status == 502)
            #expect(try await service.get("/students/\(id)/photo").body == broken)
        }
    }

    /// The threads that decode are all taken and nothing may wait: what is kept is answered all the same.
    @Test func whenTooManyPicturesWaitTheClientIsToldWhenToComeBack() async throws {
        let narrow = ServiceHarness.Adjustments(pipeline: { $0.rendering = .init(lanes: 1, maximumWaiting: 0) })
        try await ServiceHarness.run(narrow) { (service) async throws in
            service.serve("/1.png", Self.photo)
            let target = service.imageTarget("/1.png")
            let kept = try await service.get(target + "&w=30")
            #expect(kept.status == 200)
            let (begun, gate) = (Gate(), Gate())
            let picture = Task {
                try await service.pipeline.draw { (_) throws(RenderError) in
                    begun.open()
                    gate.waitBlocking()
                }
            }
            await begun.wait()
            let refused = try await service.get(target + "&w=31")
            #expect(refused.status == 503)
            #expect(refused.code == 4290)
            #expect(Int(refused["Retry-After"] ?? "") ?? 0 >= 1)
            #expect(refused["Halcyon-Reason"] == "overload")
            #expect(try await service.get(target + "&w=30").body == kept.body)
            #expect(try await service.get(target).body == Self.photo)
            gate.open()
            try await picture.value
            #expect(try await service.get(target + "&w=31").status == 200)
        }
    }

    @Test func aClassComesOnOneSheet() async throws {
        try await ServiceHarness.run { (service) async throws in
            service.serve("/1.png", Self.photo)
            _ = try await service.student(1, photo: "/1.png")
            _ = try await service.student(2, photo: nil)
            let sheet = try await service.get("/classes/1/1/sheet?width=400")
            #expect(sheet.status == 200)
            #expect(sheet["Content-Type"] == "image/jpeg")
            #expect(try ImageProbe.probe(sheet.body).pixelWidth == 400)
            #expect(try await service.get("/classes/1/1/sheet?width=400")["Cache-Status"]?.contains("hit") == true)
            let page = try await service.get("/classes/1/1/sheet?format=pdf")
            #expect(page["Content-Type"] == "application/pdf")
            #expect(page.body.starts(with: Array("%PDF-".utf8)))
            // Somebody more: another sheet.
            _ = try await service.student(3, photo: nil)
            #expect(try await service.get("/classes/1/1/sheet?width=400").body != sheet.body)
            #expect(try await service.get("/classes/9/9/sheet").status == 404)
            for query in ["columns=0", "width=399", "format=gif"] {
                #expect(try await service.get("/classes/1/1/sheet?" + query).code == 2003)
            }
        }
    }
}
