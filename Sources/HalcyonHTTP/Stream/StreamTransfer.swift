internal import CCurl
internal import Glibc

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// One curl easy handle that carries streams, one after another. Belongs to the thread of the streams.
final class StreamTransfer {
    /// How much of an answer may wait for its reader.
    private static let bodyCapacity = 256 << 10

    let handle: UnsafeMutableRawPointer
    private let bundle: CABundle?
    private let wallClock: @Sendable () -> Date
    private let judgesAddresses: Bool
    private var list: UnsafeMutablePointer<curl_slist>?

    private var request: StreamRequest?
    private var inbox: StreamInbox?
    private var ranges: [AddressRange] = []
    var continuation: CheckedContinuation<Result<StreamResponse, FetchError>, Never>?
    private(set) var head = ResponseHead()
    private var body: BytePipe?
    private var trailers = HTTPFields()
    private var requestTime = Date.distantPast
    private var failure: FetchError?
    private var refusedClass: String?
    private var hasAskedForBody = false
    private var pauses: Int32 = 0
    private var lastProgress = ContinuousClock.now

    init(
        configuration: FetchConfiguration, bundle: CABundle?, resolve: UnsafeMutablePointer<curl_slist>?
    ) throws(FetchError) {
        guard let handle = curl_easy_init() else { throw .setup(Int(CURLE_FAILED_INIT.rawValue)) }
        self.handle = handle
        self.bundle = bundle
        wallClock = configuration.wallClock
        judgesAddresses = !configuration.usesEnvironmentProxies
        try setUp(configuration, bundle: bundle, resolve: resolve)
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(list)
    }

    var id: UInt64 { request?.id ?? 0 }

