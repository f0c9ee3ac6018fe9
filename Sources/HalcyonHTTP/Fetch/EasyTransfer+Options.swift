internal import CCurl
internal import Glibc

extension EasyTransfer {
    /// What stays the same for all transfers of a handle.
    func setUp(
        _ configuration: FetchConfiguration, bundle: CABundle?, resolve: UnsafeMutablePointer<curl_slist>?
    ) throws(FetchError) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(halcyon_curl_setopt_pointer(handle, CURLOPT_PRIVATE, context))
        try check(halcyon_curl_setopt_write(handle, CURLOPT_WRITEFUNCTION, onBody))
        try check(halcyon_curl_setopt_pointer(handle, CURLOPT_WRITEDATA, context))
        try check(halcyon_curl_setopt_write(handle, CURLOPT_HEADERFUNCTION, onHeader))
        try check(halcyon_curl_setopt_pointer(handle, CURLOPT_HEADERDATA, context))
        try check(halcyon_curl_setopt_open_socket(handle, onOpenSocket))
        try check(halcyon_curl_setopt_pointer(handle, CURLOPT_OPENSOCKETDATA, context))
        try check(halcyon_curl_setopt_prerequest(handle, onPrerequest))
        try check(halcyon_curl_setopt_pointer(handle, CURLOPT_PREREQDATA, context))

        try check(halcyon_curl_setopt_string(handle, CURLOPT_PROTOCOLS_STR, "http,https"))
        try check(halcyon_curl_setopt_long(handle, CURLOPT_DISALLOW_USERNAME_IN_URL, 1))
        try check(halcyon_curl_setopt_long(handle, CURLOPT_PATH_AS_IS, 1))
        try check(halcyon_curl_setopt_long(handle, CURLOPT_FOLLOWLOCATION, 0))
        try check(halcyon_curl_setopt_string(handle, CURLOPT_USERAGENT, configuration.userAgent))
        try check(halcyon_curl_setopt_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1))
        setCodings()
        // An empty name turns off the variables of the environment.
        if !configuration.usesEnvironmentProxies { try check(halcyon_curl_setopt_string(handle, CURLOPT_PROXY, "")) }

        try check(halcyon_curl_setopt_long(handle, CURLOPT_NOSIGNAL, 1))
        // To remove a transfer whose name is being looked up would otherwise wait for the resolver.
        try check(halcyon_curl_setopt_long(handle, CURLOPT_QUICK_EXIT, 1))
        try check(
            halcyon_curl_setopt_long(handle, CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.milliseconds))

        try check(halcyon_curl_setopt_long(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)))
        if let bundle {
            try check(halcyon_curl_setopt_string(handle, CURLOPT_CAINFO, bundle.path))
            try check(halcyon_curl_setopt_string(handle, CURLOPT_CAPATH, nil))
        }
        if let resolve { try check(halcyon_curl_setopt_list(handle, CURLOPT_RESOLVE, resolve)) }
    }

    /// Asks for no coding unless the request wants them. curl decodes those it knows in either case: without the field
    /// any coding would be in order (RFC 9110 §12.5.3), and some servers compress whatever they are asked for.
    func setCodings() {
        halcyon_curl_setopt_string(handle, CURLOPT_ACCEPT_ENCODING, isSetForCodings ? "" : "identity")
    }

    /// Leaves nothing of what an earlier request set.
    func setMethod(_ method: FetchMethod, body: [UInt8]) throws(FetchError) {
        halcyon_curl_setopt_string(handle, CURLOPT_COPYPOSTFIELDS, nil)
        halcyon_curl_setopt_long(handle, CURLOPT_HTTPGET, 1)
        halcyon_curl_setopt_string(handle, CURLOPT_CUSTOMREQUEST, nil)
        switch method {
        case .get: return
        case .head: halcyon_curl_setopt_long(handle, CURLOPT_NOBODY, 1)
        case .delete where body.isEmpty: halcyon_curl_setopt_string(handle, CURLOPT_CUSTOMREQUEST, method.rawValue)
        case .post, .put, .patch, .delete:
            // The size comes first: curl copies as many bytes when it is given them. An empty body is one of length 0.
            halcyon_curl_setopt_off(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
            let bytes = body.isEmpty ? [0] : body
            try check(halcyon_curl_setopt_bytes(handle, CURLOPT_COPYPOSTFIELDS, bytes))
            if method != .post { halcyon_curl_setopt_string(handle, CURLOPT_CUSTOMREQUEST, method.rawValue) }
        }
    }

    /// Bytes of the request's body that have gone out.
    var sentBytes: Int {
        var bytes: curl_off_t = 0
        halcyon_curl_getinfo_off(handle, CURLINFO_SIZE_UPLOAD_T, &bytes)
        return bytes
    }

    /// Bytes of the body as they came over the wire.
    var encodedBytes: Int {
        var bytes: curl_off_t = 0
        halcyon_curl_getinfo_off(handle, CURLINFO_SIZE_DOWNLOAD_T, &bytes)
        return bytes
    }

    /// Adds what curl measured.
    func measure(into metrics: inout TransferMetrics) {
        metrics.nameLookup = time(CURLINFO_NAMELOOKUP_TIME_T)
        let connect = time(CURLINFO_CONNECT_TIME_T)
        let tls = time(CURLINFO_APPCONNECT_TIME_T)
        metrics.connect = max(.zero, connect - metrics.nameLookup)
        metrics.tls = tls > connect ? tls - connect : .zero
        metrics.firstByte = time(CURLINFO_STARTTRANSFER_TIME_T)
        metrics.isReusedConnection = number(CURLINFO_NUM_CONNECTS) == 0
        switch number(CURLINFO_HTTP_VERSION) {
        case Int(CURL_HTTP_VERSION_1_0): metrics.httpVersion = "1.0"
        case Int(CURL_HTTP_VERSION_1_1): metrics.httpVersion = "1.1"
        case Int(CURL_HTTP_VERSION_2_0): metrics.httpVersion = "2"
        case Int(CURL_HTTP_VERSION_3): metrics.httpVersion = "3"
        default: metrics.httpVersion = ""
        }
    }

    private func time(_ info: CURLINFO) -> Duration {
        var microseconds: curl_off_t = 0
        halcyon_curl_getinfo_off(handle, info, &microseconds)
        return .microseconds(microseconds)
    }

    private func number(_ info: CURLINFO) -> Int {
        var value = 0
        halcyon_curl_getinfo_long(handle, info, &value)
        return value
    }

    private func check(_ code: CURLcode) throws(FetchError) {
        guard code == CURLE_OK else { throw .setup(Int(code.rawValue)) }
    }
}

