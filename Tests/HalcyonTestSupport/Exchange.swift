internal import Glibc

/// One request on a connection of a ``ScriptedOrigin``, and the verbs a script answers it with.
///
/// Used on the connection's own thread alone. A script that returns without ``closeNow()`` or ``reset()`` after a
/// complete answer leaves the connection open for the next request.
package final class Exchange {
    package let request: RecordedRequest
    private let socket: Int32
    private var onFinish: (() -> Void)?
    private(set) var isClosed = false

    init(request: RecordedRequest, socket: Int32, onFinish: @escaping () -> Void) {
        self.request = request
        self.socket = socket
        self.onFinish = onFinish
    }

    /// Counts the request as answered: before the last byte goes out, so that a client that acts on the answer is never
    /// counted beside its own earlier request.
    func finish() {
        onFinish?()
        onFinish = nil
    }

    /// A whole answer with a true `Content-Length`.
    package func respond(_ status: Int = 200, fields: [(String, String)] = [], body: [UInt8] = []) {
        let hasBody = status != 204 && status != 304 && request.method != "HEAD"
        let lines = fields.map { "\($0.0): \($0.1)\r\n" }.joined()
        let length = status == 204 || status == 304 ? "" : "Content-Length: \(body.count)\r\n"
        finish()
        write(Array("HTTP/1.1 \(status) Scripted\r\n\(lines)\(length)\r\n".utf8) + (hasBody ? body : []))
    }

    package func redirect(to location: String, status: Int = 302) {
        respond(status, fields: [("Location", location)])
    }

    /// Status line and fields, nothing else: what follows is the script's.
    package func head(_ status: Int = 200, fields: [(String, String)] = []) {
        let lines = fields.map { "\($0.0): \($0.1)\r\n" }.joined()
        write("HTTP/1.1 \(status) Scripted\r\n\(lines)\r\n")
    }

    /// A head whose `Content-Length` says `length`, whatever follows.
    package func head(_ status: Int = 200, fields: [(String, String)] = [], declaring length: Int) {
        head(status, fields: fields + [("Content-Length", "\(length)")])
    }

    /// A head that announces chunks: then ``chunk(_:)``, and ``endChunks()`` or not.
    package func headChunked(_ status: Int = 200, fields: [(String, String)] = []) {
        head(status, fields: fields + [("Transfer-Encoding", "chunked")])
    }

    package func chunk(_ bytes: [UInt8]) {
        write("\(String(bytes.count, radix: 16))\r\n")
        write(bytes)
        write("\r\n")
    }

    /// A chunk whose size is not a number.
    package func badChunk() { write("zz\r\nnot a chunk\r\n") }

    package func endChunks() {
        finish()
        write("0\r\n\r\n")
    }

    /// Writes `bytes` in as many equal pieces as there are gates, each after its gate has opened.
    package func drip(_ bytes: [UInt8], waitingOn gates: [Gate]) {
        let size = max(1, (bytes.count + gates.count - 1) / max(1, gates.count))
        for (index, gate) in gates.enumerated() {
            gate.waitBlocking()
            write(Array(bytes.dropFirst(index * size).prefix(size)))
        }
    }

    @discardableResult
    package func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// Writes bytes as they are. `false` once the client is gone.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        guard !isClosed else { return false }
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                guard let start = buffer.baseAddress else { return 0 }
                return send(socket, start + sent, buffer.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Says nothing more until the client has closed the connection.
    package func waitForClose() {
        var byte: UInt8 = 0
        while true {
            let count = recv(socket, &byte, 1, 0)
            if count == 0 || (count < 0 && errno != EINTR) { break }
        }
        closeNow()
    }

    /// Ends the connection in order, whatever was promised.
    package func closeNow() {
        guard !isClosed else { return }
        isClosed = true
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Ends the connection with RST instead of FIN.
    package func reset() {
        guard !isClosed else { return }
        isClosed = true
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
}
