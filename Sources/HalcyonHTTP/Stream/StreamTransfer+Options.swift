internal import CCurl
internal import Glibc

extension StreamTransfer {
    /// What stays the same for all streams of a handle.
    func setUp(
        _ configuration: FetchConfiguration, bundle: CABundle?, resolve: UnsafeMutablePointer<curl_slist>?
    ) throws(FetchError) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [
            CURLOPT_PRIVATE, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_OPENSOCKETDATA,
            CURLOPT_PREREQDATA,
        ] {
            try check(halcyon_curl_setopt_pointer(handle, option, context))
        }
        try check(halcyon_curl_setopt_write(handle, CURLOPT_WRITEFUNCTION, onBody))
        try check(halcyon_curl_setopt_write(handle, CURLOPT_HEADERFUNCTION, onHeader))
        try check(halcyon_curl_setopt_write(handle, CURLOPT_READFUNCTION, onRead))
        try check(halcyon_curl_setopt_open_socket(handle, onOpenSocket))
        try check(halcyon_curl_setopt_prerequest(handle, onPrerequest))

        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_DISALLOW_USERNAME_IN_URL, 1), (CURLOPT_PATH_AS_IS, 1), (CURLOPT_FOLLOWLOCATION, 0),
            (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1), (CURLOPT_NOSIGNAL, 1), (CURLOPT_QUICK_EXIT, 1),
            // HTTP/2 would buffer as much as its windows allow while a reader is slow.
            (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
            (CURLOPT_HTTP_CONTENT_DECODING, 0), (CURLOPT_BUFFERSIZE, 64 << 10), (CURLOPT_UPLOAD_BUFFERSIZE, 64 << 10),
            (CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.milliseconds),
            (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
        ]
        for (option, value) in numbers { try check(halcyon_curl_setopt_long(handle, option, value)) }
        try check(halcyon_curl_setopt_string(handle, CURLOPT_PROTOCOLS_STR, "http,https"))
        // An empty name turns off the variables of the environment.
        if !configuration.usesEnvironmentProxies { try check(halcyon_curl_setopt_string(handle, CURLOPT_PROXY, "")) }
        if let bundle {
            try check(halcyon_curl_setopt_string(handle, CURLOPT_CAINFO, bundle.path))
            try check(halcyon_curl_setopt_string(handle, CURLOPT_CAPATH, nil))
        }
        if let resolve { try check(halcyon_curl_setopt_list(handle, CURLOPT_RESOLVE, resolve)) }
    }

    private func check(_ code: CURLcode) throws(FetchError) {
        guard code == CURLE_OK else { throw .setup(Int(code.rawValue)) }
    }
}

private func transfer(_ context: UnsafeMutableRawPointer) -> StreamTransfer {
    Unmanaged<StreamTransfer>.fromOpaque(context).takeUnretainedValue()
}

private let onBody: curl_write_callback = { data, _, count, context in
    guard let data, let context else { return 0 }
    switch transfer(context).receiveBody(UnsafeRawBufferPointer(start: data, count: count)) {
    case true?: return count
    case false?: return 0
    case nil: return Int(CURL_WRITEFUNC_PAUSE)
    }
}

private let onHeader: curl_write_callback = { data, _, count, context in
    guard let data, let context else { return 0 }
    return transfer(context).receiveHeader(UnsafeRawBufferPointer(start: data, count: count)) ? count : 0
}

private let onRead: curl_read_callback = { data, _, count, context in
    guard let data, let context else { return Int(CURL_READFUNC_ABORT) }
    return transfer(context).sendBody(into: UnsafeMutableRawBufferPointer(start: data, count: count))
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