extension Duration {
    /// Rounded up, so that a wait never ends before its time.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < 1 << 40 else { return 1 << 40 }
        return Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}

// The context of each callback is the transfer, which outlives its handle's use in the multi.

private func transfer(_ context: UnsafeMutableRawPointer) -> EasyTransfer {
    Unmanaged<EasyTransfer>.fromOpaque(context).takeUnretainedValue()
}

private let onBody: curl_write_callback = { data, _, count, context in
    guard let data, let context else { return 0 }
    return transfer(context).receiveBody(UnsafeRawBufferPointer(start: data, count: count)) ? count : 0
}

private let onHeader: curl_write_callback = { data, _, count, context in
    guard let data, let context else { return 0 }
    return transfer(context).receiveHeader(UnsafeRawBufferPointer(start: data, count: count)) ? count : 0
}

private let onOpenSocket: curl_opensocket_callback = { context, _, address in
    guard let context, let address, let socketAddress = halcyon_curl_sockaddr(address),
        transfer(context).allowsSocket(to: socketAddress)
    else { return -1 }
    return socket(
        address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
}

private let onPrerequest: curl_prereq_callback = { context, primaryAddress, _, _, _ in
    guard let context, transfer(context).allowsRequest(on: primaryAddress) else { return CURL_PREREQFUNC_ABORT }
    return CURL_PREREQFUNC_OK
}
