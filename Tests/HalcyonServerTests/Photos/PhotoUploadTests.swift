import Foundation
import Halcyon
import HalcyonRecords
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// `PUT` and `DELETE /students/{id}/photo`.
@Suite(.timeLimit(.minutes(1)))
struct PhotoUploadTests {
    static let photo = LocalPhotoTests.photo

    static func send(
        _ method: String, _ target: String, _ body: [UInt8] = [], type: String = "image/png",
        _ fields: [(String, String)] = [], to service: ServiceHarness
    ) async throws -> RawResponse {
        let client = try RawClient(port: service.port)
        var head = "\(method) \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        if method == "PUT" { head += "Content-Type: \(type)\r\nContent-Length: \(body.count)\r\n" }
        client.send(Array((head + "\r\n").utf8) + body)
        return try #require(await client.response())
    }

    static func multipart(_ field: String, _ bytes: [UInt8]) -> [UInt8] {
        Array("--bound7\r\nContent-Disposition: form-data; name=\"\(field)\"; filename=\"x.jpg\"\r\n\r\n".utf8) + bytes
            + Array("\r\n--bound7--\r\n".utf8)
    }

    static func mediaFiles(_ service: ServiceHarness) -> [String] {
        let files = FileManager.default.subpaths(atPath: service.folder.file("media")) ?? []
        return files.filter { $0.contains(".") }
    }