    func begin(_ request: StreamRequest, ranges: [AddressRange], inbox: StreamInbox) throws(FetchError) {
        guard request.method != "CONNECT", !request.target.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
            throw .protocolError(0)
        }
        self.request = request
        self.inbox = inbox
        self.ranges = ranges
        head = ResponseHead()
        body = nil
        trailers = []
        failure = nil
        refusedClass = nil
        hasAskedForBody = false
        pauses = CURLPAUSE_CONT
        lastProgress = .now
        requestTime = wallClock()
        halcyon_curl_setopt_string(handle, CURLOPT_URL, request.origin.text)
        halcyon_curl_setopt_string(handle, CURLOPT_REQUEST_TARGET, request.target)
        halcyon_curl_setopt_long(handle, CURLOPT_FRESH_CONNECT, request.needsFreshConnection ? 1 : 0)
        setMethod(request)
        setFields(request)
    }

    /// Leaves nothing of what an earlier request set.
    private func setMethod(_ request: StreamRequest) {
        halcyon_curl_setopt_long(handle, CURLOPT_UPLOAD, 0)
        halcyon_curl_setopt_long(handle, CURLOPT_HTTPGET, 1)
        halcyon_curl_setopt_string(handle, CURLOPT_CUSTOMREQUEST, nil)
        if request.body != nil {
            halcyon_curl_setopt_long(handle, CURLOPT_UPLOAD, 1)
            halcyon_curl_setopt_off(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(request.bodyLength ?? -1))
            halcyon_curl_setopt_string(handle, CURLOPT_CUSTOMREQUEST, request.method)
        } else if request.method == "HEAD" {
            halcyon_curl_setopt_long(handle, CURLOPT_NOBODY, 1)
        } else if request.method != "GET" {
            halcyon_curl_setopt_string(handle, CURLOPT_CUSTOMREQUEST, request.method)
        }
    }

    private func setFields(_ request: StreamRequest) {
        curl_slist_free_all(list)
        list = nil
        for line in request.fields.lines where line.isWellFormed {
            // curl's way to write a field without a value; "Name:" would take the field away.
            list = curl_slist_append(list, line.value.isEmpty ? line.name + ";" : "\(line.name): \(line.value)")
        }
        for name in ["Accept", "Expect"] where !request.fields.contains(name) {
            list = curl_slist_append(
                list, name == "Expect" && request.expectsContinue ? "Expect: 100-continue" : name + ":")
        }
        halcyon_curl_setopt_list(handle, CURLOPT_HTTPHEADER, list)
    }

    // MARK: End

    func outcome(_ code: CURLcode) -> Result<Void, FetchError> {
        if let failure { return .failure(failure) }
        guard code == CURLE_OK else { return .failure(error(code)) }
        return head.isComplete ? .success(()) : .failure(.protocolError(Int(CURLE_WEIRD_SERVER_REPLY.rawValue)))
    }

    /// Tells whoever waits, and lets go of the request.
    func end(_ outcome: Result<Void, FetchError>) {
        request?.body?.abandon()
        switch outcome {
        case .success: body?.finish(trailers: trailers)
        case .failure(let error):
            body?.fail(error)
            continuation.take()?.resume(returning: .failure(error))
        }
        continuation = nil
        body = nil
        request = nil
        inbox = nil
    }

    func isSilent(_ now: ContinuousClock.Instant, for limit: Duration) -> Bool {
        pauses == CURLPAUSE_CONT && now - lastProgress > limit
    }

    func resume() {
        guard pauses != CURLPAUSE_CONT else { return }
        pauses = CURLPAUSE_CONT
        lastProgress = .now
        curl_easy_pause(handle, CURLPAUSE_CONT)
    }

    // MARK: Callbacks

    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        lastProgress = .now
        if head.isComplete {
            takeTrailer(line)
            return true
        }
        do {
            let isBlank = line.allSatisfy { $0 == 0x0D || $0 == 0x0A }
            if isBlank, 101..<200 ~= head.status { request?.onInterim?(head.status, head.fields) }
            return try head.append(line) ? headIsComplete() : true
        } catch {
            failure = .protocolError(Int(CURLE_WEIRD_SERVER_REPLY.rawValue))
            return false
        }
    }

    private func headIsComplete() -> Bool {
        guard let request, let inbox else { return false }
        let codings = head.fields.values(of: "Transfer-Encoding")
        // RFC 9112 §6.3: what two recipients could read differently is not passed on.
        guard
            codings.isEmpty
                || codings.count == 1 && ASCII.matches(codings[0].utf8, "chunked".utf8)
                    && head.contentLength == nil
        else {
            failure = .protocolError(Int(CURLE_WEIRD_SERVER_REPLY.rawValue))
            return false
        }
        let body = BytePipe(capacity: Self.bodyCapacity)
        let id = request.id
        body.onAbandon { inbox.add(.cancel(id)) }
        self.body = body
        continuation.take()?.resume(
            returning: .success(
                StreamResponse(
                    status: head.status, fields: head.fields, contentLength: head.contentLength,
                    requestTime: requestTime, responseTime: wallClock(), body: body)))
        return true
    }

    /// `nil`: not now.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool? {
        guard let body, let inbox, let id = request?.id else { return false }
        lastProgress = .now
        let taken = body.write(bytes) { { inbox.add(.resume(id)) } }
        if taken == bytes.count { return true }
        pauses |= CURLPAUSE_RECV
        return nil
    }

    func sendBody(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let pipe = request?.body, let inbox, let id = request?.id else { return Int(CURL_READFUNC_ABORT) }
        if !hasAskedForBody {
            hasAskedForBody = true
            request?.onContinue?()
        }
        lastProgress = .now
        switch pipe.read(into: buffer, whenEmpty: { { inbox.add(.resume(id)) } }) {
        case .bytes(let count): return count
        case .waiting:
            pauses |= CURLPAUSE_SEND
            return Int(CURL_READFUNC_PAUSE)
        case .end: return 0
        case .failed(let error):
            failure = failure ?? error
            return Int(CURL_READFUNC_ABORT)
        }
    }

    func allowsSocket(to address: UnsafePointer<sockaddr>) -> Bool {
        guard judgesAddresses else { return true }
        return allows(IPAddress(address))
    }

    func allowsRequest(on address: UnsafePointer<CChar>?) -> Bool {
        !judgesAddresses || allows(address.flatMap(IPAddress.parse))
    }

    private func allows(_ address: IPAddress?) -> Bool {
        refusedClass = address.map { $0.refusedClass(allowing: ranges) } ?? "unknown"
        return refusedClass == nil
    }

    private func takeTrailer(_ line: UnsafeRawBufferPointer) {
        guard let colon = line.firstIndex(of: 0x3A), colon > 0, trailers.lines.count < 64 else { return }
        let field = HTTPFields.Line(
            name: String(decoding: line[..<colon], as: UTF8.self),
            value: String(decoding: line[(colon + 1)...].prefix { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self))
        if field.isWellFormed { trailers.lines.append(field) }
    }

    private func error(_ code: CURLcode) -> FetchError {
        let number = Int(code.rawValue)
        if let refusedClass, let request, code == CURLE_COULDNT_CONNECT || code == CURLE_ABORTED_BY_CALLBACK {
            return OriginPolicy.addressRefusal(refusedClass, for: request.origin)
        }
        switch code {
        case CURLE_PARTIAL_FILE: return .truncated
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING:
            return head.isComplete ? .truncated : .connect(number)
        default: return FetchError(ofConnection: code) ?? .protocolError(number)
        }
    }
}
