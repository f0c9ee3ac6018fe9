internal import Foundation
internal import Glibc
internal import HalcyonImage
internal import Synchronization

/// The photo origin of the sample school: HTTP/1.1 on loopback, a thread a connection. It knows only what the demo needs.
final class DemoOrigin: Sendable {
    /// What a school's photo server takes for each answer.
    static let latencyMicroseconds: UInt32 = 15_000
    static let slowSeconds: UInt32 = 3

    let port: UInt16
    private let listener: Int32
    private let pupils: [String: DemoPupil]
    private let portraits = Mutex<[Int: [UInt8]]>([:])
    private let requestCounter = Atomic<Int>(0)

    var requestCount: Int { requestCounter.load(ordering: .relaxed) }

    /// Binds a free port of 127.0.0.1.
    init(pupils: [DemoPupil]) throws(CommandFailure) {
        self.pupils = Dictionary(
            pupils.compactMap { pupil in pupil.path.map { ($0, pupil) } }, uniquingKeysWith: { first, _ in first })
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 128) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard descriptor >= 0, isBound else {
            throw CommandFailure("the sample origin cannot listen: \(String(cString: strerror(errno)))")
        }
        listener = descriptor
        port = UInt16(bigEndian: address.sin_port)
    }

    var host: String { "127.0.0.1:\(port)" }

    func url(of pupil: DemoPupil) -> String? { pupil.path.map { "http://\(host)\($0)" } }

    /// Serves until the process ends.
    func start() {
        Thread.detachNewThread {
            while true {
                let connection = accept(self.listener, nil, nil)
                if connection >= 0 {
                    Thread.detachNewThread { self.serve(connection) }
                } else if errno != EINTR && errno != ECONNABORTED && errno != EMFILE {
                    return
                }
            }
        }
    }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        var on: Int32 = 1
        setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        var pending: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 8192)
        let end = Array("\r\n\r\n".utf8)
        while true {
            guard let header = pending.firstRange(of: end) else {
                let count = read(connection, &buffer, buffer.count)
                guard count > 0, pending.count < 65_536 else { return }
                pending += buffer[..<count]
                continue
            }
            let lines = String(decoding: pending[..<header.lowerBound], as: UTF8.self).split(separator: "\r\n")
            pending.removeSubrange(..<header.upperBound)
            guard let request = lines.first, answer(request, fields: lines.dropFirst(), on: connection) else { return }
        }
    }

    /// Whether the connection stays open.
    private func answer(_ request: Substring, fields: ArraySlice<Substring>, on connection: Int32) -> Bool {
        requestCounter.add(1, ordering: .relaxed)
        usleep(Self.latencyMicroseconds)
        let path = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        guard let pupil = pupils[path], pupil.behaviour != .notFound else {
            return send("404 Not Found", "text/plain", Array("no such photo\n".utf8), on: connection)
        }
        if pupil.behaviour == .page {
            return send("200 OK", "text/html", Array("<!doctype html><title>Sign in</title>\n".utf8), on: connection)
        }
        if pupil.behaviour == .slow { sleep(Self.slowSeconds) }
        let entityTag = "\"\(pupil.id)\""
        if fields.contains(where: { $0.lowercased().hasPrefix("if-none-match:") && $0.contains(entityTag) }) {
            return send("304 Not Modified", nil, [], fields: "ETag: \(entityTag)\r\n", on: connection)
        }
        guard let portrait = portrait(of: pupil) else {
            return send("500 Internal Server Error", "text/plain", [], on: connection)
        }
        guard pupil.behaviour == .truncated else {
            return send("200 OK", "image/jpeg", portrait, fields: "ETag: \(entityTag)\r\n", on: connection)
        }
        let half = Array(portrait.prefix(portrait.count / 2))
        _ = send("200 OK", "image/jpeg", half, announcing: portrait.count, on: connection)
        return false
    }

    private func send(
        _ status: String, _ type: String?, _ body: [UInt8], announcing length: Int? = nil, fields: String = "",
        on connection: Int32
    ) -> Bool {
        var head = "HTTP/1.1 \(status)\r\n\(fields)"
        if let type { head += "Content-Type: \(type)\r\nContent-Length: \(length ?? body.count)\r\n" }
        let bytes = Array((head + "\r\n").utf8) + body
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                write(connection, UnsafeRawBufferPointer(rebasing: buffer[sent...]).baseAddress, buffer.count - sent)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Drawn when first asked for.
    private func portrait(of pupil: DemoPupil) -> [UInt8]? {
        if let known = portraits.withLock({ $0[pupil.id] }) { return known }
        do throws(DrawingError) {
            let bytes = try SamplePortrait.jpeg(seed: UInt64(pupil.id))
            portraits.withLock { $0[pupil.id] = bytes }
            return bytes
        } catch {
            // Answered as 500, which the summary then shows.
            return nil
        }
    }
}
