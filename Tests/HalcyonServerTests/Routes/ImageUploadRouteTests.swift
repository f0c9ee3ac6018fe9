import Foundation
import HalcyonRecords
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// Images of notices and of exercise posts, sent as the apps' libraries send them.
@Suite(.timeLimit(.minutes(1)))
struct ImageUploadRouteTests {
    private static let boundary = "alamofire.boundary.1a2b"

    /// RFC 7578; one of the apps calls every file `jpeg`.
    private static func multipart(_ images: [[UInt8]], field: String = "image") -> [UInt8] {
        images.flatMap { image in
            Array(
                """
                --\(boundary)\r
                Content-Disposition: form-data; name="\(field)"; filename="jpeg"\r
                Content-Type: image/jpeg\r
                \r\n
                """.utf8) + image + Array("\r\n".utf8)
        } + Array("--\(boundary)--\r\n".utf8)
    }

    private func upload(
        _ service: ServiceHarness, _ target: String, _ body: [UInt8], _ fields: [(String, String)] = [],
        type: String = "multipart/form-data; boundary=\(boundary)"
    ) async throws -> RawResponse {
        let client = try RawClient(port: service.port)
        let lines = fields.map { "\($0): \($1)\r\n" }.joined()
        client.send(
            "POST \(target) HTTP/1.1\r\nHost: a\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n\(lines)\r\n"
        )
        client.send(body)
        return try #require(await client.response())
    }

    /// The path of a URL of the service.
    private func path(_ url: String) throws -> String {
        let parts = try #require(URLComponents(string: url))
        return parts.percentEncodedPath + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
    }

    private func notice(_ service: ServiceHarness, images: String = "[]") async throws -> String {
        let made = try await service.post(
            "/noticeBoards/%EC%BB%B4%EB%8F%99", "{\(NoticeRouteTests.author),\"title\":\"제목\",\"imageList\":\(images)}")
        return "/noticeBoards/%EC%BB%B4%EB%8F%99/"
            + (try #require((made.json["result"] as? [String: Any])?["id"] as? String))
    }

    private func images(_ response: RawResponse) throws -> [String] {
        try #require((response.json["result"] as? [String: Any])?["imageList"] as? [String], "\(response.text)")
    }

    @Test func severalImagesJoinTheListInTheirOrder() async throws {
        try await ServiceHarness.run { service in
            let notice = try await notice(service, images: #"["https://h.example/1.jpg"]"#)
            let photos = [SampleImage.png(seed: 1), SampleImage.png(seed: 2)]
            let answer = try await upload(service, notice + "/images", Self.multipart(photos))
            #expect(answer.status == 200)
            let list = try images(answer)
            #expect(list.count == 3)
            #expect(list[0] == "https://h.example/1.jpg")
            for (url, photo) in zip(list.dropFirst(), photos) {
                #expect(url.hasPrefix("http://127.0.0.1:\(service.port)/noticeBoards/%EC%BB%B4%EB%8F%99/images/"))
                let image = try await service.get(try path(url))
                #expect(image.body == photo)
                #expect(image["Content-Type"] == "image/png")
                let tag = try #require(image["ETag"])
                #expect(try await service.get(try path(url), [("If-None-Match", tag)]).status == 304)
                // The same image is not another club's.
                #expect(try await service.get(try path(url).replacing("%EC%BB%B4%EB%8F%99", with: "b")).status == 404)
            }
            // A client that edits the list sends back the URLs that it was given.
            let edit = try JSONEncoder().encode(["imageList": [list[2], list[0]]])
            let edited = try await service.send("PUT", notice, String(decoding: edit, as: UTF8.self))
            #expect(try images(edited) == [list[2], list[0]])
            #expect(try await service.get(try path(list[1])).status == 404)
            #expect(try await service.get(try path(list[2])).body == photos[1])
            let tree = try await service.get(notice + "/imageList.json")
            #expect(try JSONDecoder().decode([String].self, from: Data(tree.body)) == [list[2], list[0]])
        }
    }

    @Test func whatIsNoImageAddsNothing() async throws {
        try await ServiceHarness.run { service in
            let notice = try await notice(service)
            let bad = try await upload(
                service, notice + "/images", Self.multipart([SampleImage.png(), Array("<html>".utf8)]))
            #expect(bad.status == 415)
            #expect((bad.json["message"] as? String)?.hasPrefix("image[1]") == true)
            #expect(try images(try await service.get(notice)).isEmpty)
            let none = try await upload(service, notice + "/images", [], type: "image/png")
            #expect(none.status == 415)
            let many = try await upload(
                service, notice + "/images", Self.multipart((0..<21).map { SampleImage.png(seed: $0) }))
            #expect(many.status == 400)
            #expect(
                try await upload(service, "/noticeBoards/b/x/images", Self.multipart([SampleImage.png()])).status == 404
            )
            #expect(try images(try await service.get(notice)).isEmpty)
            let raw = try await upload(service, notice + "/images", SampleImage.png(), type: "image/png")
            #expect(try images(raw).count == 1)
        }
    }

    @Test func aPostHasAnImageOfItsAuthors() async throws {
        try await ServiceHarness.run { service in
            var tokens: [[(String, String)]] = []
            for name in ["a", "b"] {
                let user = try await service.records.addUser(
                    email: "\(name)@school.example", password: "correct horse 1", userName: name, role: .viewer)
                tokens.append([("token", try await service.records.issueToken(userID: user.id).token)])
            }
            let made = try await service.send("POST", "/certi", ExerciseAppTests.post, tokens[0])
            let id = try #require((made.json["data"] as? [String: Any])?["certi_id"] as? Int)
            let target = "/certi/image/\(id)"
            #expect(try await service.get(target, tokens[0]).status == 404)
            let photo = SampleImage.png(seed: 3)
            let refused = try await upload(service, target, Self.multipart([photo]), tokens[1])
            #expect(refused.status == 403)
            #expect(refused.json["success"] as? Bool == false)
            #expect(try await upload(service, target, Self.multipart([photo])).status == 401)
            #expect(try await upload(service, target, Self.multipart([photo], field: "other"), tokens[0]).status == 400)
            let answer = try await upload(service, target, Self.multipart([photo]), tokens[0])
            let url = try #require((answer.json["data"] as? [String: Any])?["certi_image"] as? String)
            // Everybody who is signed in sees it.
            #expect(try await service.get(try path(url), tokens[1]).body == photo)
            #expect(try await service.get(try path(url)).status == 401)
            let next = try await upload(service, target, Self.multipart([SampleImage.png(seed: 4)]), tokens[0])
            #expect((next.json["data"] as? [String: Any])?["certi_image"] as? String != url)
            #expect(try await upload(service, "/certi/image/999", Self.multipart([photo]), tokens[0]).status == 404)
        }
    }
}
