import HalcyonTestSupport
import Testing

@testable import HalcyonHTTP

/// What is delivered is what the origin sent, whole, or an error.
@Suite(.timeLimit(.minutes(1)))
struct IntegrityTests {
    private let body = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    @Test(
        "HB-19, I-01, I-02 a body that ends too early is an error",
        arguments: ["length", "empty", "chunked", "chunk", "reset", "bad chunk"])
    func short(kind: String) async throws {
        let origin = try ScriptedOrigin()
        let body = body
        origin.on("/") { exchange in
            switch kind {
            case "length":
                exchange.head(declaring: body.count)
                exchange.write(Array(body.dropLast()))
            case "empty": exchange.head(declaring: body.count)
            case "chunked":
                exchange.headChunked()
                exchange.chunk(body)
            case "chunk":
                exchange.headChunked()
                exchange.write("9c40\r\n")
                exchange.write(Array(body.prefix(100)))
            case "reset":
                exchange.head(declaring: body.count)
                exchange.write(Array(body.prefix(100)))
                return exchange.reset()
            default:
                exchange.headChunked()
                exchange.chunk(body)
                exchange.badChunk()
            }
            exchange.closeNow()
        }
        let fetcher = try makeFetcher { $0.retries = 0 }
        #expect(await fetcher.failure(origin.url("/")) == .truncated)
        await fetcher.shutDown()
    }

