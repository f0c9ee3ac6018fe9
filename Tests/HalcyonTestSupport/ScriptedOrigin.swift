internal import Foundation
internal import Glibc

/// An HTTP/1.1 origin on a port of its own that answers each path as a test has scripted, properly or not.
///
/// Raw sockets and a thread a connection: it shares no code with the client or the server under test. It listens as soon
/// as it exists and ends with ``stop()`` or when it goes. A path without a script answers 404.
package final class ScriptedOrigin: Sendable {
    package typealias Script = @Sendable (Exchange) -> Void

    package struct Failure: Error {
        package let call: String
        package let code: Int32
    }

    private struct Record: Sendable {
        var scripts: [String: Script] = [:]
        var requests: [RecordedRequest] = []
        var running: [String: Int] = [:]
        var mostRunning: [String: Int] = [:]
        var mostRunningInAll = 0
        var accepted = 0
        var open: Set<Int32> = []
        var isStopped = false
    }

    package let port: Int
    package let host: String
    private let listener: Int32
    private let record: Watched<Record>

    /// - Parameters:
    ///   - host: `127.0.0.1`, another loopback address, or `::1`.
    ///   - port: 0 takes a free one.
    package init(host: String = "127.0.0.1", port: Int = 0) throws {
        self.host = host
        self.record = Watched(Record())
        let isIPv6 = host.contains(":")
        listener = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw Failure(call: "socket", code: errno) }
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        do {
            self.port = try Self.bind(listener, host: host, port: port, isIPv6: isIPv6)
        } catch {
            close(listener)
            throw error
        }
        let (listener, record) = (listener, record)
        Thread.detachNewThread { Self.accept(on: listener, record: record) }
    }

    deinit { stop() }

    /// `http://host:port`
    package var base: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    package func url(_ target: String) -> String { base + target }

    /// Answers requests for `path` (without query) with `script`; `*` is every path that has none of its own.
    package func on(_ path: String, _ script: @escaping Script) {
        record.update { $0.scripts[path] = script }
    }

    /// Every request so far, or those for one path.
    package func requests(to path: String? = nil) -> [RecordedRequest] {
        record.value.requests.filter { path == nil || $0.path == path }
    }

    /// Waits until `path` (`nil`: any) has been asked for `count` times.
    @discardableResult
    package func requests(to path: String? = nil, reach count: Int) async -> [RecordedRequest] {
        await record.wait { $0.requests.count { path == nil || $0.path == path } >= count }
        return requests(to: path)
    }

    /// The largest number of requests that were being answered at the same time, for one path or in all.
    package func mostConcurrent(to path: String? = nil) -> Int {
        let record = record.value
        return path.map { record.mostRunning[$0] ?? 0 } ?? record.mostRunningInAll
    }

    /// Waits until `count` requests are being answered at the same time.
    package func running(reach count: Int) async {
        await record.wait { $0.running.values.reduce(0, +) >= count }
    }

    /// Connections ever accepted.
    package var acceptedConnections: Int { record.value.accepted }

    package var openConnections: Int { record.value.open.count }

    /// Waits until at most `count` connections are open.
    package func openConnections(fallTo count: Int) async {
        await record.wait { $0.open.count <= count }
    }

    /// Stops listening and ends every connection. Scripts that wait for the client return.
    package func stop() {
        let open = record.update { record -> Set<Int32>? in
            guard !record.isStopped else { return nil }
            record.isStopped = true
            // Under the lock: a descriptor in the set has not been closed yet, so it cannot be somebody else's.
            for socket in record.open { shutdown(socket, Int32(SHUT_RDWR)) }
            return record.open
        }
        if open != nil { shutdown(listener, Int32(SHUT_RDWR)) }
    }

    private static func bind(_ listener: Int32, host: String, port: Int, isIPv6: Bool) throws -> Int {
        var storage = sockaddr_storage()
        let bound = withUnsafeMutablePointer(to: &storage) { pointer -> Int32 in
            let raw = UnsafeMutableRawPointer(pointer)
            let length: Int
            if isIPv6 {
                var address = sockaddr_in6()
                address.sin6_family = sa_family_t(AF_INET6)
                address.sin6_port = in_port_t(UInt16(port).bigEndian)
                inet_pton(AF_INET6, host, &address.sin6_addr)
                raw.storeBytes(of: address, as: sockaddr_in6.self)
                length = MemoryLayout<sockaddr_in6>.size
            } else {
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_port = in_port_t(UInt16(port).bigEndian)
                inet_pton(AF_INET, host, &address.sin_addr)
                raw.storeBytes(of: address, as: sockaddr_in.self)
                length = MemoryLayout<sockaddr_in>.size
            }
            return Glibc.bind(listener, raw.assumingMemoryBound(to: sockaddr.self), socklen_t(length))
        }
        guard bound == 0 else { throw Failure(call: "bind", code: errno) }
        guard listen(listener, 1024) == 0 else { throw Failure(call: "listen", code: errno) }
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let named = withUnsafeMutablePointer(to: &storage) { pointer in
            getsockname(listener, UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), &length)
        }
        guard named == 0 else { throw Failure(call: "getsockname", code: errno) }
        // The port stands at the same place in both kinds of address.
        return withUnsafeBytes(of: &storage) { Int($0[2]) << 8 | Int($0[3]) }
    }

    private static func accept(on listener: Int32, record: Watched<Record>) {
        while true {
            let socket = Glibc.accept(listener, nil, nil)
            if socket < 0 {
                if errno == EINTR || errno == ECONNABORTED { continue }
                break
            }
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
            var yes: Int32 = 1
            setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
            let number = record.update { record -> Int in
                record.accepted += 1
                record.open.insert(socket)
                if record.isStopped { shutdown(socket, Int32(SHUT_RDWR)) }
                return record.accepted
            }
            Thread.detachNewThread {
                serve(socket, number: number, record: record)
                record.update { record in
                    close(socket)
                    record.open.remove(socket)
                }
            }
        }
        close(listener)
    }

    private static func serve(_ socket: Int32, number: Int, record: Watched<Record>) {
        var buffer: [UInt8] = []
        while let request = nextRequest(from: socket, buffer: &buffer, number: number) {
            let path = request.path
            let script = record.update { record -> Script? in
                record.requests.append(request)
                record.running[path, default: 0] += 1
                record.mostRunning[path] = max(record.mostRunning[path] ?? 0, record.running[path] ?? 0)
                record.mostRunningInAll = max(record.mostRunningInAll, record.running.values.reduce(0, +))
                return record.scripts[path] ?? record.scripts["*"]
            }
            let exchange = Exchange(request: request, socket: socket) {
                record.update { $0.running[path, default: 1] -= 1 }
            }
            if let script { script(exchange) } else { exchange.respond(404) }
            exchange.finish()
            if exchange.isClosed { return }
        }
    }

    /// Reads up to the empty line, and the body if its length is declared; one that waits for leave to come has it.
    private static func nextRequest(from socket: Int32, buffer: inout [UInt8], number: Int) -> RecordedRequest? {
        let end: [UInt8] = [13, 10, 13, 10]
        while true {
            if let range = buffer.firstRange(of: end) {
                let head = String(decoding: buffer[..<range.upperBound], as: UTF8.self)
                buffer.removeSubrange(..<range.upperBound)
                guard let request = RecordedRequest(head: head, body: [], connection: number) else { return nil }
                if request["Expect"] != nil {
                    let go = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
                    send(socket, go, go.count, Int32(MSG_NOSIGNAL))
                }
                if request["Transfer-Encoding"] == "chunked" {
                    guard let body = chunks(from: socket, buffer: &buffer) else { return nil }
                    return RecordedRequest(head: head, body: body, connection: number)
                }
                guard let length = request["Content-Length"].flatMap({ Int($0) }) else { return request }
                while buffer.count < length { guard receive(from: socket, into: &buffer) else { return nil } }
                let body = Array(buffer[..<length])
                buffer.removeSubrange(..<length)
                return RecordedRequest(head: head, body: body, connection: number)
            }
            guard receive(from: socket, into: &buffer) else { return nil }
        }
    }

    /// RFC 9112 §7.1, without trailers; `nil` if it ends early or is none.
    private static func chunks(from socket: Int32, buffer: inout [UInt8]) -> [UInt8]? {
        var body: [UInt8] = []
        while true {
            var line: Range<Int>?
            while line == nil {
                line = buffer.firstRange(of: [13, 10])
                guard line != nil || receive(from: socket, into: &buffer) else { return nil }
            }
            guard let line, let size = Int(String(decoding: buffer[..<line.lowerBound], as: UTF8.self), radix: 16)
            else { return nil }
            let end = line.upperBound + size
            while buffer.count < end + 2 { guard receive(from: socket, into: &buffer) else { return nil } }
            body += buffer[line.upperBound..<end]
            buffer.removeSubrange(..<(end + 2))
            if size == 0 { return body }
        }
    }

    private static func receive(from socket: Int32, into buffer: inout [UInt8]) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(socket, &chunk, chunk.count, 0)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            buffer.append(contentsOf: chunk[..<count])
            return true
        }
    }
}
