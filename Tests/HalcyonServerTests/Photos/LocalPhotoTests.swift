import Foundation
import Halcyon
import HalcyonRecords
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// Photos that are kept here, as `GET` shows them.
@Suite(.timeLimit(.minutes(1)))
struct LocalPhotoTests {
    static let photo = SampleImage.png(width: 30, height: 20, seed: 21)
    static let other = SampleImage.png(width: 30, height: 20, seed: 22)

    static func setPhoto(_ bytes: [UInt8], of id: Int, _ service: ServiceHarness) async throws {
        let file = service.folder.file("upload-\(UUID().uuidString)")
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        let intake = MediaIntake(
            store: MediaStore(path: service.folder.file("media")), records: service.records,
            limits: service.pipeline.configuration.limits)
        let media = try await intake.take(fileAt: file, isMoved: true)
        try await service.records.setPhoto(studentID: id, media: media)
    }

    static func shownURL(_ id: Int, _ service: ServiceHarness) async throws -> String? {
        (try await service.get("/students/\(id)").json["result"] as? [String: Any])?["profileImageURL"] as? String
    }

    @Test func aPhotoKeptHereIsServedUnchangedAndThenFromMemory() async throws {
        try await ServiceHarness.run { service in
            let id = try await service.student(photo: "/1.png")
            try await Self.setPhoto(Self.photo, of: id, service)
            let first = try await service.get("/students/\(id)/photo")
            #expect(first.status == 200)
            #expect(first.body == Self.photo)
            #expect(first["Content-Type"] == "image/png")
            #expect(first["Cache-Status"]?.hasPrefix("halcyon; hit") == true)
            #expect(first["Cache-Control"] == "private, max-age=300")
            // Gone from the folder: only memory can answer.
            try FileManager.default.removeItem(atPath: service.folder.file("media"))
            let again = try await service.get("/students/\(id)/photo")
            #expect(again.body == Self.photo)
            let tag = try #require(again["ETag"])
            #expect(tag == first["ETag"])
            #expect(try await service.get("/students/\(id)/photo", [("If-None-Match", tag)]).status == 304)
            let part = try await service.get("/students/\(id)/photo", [("Range", "bytes=0-7")])
            #expect(part.status == 206)
            #expect(part.body == Array(Self.photo.prefix(8)))
            #expect(service.origin.requests().isEmpty)
        }
    }

    @Test func anotherPhotoIsShownAtOnce() async throws {
        try await ServiceHarness.run { service in
            service.serve("/1.png", Self.other)
            let id = try await service.student(photo: "/1.png")
            #expect(try await service.get("/students/\(id)/photo").body == Self.other)
            try await Self.setPhoto(Self.photo, of: id, service)
            #expect(try await service.get("/students/\(id)/photo").body == Self.photo)
            try await Self.setPhoto(Self.other, of: id, service)
            #expect(try await service.get("/students/\(id)/photo").body == Self.other)
            try await service.records.clearPhoto(studentID: id)
            #expect(try await service.get("/students/\(id)/photo")["X-Halcyon-Placeholder"] == "no-photo")
        }
    }

    @Test func noPurgeLosesIt() async throws {
        try await ServiceHarness.run { service in
            let id = try await service.student(photo: nil)
            try await Self.setPhoto(Self.photo, of: id, service)
            #expect(try await service.get("/students/\(id)/photo").body == Self.photo)
            _ = try await service.pipeline.purge(.all)
            #expect(try await service.get("/students/\(id)/photo").body == Self.photo)
        }
    }

    @Test func aFileThatIsGoneIsAPlaceholderAndNoQuestionToTheOrigin() async throws {
        try await ServiceHarness.run { service in
            let id = try await service.student(photo: "/1.png")
            try await Self.setPhoto(Self.photo, of: id, service)
            try FileManager.default.removeItem(atPath: service.folder.file("media"))
            let answer = try await service.get("/students/\(id)/photo")
            #expect(answer["X-Halcyon-Placeholder"] == "unavailable")
            #expect(answer["Halcyon-Reason"] == "provider")
            #expect(try await service.get("/students/\(id)/photo?placeholder=none").status == 502)
            #expect(service.origin.requests().isEmpty)
        }
    }

    @Test func withDirectURLsItIsAnAbsoluteURLOfThisService() async throws {
        try await ServiceHarness.run { service in
            let id = try await service.student(photo: "/1.png")
            #expect(try await Self.shownURL(id, service) == service.origin.url("/1.png"))
            try await Self.setPhoto(Self.photo, of: id, service)
            let version = try #require(try await service.records.student(id: id)?.photoVersion)
            let url = try #require(try await Self.shownURL(id, service))
            let base = "http://127.0.0.1:\(service.port)"
            #expect(url == "\(base)/students/\(id)/photo?v=\(version)")
            #expect(try await service.get(String(url.dropFirst(base.count))).body == Self.photo)
        }
    }

    @Test(arguments: [
        (PhotoURLs.direct(base: "https://h.example"), "https://h.example"),
        (.proxied(base: "https://h.example"), "https://h.example"), (.proxied(base: ""), ""),
    ])
    func itsURLBeginsWithThePublicURL(urls: PhotoURLs, base: String) async throws {
        try await ServiceHarness.run(.init(server: { $0.photoURLs = urls })) { service in
            let id = try await service.student(photo: nil)
            try await Self.setPhoto(Self.photo, of: id, service)
            #expect(try await Self.shownURL(id, service)?.hasPrefix("\(base)/students/\(id)/photo?v=") == true)
        }
    }

    @Test(arguments: [
        ("127.0.0.1:8080", false, "http://127.0.0.1:8080"), ("10.1.2.3:443", true, "https://10.1.2.3:443"),
        ("[::1]:80", false, "http://[::1]:80"), ("0.0.0.0:80", false, ""), ("[::]:80", true, ""),
        ("[0::0]:80", false, ""),
    ])
    func onlyAConcreteAddressIsAPlaceToReachUs(address: String, isTLS: Bool, base: String) throws {
        #expect(PhotoURLs.direct.completed(by: try ListenAddress(address), isTLS: isTLS) == .direct(base: base))
    }
}
