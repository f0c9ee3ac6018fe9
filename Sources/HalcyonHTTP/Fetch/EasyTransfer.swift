internal import CCurl

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// One curl easy handle, used for one transfer after another. Belongs to the transfer thread, like its callbacks.
final class EasyTransfer {
    enum Ending {
        case answer
        case redirect(String, status: Int)
        case failed(FetchError)
        /// The rest of a broken body did not fit: the whole has to be fetched.
        case restart
    }

    /// Of the body of a redirect, to keep its connection; a larger one costs the connection.
    private static let greatestDiscardedBody = 64 << 10
    /// Bodies of unknown length grow by doubling up to here, and then get room for all they may be: memory that is not
    /// written to costs nothing, while a copy would hold the body twice.
    private static let doublingLimit = 256 << 10

    let handle: UnsafeMutableRawPointer
    /// Which configuration it was set up for.
    let generation: Int
    /// Kept, since libcurl opens the file by its path when it connects.
    private let bundle: CABundle?
    private let wallClock: @Sendable () -> Date
    private let judgesAddresses: Bool
    private var list: UnsafeMutablePointer<curl_slist>?
    private var isSetForTLS: Bool?
    private(set) var isSetForCodings = false
    private var isSetForFreshConnection = false
    private var isSetForGet = true

    private(set) var job: FetchJob?
    private(set) var head = ResponseHead()
    private(set) var body: [UInt8] = []
    private(set) var requestTime = Date.distantPast
    private(set) var responseTime = Date.distantPast
    private(set) var started: Duration = .zero
    /// Everything that came, for the low-speed check, which counts what went out besides.
    private(set) var received = 0
    var windowStart: Duration = .zero
    var windowMoved = 0

    private var limit = 0
    private var expected: Int?
    private var failure: FetchError?
    private var location: String?
    private var isDiscarding = false
    private var needsRestart = false
    private(set) var isResumed = false
    /// curl has a connection that may be used: some of the request may have gone out.
    private(set) var hasBegunRequest = false

    init(
        configuration: FetchConfiguration, generation: Int, bundle: CABundle?,
        resolve: UnsafeMutablePointer<curl_slist>?
    ) throws(FetchError) {
        guard let handle = curl_easy_init() else { throw .setup(Int(CURLE_FAILED_INIT.rawValue)) }
        self.handle = handle
        self.generation = generation
        self.bundle = bundle
        wallClock = configuration.wallClock
        judgesAddresses = !configuration.usesEnvironmentProxies
        try setUp(configuration, bundle: bundle, resolve: resolve)
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(list)
    }

    /// Sets the handle for the job's next transfer.
    func begin(_ job: FetchJob, now: Duration) throws(FetchError) {
        self.job = job
        job.transfer = self
        head = ResponseHead()
        body = []
        limit = job.limit
        expected = nil
        failure = nil
        location = nil
        isDiscarding = false
        needsRestart = false
        isResumed = false
        hasBegunRequest = false
        refusedClass = nil
        received = 0
        started = now
        windowStart = now
        windowMoved = 0
        requestTime = wallClock()
        halcyon_curl_setopt_string(handle, CURLOPT_URL, job.url.text)
        let isTLS = job.url.scheme == "https"
        if isTLS != isSetForTLS {
            // To wait for a connection that may turn out to multiplex is worth it only where HTTP/2 can be negotiated.
            halcyon_curl_setopt_long(
                handle, CURLOPT_HTTP_VERSION, Int(isTLS ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1))
            halcyon_curl_setopt_long(handle, CURLOPT_PIPEWAIT, isTLS ? 1 : 0)
            isSetForTLS = isTLS
        }
        if job.request.acceptsContentCodings != isSetForCodings {
            isSetForCodings = job.request.acceptsContentCodings
            setCodings()
        }
        if job.needsFreshConnection != isSetForFreshConnection {
            isSetForFreshConnection = job.needsFreshConnection
            halcyon_curl_setopt_long(handle, CURLOPT_FRESH_CONNECT, isSetForFreshConnection ? 1 : 0)
        }
        try setMethod(job)
        setFields(job.requestLines)
    }

    /// Lets go of the job and of what the transfer held.
    func end() {
        job?.transfer = nil
        job = nil
        body = []
    }

    func abort(_ error: FetchError) { failure = failure ?? error }

    /// What the transfer came to, after curl has said `code`.
    func ending(_ code: CURLcode) -> Ending {
        if let failure { return .failed(failure) }
        if needsRestart { return .restart }
        if let location, code == CURLE_OK || head.isComplete { return .redirect(location, status: head.status) }
        guard code == CURLE_OK else { return .failed(error(code)) }
        guard head.isComplete else { return .failed(.protocolError(Int(CURLE_WEIRD_SERVER_REPLY.rawValue))) }
        // curl checks this too; it is what keeps a short body out of the cache, so it is checked here as well.
        if let expected, hasBody, body.count != expected { return .failed(.truncated) }
        return .answer
    }

    func takeBody() -> [UInt8] {
        defer { body = [] }
        return body
    }

    private func setMethod(_ job: FetchJob) throws(FetchError) {
        if isSetForGet, job.method == .get { return }
        isSetForGet = job.method == .get
        try setMethod(job.method, body: job.body)
    }

