internal import CCurl

/// Runs streams on the thread that it is made on, until the inbox says stop. Nothing here is touched by another thread.
final class StreamLoop {
    static let maximumOpen = 1024
    /// How long an origin may be silent while it is its turn.
    static let idleLimit: Duration = .seconds(60)

    private let multi: UnsafeMutableRawPointer
    private let inbox: StreamInbox
    private var configuration: FetchConfiguration
    private let bundle: CABundle?
    private var resolve: UnsafeMutablePointer<curl_slist>?
    private var transfers: [UInt64: StreamTransfer] = [:]
    /// Set up, without a request.
    private var spare: [StreamTransfer] = []
    private var lastCheck = ContinuousClock.now

    init(
        multi: UnsafeMutableRawPointer, inbox: StreamInbox, configuration: FetchConfiguration, bundle: CABundle?
    ) {
        self.multi = multi
        self.inbox = inbox
        self.configuration = configuration
        self.bundle = bundle
        for entry in configuration.resolve { resolve = curl_slist_append(resolve, entry) }
        halcyon_curl_multi_setopt_long(multi, CURLMOPT_MAXCONNECTS, 256)
    }

    func run() {
        while true {
            let (commands, isStopping) = inbox.take()
            for command in commands { perform(command, isStopping: isStopping) }
            if isStopping { break }
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            collect()
            giveUpSilentOnes()
            curl_multi_poll(multi, nil, 0, transfers.isEmpty ? 60_000 : 1_000, nil)
        }
        for transfer in Array(transfers.values) { end(transfer, .failure(.shutDown)) }
        spare = []
        inbox.detach()
        curl_multi_cleanup(multi)
        curl_slist_free_all(resolve)
    }

    private func perform(_ command: StreamInbox.Command, isStopping: Bool) {
        switch command {
        case .open(let request, let continuation):
            if isStopping { return continuation.resume(returning: .failure(.shutDown)) }
            let result = Result { () throws(FetchError) in try start(request, continuation) }
            if case .failure(let error) = result { continuation.resume(returning: .failure(error)) }
        case .cancel(let id):
            if let transfer = transfers[id] { end(transfer, .failure(.cancelled)) }
        case .resume(let id): transfers[id]?.resume()
        case .reconfigure(let configuration):
            self.configuration = configuration
            spare = []
        }
    }

    private func start(
        _ request: StreamRequest, _ continuation: CheckedContinuation<Result<StreamResponse, FetchError>, Never>
    ) throws(FetchError) {
        guard transfers.count < Self.maximumOpen else { throw .queueFull }
        let ranges = try configuration.policy.check(request.origin, isRedirect: false)
        let transfer: StreamTransfer
        if let kept = spare.popLast() {
            transfer = kept
        } else {
            transfer = try StreamTransfer(configuration: configuration, bundle: bundle, resolve: resolve)
        }
        try transfer.begin(request, ranges: ranges, inbox: inbox)
        let code = curl_multi_add_handle(multi, transfer.handle)
        if code != CURLM_OK { throw .setup(Int(code.rawValue)) }
        transfer.continuation = continuation
        transfers[request.id] = transfer
    }

    private func collect() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE else { continue }
            let code = halcyon_curl_message_result(message)
            var context: UnsafeMutableRawPointer?
            halcyon_curl_getinfo_pointer(message.pointee.easy_handle, CURLINFO_PRIVATE, &context)
            guard let context else { continue }
            let transfer = Unmanaged<StreamTransfer>.fromOpaque(context).takeUnretainedValue()
            end(transfer, transfer.outcome(code))
        }
    }

    private func end(_ transfer: StreamTransfer, _ outcome: Result<Void, FetchError>) {
        curl_multi_remove_handle(multi, transfer.handle)
        transfers[transfer.id] = nil
        transfer.end(outcome)
        if spare.count < 64 { spare.append(transfer) }
    }

    private func giveUpSilentOnes() {
        let now = ContinuousClock.now
        guard now - lastCheck >= .seconds(1) else { return }
        lastCheck = now
        for transfer in Array(transfers.values) where transfer.isSilent(now, for: Self.idleLimit) {
            end(transfer, .failure(.timeout(phase: transfer.head.isComplete ? .lowSpeed : .total)))
        }
    }
}