    @Test(arguments: [false, true])
    func anUploadedPhotoIsShownFromThenOn(isMultipart: Bool) async throws {
        try await ServiceHarness.run { service in
            service.serve("/1.png", LocalPhotoTests.other)
            let id = try await service.student(photo: "/1.png")
            #expect(try await service.get("/students/\(id)/photo").body == LocalPhotoTests.other)
            let answer =
                isMultipart
                ? try await Self.send(
                    "PUT", "/students/\(id)/photo", Self.multipart("image", Self.photo),
                    type: "multipart/form-data; boundary=bound7", to: service)
                : try await Self.send("PUT", "/students/\(id)/photo", Self.photo, to: service)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.code == 1000)
            let result = try #require(answer.json["result"] as? [String: Any])
            #expect(result["id"] as? Int == id)
            let base = "http://127.0.0.1:\(service.port)"
            let url = try #require(result["profileImageURL"] as? String)
            #expect(url.hasPrefix("\(base)/students/\(id)/photo?v="))
            for target in ["/students/\(id)/photo", String(url.dropFirst(base.count))] {
                #expect(try await service.get(target).body == Self.photo)
            }
            #expect(Self.mediaFiles(service).count == 1)
        }
    }

    @Test func deletingLeavesNoPhotoOfEitherKind() async throws {
        try await ServiceHarness.run { service in
            let id = try await service.student(photo: "/1.png")
            #expect(try await Self.send("PUT", "/students/\(id)/photo", Self.photo, to: service).status == 200)
            #expect(try await service.get("/students/\(id)/photo").body == Self.photo)
            let answer = try await Self.send("DELETE", "/students/\(id)/photo", to: service)
            #expect(answer.status == 200, "\(answer.text)")
            #expect((answer.json["result"] as? [String: Any])?["profileImageURL"] is NSNull)
            let none = try await service.get("/students/\(id)/photo")
            #expect(none["X-Halcyon-Placeholder"] == "no-photo")
            #expect(service.origin.requests().isEmpty)
        }
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: [UInt8]
        var type = "image/png"
        let status: Int
        var reason: String?
    }

    static let svg = Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>"#.utf8)

    @Test(arguments: [
        Bad(testDescription: "nothing", body: [], status: 415, reason: "empty"),
        Bad(testDescription: "text", body: Array("hello".utf8), status: 415, reason: "not-an-image"),
        Bad(testDescription: "a cut image", body: Array(photo.dropLast(9)), status: 422, reason: "truncated"),
        Bad(
            testDescription: "too many pixels", body: SampleImage.png(width: 50, height: 50), status: 422,
            reason: "too-many-pixels"),
        Bad(testDescription: "SVG", body: svg, status: 415, reason: "unsupported-image"),
        Bad(testDescription: "too many bytes", body: [UInt8](repeating: 1, count: 5001), status: 413),
        Bad(
            testDescription: "another field", body: multipart("photo", photo),
            type: "multipart/form-data; boundary=bound7",
            status: 400),
    ])
    func whatIsNoPhotoChangesNothing(bad: Bad) async throws {
        try await ServiceHarness.run(
            .init(pipeline: {
                $0.limits.maximumImageBytes = 5000
                $0.limits.maximumPixels = 1000
            })
        ) { service in
            service.serve("/1.png", LocalPhotoTests.other)
            let id = try await service.student(photo: "/1.png")
            let answer = try await Self.send("PUT", "/students/\(id)/photo", bad.body, type: bad.type, to: service)
            #expect(answer.status == bad.status)
            #expect(answer.json["isSuccess"] as? Bool == false)
            if let reason = bad.reason { #expect(answer["Halcyon-Reason"] == reason) }
            #expect(try await service.get("/students/\(id)/photo").body == LocalPhotoTests.other)
            #expect(Self.mediaFiles(service).isEmpty)
        }
    }

    @Test func anSVGIsTakenWhereItIsAllowed() async throws {
        try await ServiceHarness.run(.init(pipeline: { $0.limits.allowsSVG = true })) { service in
            let id = try await service.student(photo: nil)
            #expect(try await Self.send("PUT", "/students/\(id)/photo", Self.svg, to: service).status == 200)
            let shown = try await service.get("/students/\(id)/photo")
            #expect(shown["Content-Type"] == "image/svg+xml")
            #expect(shown["Content-Security-Policy"] == "default-src 'none'; sandbox")
        }
    }

    /// What is sent beside the one image would be lost.
    @Test(arguments: [["image", "image"], ["image", "other"], ["", "image"]])
    func aSecondFileIsNamed(fields: [String]) async throws {
        try await ServiceHarness.run { service in
            let id = try await service.student(photo: nil)
            let body = fields.flatMap { Self.multipart($0, Self.photo).dropLast("--bound7--\r\n".utf8.count) }
            let answer = try await Self.send(
                "PUT", "/students/\(id)/photo", body + Array("--bound7--\r\n".utf8),
                type: "multipart/form-data; boundary=bound7", to: service)
            #expect(answer.status == 400)
            #expect(try await service.get("/students/\(id)/photo")["X-Halcyon-Placeholder"] == "no-photo")
            #expect(Self.mediaFiles(service).isEmpty)
            guard fields[0] == "image" else { return }
            #expect(answer.code == 2004)
            #expect((answer.json["message"] as? String)?.hasPrefix("\(fields[1]): ") == true)
        }
    }

    /// Every route that takes files, in its envelope: 413 reaches a client that reads nothing before it has sent all, also
    /// one that would send for ever; what breaks off within a part is 400 (RFC 9112 §7.1, RFC 2046 §5.1.1).
    @Test(arguments: ["photo", "images", "certi"], [true, false])
    func chunkedUploadsAreAnswered(route: String, isMultipart: Bool) async throws {
        try await ServiceHarness.run(.init(pipeline: { $0.limits.maximumImageBytes = 5000 })) { service in
            let id = try await service.student(photo: nil)
            let user = try await service.records.addUser(
                email: "a@h.example", password: "correct horse 1", userName: "a", role: .admin)
            let token = try await service.records.issueToken(userID: user.id).token
            let request =
                switch route {
                case "photo": "PUT /students/\(id)/photo"
                case "images": "POST /noticeBoards/a/n1/images"
                default: "POST /certi/image/1"
                }
            let type = isMultipart ? "multipart/form-data; boundary=bound7" : "image/png"
            let head =
                "\(request) HTTP/1.1\r\nHost: a\r\ntoken: \(token)\r\nContent-Type: \(type)\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n"
            let opening = "--bound7\r\nContent-Disposition: form-data; name=\"image\"; filename=\"x\"\r\n\r\n"
            let first = isMultipart ? "\(String(opening.utf8.count, radix: 16))\r\n\(opening)\r\n" : ""
            let chunk = "20000\r\n" + String(repeating: "x", count: 0x20000) + "\r\n"
            for count in [3, 150] {
                let client = try RawClient(port: service.port)
                client.send(head + first + String(repeating: chunk, count: count) + (count == 3 ? "0\r\n\r\n" : ""))
                let answer = try #require(await client.response())
                #expect(answer.status == 413)
                if route == "certi" {
                    #expect(answer.json["status"] as? Int == 413)
                } else {
                    #expect(answer.code == 2005)
                }
            }
            guard isMultipart else { return }
            let client = try RawClient(port: service.port)
            client.send(head + first + "3\r\nabc\r\n0\r\n\r\n")
            #expect(await client.response()?.status == 400)
            #expect(Self.mediaFiles(service).isEmpty)
        }
    }

    @Test(arguments: ["PUT", "DELETE"])
    func anUnknownStudentHasNoPhoto(method: String) async throws {
        try await ServiceHarness.run { service in
            for (id, status) in [("9", 404), ("x", 400)] {
                let answer = try await Self.send(method, "/students/\(id)/photo", Self.photo, to: service)
                #expect(answer.status == status)
            }
            #expect(Self.mediaFiles(service).isEmpty)
        }
    }

    @Test func theSamePhotoOfTwoStudentsIsOneFileThatBothKeep() async throws {
        try await ServiceHarness.run { service in
            let first = try await service.student(1, photo: nil)
            let second = try await service.student(2, photo: nil)
            for id in [first, second] {
                #expect(try await Self.send("PUT", "/students/\(id)/photo", Self.photo, to: service).status == 200)
            }
            #expect(Self.mediaFiles(service).count == 1)
            _ = try await Self.send("DELETE", "/students/\(first)/photo", to: service)
            let store = MediaStore(path: service.folder.file("media"))
            try await service.records.sweepMedia(in: store, now: Date(timeIntervalSinceNow: 7200))
            #expect(try await service.get("/students/\(second)/photo").body == Self.photo)
            _ = try await Self.send("DELETE", "/students/\(second)/photo", to: service)
            try await service.records.sweepMedia(in: store, now: Date(timeIntervalSinceNow: 7200))
            #expect(Self.mediaFiles(service).isEmpty)
        }
    }

    @Test func theServerSweepsWhenItStarts() async throws {
        let folder = try TemporaryFolder()
        let store = MediaStore(path: folder.file("media"))
        let id = try await store.keep(Self.photo, fileExtension: "png")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: store.path(of: id))
        try await ServiceHarness.run(.init(server: { $0.mediaFolder = store.path })) { _ in
            while FileManager.default.fileExists(atPath: store.path(of: id)) { await Task.yield() }
        }
    }
}