    private func setFields(_ lines: [HTTPFields.Line]) {
        guard list != nil || !lines.isEmpty || !isSetForGet else { return }
        curl_slist_free_all(list)
        list = nil
        for line in lines {
            // curl's way to write a field without a value; "Name:" would take the field away.
            list = curl_slist_append(list, line.value.isEmpty ? line.name + ";" : "\(line.name): \(line.value)")
        }
        // curl takes every body for a form unless it is told what it is.
        if !isSetForGet, !lines.contains(where: { $0.isNamed("Content-Type") }) {
            list = curl_slist_append(list, "Content-Type:")
        }
        halcyon_curl_setopt_list(handle, CURLOPT_HTTPHEADER, list)
    }

    // MARK: Callbacks

    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        received += line.count
        do {
            return try head.append(line) ? headIsComplete() : true
        } catch {
            return stop(.protocolError(Int(CURLE_WEIRD_SERVER_REPLY.rawValue)))
        }
    }

    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        received += bytes.count
        if isDiscarding { return received <= Self.greatestDiscardedBody + ResponseHead.greatestBytes }
        guard bytes.count <= limit - body.count else { return stop(.bodyTooLarge(limit: limit)) }
        if head.hasContentCoding, encodedBytes > limit { return stop(.bodyTooLarge(limit: limit)) }
        let needed = body.count + bytes.count
        if needed > Self.doublingLimit, needed > body.capacity {
            body.reserveCapacity(max(needed, min(limit, max(16 << 20, 2 * needed))))
        }
        body.append(contentsOf: bytes)
        job?.request.onProgress?(FetchProgress(receivedBytes: body.count, expectedBytes: expected))
        return true
    }

    /// Judges the very address that the socket would connect to.
    func allowsSocket(to address: UnsafePointer<sockaddr>) -> Bool {
        guard judgesAddresses else { return true }
        return allows(IPAddress(address))
    }

    /// Judges the address of a connection before the request goes out on it, new or kept from another request.
    func allowsRequest(on address: UnsafePointer<CChar>?) -> Bool {
        hasBegunRequest = !judgesAddresses || allows(address.flatMap(IPAddress.parse))
        return hasBegunRequest
    }

    private func allows(_ address: IPAddress?) -> Bool {
        guard let job else { return false }
        // An address of a family that we do not know is no photo origin.
        let refused = address.map { $0.refusedClass(allowing: job.ranges) } ?? "unknown"
        guard let refused else { return true }
        refusedClass = refused
        return false
    }

    private(set) var refusedClass: String?

    private func headIsComplete() -> Bool {
        guard let job else { return false }
        responseTime = wallClock()
        switch head.status {
        case 301, 302, 303, 307, 308:
            isDiscarding = true
            guard let target = head.fields.first("Location") else { return stop(.redirectWithoutLocation) }
            location = target
            return true
        case 206:
            if let partial = job.partial {
                guard let complete = partial.completeLength(continuedBy: head) else { return restart(job) }
                guard complete <= limit else { return stop(.bodyTooLarge(limit: limit)) }
                expected = complete
                isResumed = true
                body = partial.bytes
                job.partial?.bytes = []
                body.reserveCapacity(complete)
                return true
            }
            guard job.requestsRange else { return stop(.badPartial) }
        case 416 where job.partial != nil: return restart(job)
        case 200: job.partial = nil
        default: break
        }
        if hasBody, let length = head.contentLength {
            guard length <= limit else { return stop(.bodyTooLarge(limit: limit)) }
            if !head.hasContentCoding {
                expected = length
                body.reserveCapacity(length)
            }
        }
        if 200..<300 ~= head.status, let accepts = job.request.acceptsContent, !accepts(head.fields, head.status) {
            return stop(.unacceptable)
        }
        return true
    }

    private var hasBody: Bool { head.status != 204 && head.status != 304 && job?.method != .head }

    private func stop(_ error: FetchError) -> Bool {
        abort(error)
        return false
    }

    private func restart(_ job: FetchJob) -> Bool {
        job.partial = nil
        needsRestart = true
        return false
    }

    private func error(_ code: CURLcode) -> FetchError {
        let number = Int(code.rawValue)
        if let refusedClass, let url = job?.url,
            code == CURLE_COULDNT_CONNECT || code == CURLE_ABORTED_BY_CALLBACK
        {
            return OriginPolicy.addressRefusal(refusedClass, for: url)
        }
        switch code {
        case CURLE_PARTIAL_FILE: return .truncated
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_GOT_NOTHING:
            return head.isComplete ? .truncated : .connect(number)
        default: return FetchError(ofConnection: code) ?? .protocolError(number)
        }
    }
}

extension FetchError {
    /// Why there is no connection; `nil` if that is not what the code says.
    init?(ofConnection code: CURLcode) {
        let number = Int(code.rawValue)
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .resolve(number)
        case CURLE_OPERATION_TIMEDOUT: self = .timeout(phase: .connect)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            self = .tls(number)
        case CURLE_COULDNT_CONNECT: self = .connect(number)
        default: return nil
        }
    }
}
