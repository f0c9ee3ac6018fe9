internal import Foundation
internal import HalcyonHTTP
internal import HalcyonStore

/// What a route answers. `Date`, `Content-Length` and `Connection` are added when it is sent; the fields that every
/// answer carries are added by `HTTPAnswer.prepared`.
struct HTTPAnswer: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// Sent from the cache's memory without a copy.
        case entry(EntryBytes, Range<Int>)
        /// Sent as it is written.
        case stream(ResponseStream)
        /// Sent as it comes in; `length` is in bytes, `nil` if it is not known.
        case source(any ByteSource, length: Int?)
        /// None, though there would be one: the answer to HEAD.
        case omitted(length: Int?)
    }

    var status: Int
    var fields: [(String, String)]
    var body: Body
    /// Whether ``protectiveFields`` are still to be added; `false` where what is passed on has its own.
    var needsProtection = true
    /// For the log and the counters.
    var route = RouteClass.other
    var source = AnswerSource.none

    init(status: Int, fields: [(String, String)] = [], body: Body = .bytes([])) {
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
        case .stream, .source, .omitted: 0
        }
    }

    /// It will not be sent: whoever makes its body learns of it.
    func discard() {
        switch body {
        case .stream(let stream): stream.close()
        case .source(let source, _): source.abandon()
        case .bytes, .entry, .omitted: break
        }
    }

    /// `nil` if a field holds a line break or memory is short, and for a stream, which belongs to a connection.
    var prepared: PreparedResponse? {
        let all = allFields
        switch body {
        case .bytes(let bytes): return PreparedResponse(fields: all, copying: bytes)
        case .entry(let entry, let range):
            let bytes = UnsafeRawBufferPointer(start: entry.pointer, count: entry.count)
            return PreparedResponse(fields: all, bytes: UnsafeRawBufferPointer(rebasing: bytes[range]), owner: entry)
        case .omitted(let length): return PreparedResponse(fields: all, bodylessOf: length)
        case .stream, .source: return nil
        }
    }

    /// The answer as it goes over the wire, the last one of its connection (RFC 9112 §4, §9.6). `nil` for all but bytes.
    var closingBytes: [UInt8]? {
        guard case .bytes(let bytes) = body else { return nil }
        let own = [
            ("Date", HTTPDate.format(Date())), ("Connection", "close"), ("Content-Length", "\(bytes.count)"),
        ]
        let head = (own + allFields).map { "\($0): \($1)\r\n" }.joined()
        return Array("HTTP/1.1 \(status) \r\n\(head)\r\n".utf8) + bytes
    }

    func prepared(_ reader: StreamReader, isHead: Bool) -> PreparedResponse? {
        PreparedResponse(fields: allFields, reader: reader, isHead: isHead)
    }

    func prepared(_ reader: SourceReader, length: Int?) -> PreparedResponse? {
        PreparedResponse(fields: allFields, reader: reader, length: length)
    }

    private var allFields: [(String, String)] { needsProtection ? fields + Self.protectiveFields : fields }
}
