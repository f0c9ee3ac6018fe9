import Foundation
import Glibc

/// An answer as it came over the wire.
struct RawResponse: Sendable {
    let status: Int
    let fields: [(name: String, value: String)]
    var body: [UInt8]

    init?(head: String) {
        let lines = head.components(separatedBy: "\r\n")
        let parts = lines[0].split(separator: " ", maxSplits: 2)
        guard parts.count >= 2, parts[0] == "HTTP/1.1", let status = Int(parts[1]) else { return nil }
        self.status = status
        fields = lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            return (String(line[..<colon]), value)
        }
        body = []
    }

    subscript(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as a JSON object; empty if it is none.
    var json: [String: Any] {
        do { return try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:] } catch { return [:] }
    }

    /// Whether it came from a cache, or from the request of somebody else: an answer is stored when its last byte has gone out.
    var isHit: Bool {
        let status = self["Cache-Status"] ?? ""
        return status.hasPrefix("halcyon; hit") || status.contains("; collapsed")
    }

    var code: Int? { json["code"] as? Int }
}

/// A client on a bare socket. Every call that waits does so on a thread of its own, so that tests do not hold up the
/// tasks of the server under test.
final class RawClient: Sendable {
    struct Failure: Error {
        let call: String
        let code: Int32
    }

    private let socket: Int32

    init(port: Int) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw Failure(call: "socket", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        let outcome = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard outcome == 0 else {
            let code = errno
            Glibc.close(socket)
            throw Failure(call: "connect", code: code)
        }
        // A test that waits for ever says nothing: after this a read counts as the end.
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { Glibc.close(socket) }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress.map { $0 + offset }, bytes.count - offset, Int32(MSG_NOSIGNAL))
            }
            // The server may have closed already: what it answered is what the test looks at.
            guard count > 0 else { return }
            offset += count
        }
    }

    /// Sends on a thread of its own, for what the server may not take.
    func sendAside(_ bytes: [UInt8]) {
        Thread.detachNewThread { self.send(bytes) }
    }

    /// What comes until it holds `text`, or all until the end.
    func text(until text: String) async -> String {
        let mark = Array(text.utf8)
        return await onThread {
            var all: [UInt8] = []
            while !all.suffix(mark.count).elementsEqual(mark), let byte = self.receive(1) { all += byte }
            return String(decoding: all, as: UTF8.self)
        }
    }

    /// The next chunk of a body (RFC 9112 §7.1); empty for the last one and at the end. Trailers are left to be read.
    func chunk() async -> [UInt8] {
        let size = Int(await text(until: "\r\n").prefix { $0.isHexDigit }, radix: 16) ?? 0
        guard size > 0 else { return [] }
        return await onThread {
            var all: [UInt8] = []
            while all.count < size + 2, let piece = self.receive(size + 2 - all.count) { all += piece }
            return all.dropLast(2)
        }
    }

    /// Ends our half, as a client does that has said all.
    func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

    /// The next answer; `nil` if the connection ends before it is whole.
    func response(isHead: Bool = false) async -> RawResponse? {
        await onThread { self.nextResponse(isHead: isHead) }
    }

    /// Everything until the server closes.
    func remainder() async -> [UInt8] {
        await onThread {
            var all: [UInt8] = []
            while let piece = self.receive(65_536) { all += piece }
            return all
        }
    }

    private func nextResponse(isHead: Bool) -> RawResponse? {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            // A byte at a time, so that nothing of the next answer is taken.
            guard let byte = receive(1) else { return nil }
            head += byte
        }
        guard var response = RawResponse(head: String(decoding: head.dropLast(4), as: UTF8.self)) else { return nil }
        if isHead || response.status == 304 || response.status == 204 || response.status < 200 { return response }
        guard let length = response["Content-Length"].flatMap({ Int($0) }) else { return response }
        while response.body.count < length {
            guard let piece = receive(length - response.body.count) else { return nil }
            response.body += piece
        }
        return response
    }

    private func receive(_ limit: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = recv(socket, &buffer, limit, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private func onThread<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }

    /// One request on a connection of its own.
    static func request(
        port: Int, _ method: String = "GET", _ target: String, _ fields: [(String, String)] = [], body: String? = nil,
        contentType: String = "application/json"
    ) async throws -> RawResponse? {
        let client = try RawClient(port: port)
        var head = "\(method) \(target) HTTP/1.1\r\nHost: halcyon.test\r\nConnection: close\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        if let body { head += "Content-Type: \(contentType)\r\nContent-Length: \(body.utf8.count)\r\n" }
        client.send(head + "\r\n" + (body ?? ""))
        return await client.response(isHead: method == "HEAD")
    }
}