    @Test("I-02 lengths that contradict each other are an error") func twoLengths() async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") {
            $0.head(fields: [("Content-Length", "4"), ("Content-Length", "2")])
            $0.write([1, 2, 3, 4])
        }
        let fetcher = try makeFetcher()
        #expect(await fetcher.failure(origin.url("/"))?.token == "protocol")
        await fetcher.shutDown()
    }

    @Test func aBodyWithoutLengthEndsWithTheConnection() async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") {
            $0.head()
            $0.write([1, 2, 3])
            $0.closeNow()
        }
        let fetcher = try makeFetcher()
        #expect(try await fetcher.get(origin.url("/")).body == [1, 2, 3])
        await fetcher.shutDown()
    }

    @Test(
        "HB-17 a broken transfer goes on where it stopped",
        arguments: [[("ETag", "\"v1\"")], [("Last-Modified", "Tue, 14 Nov 2023 22:13:20 GMT")]], [true, false])
    func resumed(validator: [(String, String)], hasLength: Bool) async throws {
        let origin = try ScriptedOrigin()
        let body = body
        origin.on("/") { exchange in
            let fields = validator + [("Accept-Ranges", "bytes")]
            guard let range = exchange.request["Range"] else {
                if hasLength {
                    exchange.head(fields: fields, declaring: body.count)
                    exchange.write(Array(body.prefix(20_000)))
                } else {
                    exchange.headChunked(fields: fields)
                    exchange.chunk(Array(body.prefix(20_000)))
                }
                return exchange.closeNow()
            }
            #expect(range == "bytes=20000-")
            #expect(exchange.request["If-Range"] == validator[0].1)
            exchange.respond(
                206, fields: validator + [("Content-Range", "bytes 20000-39999/40000")],
                body: Array(body.dropFirst(20_000)))
        }
        let fetcher = try makeFetcher()
        let response = try await fetcher.get(origin.url("/"))
        #expect(response.status == 200)
        #expect(response.body == body)
        #expect(response.fields["Accept-Ranges"] == "bytes")
        #expect(response.fields["Content-Range"] == nil)
        #expect(response.metrics.attempts == 2)
        #expect(fetcher.statistics.resumes == 1)
        await fetcher.shutDown()
    }

    @Test("HB-17 a transfer that breaks twice is resumed twice") func resumedTwice() async throws {
        let origin = try ScriptedOrigin()
        let body = body
        origin.on("/") { exchange in
            let from = exchange.request["Range"].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
            let fields = [("ETag", "\"v1\""), ("Accept-Ranges", "bytes")]
            let range = from == 0 ? [] : [("Content-Range", "bytes \(from)-39999/40000")]
            exchange.head(from == 0 ? 200 : 206, fields: fields + range, declaring: body.count - from)
            exchange.write(Array(body.dropFirst(from).prefix(15_000)))
            exchange.closeNow()
        }
        let fetcher = try makeFetcher()
        #expect(try await fetcher.get(origin.url("/")).body == body)
        #expect(origin.requests().map { $0["Range"] } == [nil, "bytes=15000-", "bytes=30000-"])
        await fetcher.shutDown()
    }

    @Test(
        "HB-17 a part that does not fit is dropped, and the whole is fetched anew",
        arguments: [
            (206, "\"v2\"", "bytes 20000-39999/40000"), (206, "\"v1\"", "bytes 19999-39999/40000"),
            (206, "\"v1\"", "bytes 20000-39998/40000"), (206, "\"v1\"", "bytes 20000-40000/40001"),
            (206, "\"v1\"", "nonsense"), (206, "W/\"v1\"", "bytes 20000-39999/40000"), (416, "\"v1\"", "bytes */10"),
            (200, "\"v2\"", ""),
        ])
    func restarted(status: Int, tag: String, range: String) async throws {
        let origin = try ScriptedOrigin()
        let old = body
        let new = body.map { ~$0 }
        let count = Watched(0)
        origin.on("/") { exchange in
            switch count.update({
                $0 += 1
                return $0
            }) {
            case 1:
                exchange.head(fields: [("ETag", "\"v1\""), ("Accept-Ranges", "bytes")], declaring: old.count)
                exchange.write(Array(old.prefix(20_000)))
                exchange.closeNow()
            case 2:
                let fields = [("ETag", tag)] + (range.isEmpty ? [] : [("Content-Range", range)])
                exchange.respond(status, fields: fields, body: status == 200 ? new : Array(new.dropFirst(20_000)))
            default:
                exchange.respond(fields: [("ETag", "\"v2\"")], body: new)
            }
        }
        let fetcher = try makeFetcher()
        #expect(try await fetcher.get(origin.url("/")).body == new)
        #expect(origin.requests().last?["Range"] == (status == 200 ? "bytes=20000-" : nil))
        await fetcher.shutDown()
    }

    @Test(
        "HB-17 without a strong validator or ranges the whole is fetched again",
        arguments: [
            [("ETag", "W/\"v1\""), ("Accept-Ranges", "bytes")], [("ETag", "\"v1\"")], [("Accept-Ranges", "bytes")],
        ])
    func notResumable(fields: [(String, String)]) async throws {
        let origin = try ScriptedOrigin()
        let body = body
        let count = Watched(0)
        origin.on("/") { exchange in
            exchange.head(fields: fields, declaring: body.count)
            let isFirst = count.update {
                $0 += 1
                return $0 == 1
            }
            exchange.write(isFirst ? Array(body.prefix(20_000)) : body)
            exchange.closeNow()
        }
        let fetcher = try makeFetcher()
        #expect(try await fetcher.get(origin.url("/")).body == body)
        #expect(origin.requests().allSatisfy { $0["Range"] == nil })
        await fetcher.shutDown()
    }

    @Test("E-02 a part that nobody asked for is no answer") func unrequestedPart() async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") { $0.respond(206, fields: [("Content-Range", "bytes 0-0/9")], body: [1]) }
        let fetcher = try makeFetcher()
        #expect(await fetcher.failure(origin.url("/")) == .badPartial)
        #expect(origin.requests().count == 1)
        let asked = try await fetcher.get(origin.url("/")) { $0.fields = [("Range", "bytes=0-0")] }
        #expect(asked.status == 206)
        await fetcher.shutDown()
    }

    @Test("no coding is asked for, and one that comes all the same is decoded") func unrequestedCoding() async throws {
        let origin = try ScriptedOrigin()
        let coded = SampleImage.gzipBomb(decodedBytes: 1000)
        origin.on("/") { $0.respond(fields: [("Content-Encoding", "gzip")], body: coded) }
        let fetcher = try makeFetcher()
        #expect(try await fetcher.get(origin.url("/")).body == [UInt8](repeating: 0, count: 1000))
        #expect(origin.requests().first?["Accept-Encoding"] == "identity")
        let asked = try await fetcher.get(origin.url("/")) { $0.acceptsContentCodings = true }
        #expect(asked.body == [UInt8](repeating: 0, count: 1000))
        await fetcher.shutDown()
    }

    @Test(
        "what is not HTTP is an error",
        arguments: [
            "SSH-2.0-OpenSSH\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon here\r\n\r\n",
            "HTTP/1.1 101 Switching\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 70_000))\r\n\r\n",
            String(repeating: "HTTP/1.1 103 Hints\r\nX: \(String(repeating: "x", count: 1000))\r\n\r\n", count: 80),
        ])
    func notHTTP(text: String) async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") {
            $0.write(text)
            $0.closeNow()
        }
        let fetcher = try makeFetcher { $0.retries = 0 }
        #expect(["protocol", "connect"].contains(await fetcher.failure(origin.url("/"))?.token))
        await fetcher.shutDown()
    }

    @Test func interimAnswersAndFoldedLinesAreRead() async throws {
        let origin = try ScriptedOrigin()
        origin.on("/") {
            $0.write(
                "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nX-A: one\r\n two\r\nContent-Length: 1\r\n\r\nz"
            )
        }
        let fetcher = try makeFetcher()
        let response = try await fetcher.get(origin.url("/"))
        #expect(response.status == 200)
        #expect(response.fields["Link"] == nil)
        #expect(response.fields["X-A"] == "one two")
        await fetcher.shutDown()
    }
}
