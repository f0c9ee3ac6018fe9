internal import Foundation
internal import HalcyonHTTP
package import HalcyonStore

/// What a route answers. `Date`, `Content-Length` and `Connection` are added when it is sent; the fields that every
/// answer carries are added by `HTTPAnswer.prepared`.
package struct HTTPAnswer: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Sent from the cache's memory without a copy.
        case entry(EntryBytes, Range<Int>)
        /// Sent as it is written.
        case stream(ResponseStream)
    }

    package var status: Int
    package var fields: [(String, String)]
    package var body: Body
    /// For the log and the counters.
    var route = RouteClass.other
    var source = AnswerSource.none

    package init(status: Int, fields: [(String, String)] = [], body: Body = .bytes([])) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The answer with these fields, each in place of one of the same name.
    func with(_ added: [(String, String)]) -> HTTPAnswer {
        var answer = self
        answer.fields.removeAll { field in added.contains { $0.0 == field.0 } }
        answer.fields += added
        return answer
    }

    /// On every answer, errors included: nothing that is served is to be run or guessed at.
    static let protectiveFields = [
        ("X-Content-Type-Options", "nosniff"),
        ("Content-Security-Policy", "default-src 'none'; sandbox"),
    ]

    var byteCount: Int {
        switch body {
        case .bytes(let bytes): bytes.count
        case .entry(_, let range): range.count
        case .stream: 0
        }
    }

    /// `nil` if a field holds a line break or memory is short, and for a stream, which belongs to a connection.
    var prepared: PreparedResponse? {
        let all = fields + Self.protectiveFields
        switch body {
        case .bytes(let bytes): return PreparedResponse(fields: all, copying: bytes)
        case .entry(let entry, let range):
            let bytes = UnsafeRawBufferPointer(start: entry.pointer, count: entry.count)
            return PreparedResponse(fields: all, bytes: UnsafeRawBufferPointer(rebasing: bytes[range]), owner: entry)
        case .stream: return nil
        }
    }

    /// The answer as it goes over the wire, the last one of its connection (RFC 9112 §4, §9.6). `nil` for all but bytes.
    var closingBytes: [UInt8]? {
        guard case .bytes(let bytes) = body else { return nil }
        let own = [
            ("Date", HTTPDate.format(Date())), ("Connection", "close"), ("Content-Length", "\(bytes.count)"),
        ]
        let head = (own + fields + Self.protectiveFields).map { "\($0): \($1)\r\n" }.joined()
        return Array("HTTP/1.1 \(status) \r\n\(head)\r\n".utf8) + bytes
    }

    func prepared(_ reader: StreamReader, isHead: Bool) -> PreparedResponse? {
        PreparedResponse(fields: fields + Self.protectiveFields, reader: reader, isHead: isHead)
    }
}
