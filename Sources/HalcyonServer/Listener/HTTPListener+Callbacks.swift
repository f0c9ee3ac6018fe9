internal import CMicroHTTPD
internal import Glibc
internal import HalcyonHTTP
internal import Synchronization

/// What libmicrohttpd calls, on its I/O threads. In the order of a request: connection, target, handle (once with the
/// header, then with each piece of the body, then with the whole request), completed.
extension HTTPListener {
    func makeCallbacks() -> UnsafeMutablePointer<halcyon_mhd_callbacks> {
        let callbacks = UnsafeMutablePointer<halcyon_mhd_callbacks>.allocate(capacity: 1)
        callbacks.initialize(to: halcyon_mhd_callbacks())
        // The listener outlives its daemon: `stop` joins the threads.
        callbacks.pointee.context = Unmanaged.passUnretained(self).toOpaque()
        callbacks.pointee.connection = { context, handle, slot, code in
            guard let context, let handle, let slot else { return }
            HTTPListener.from(context).connectionChanged(handle, slot, hasStarted: code == .CONNECTION_NOTIFY_STARTED)
        }
        callbacks.pointee.target = { context, raw, handle in
            guard let context, let handle else { return nil }
            return HTTPListener.from(context).requestLineArrived(raw, handle)
        }
        callbacks.pointee.handle = { context, handle, _, method, version, upload, uploadSize, slot in
            guard let context, let handle, let method, let uploadSize, let exchange = slot?.pointee else { return .NO }
            return HTTPListener.from(context).handle(
                handle, method, version, upload, uploadSize,
                Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue())
        }
        callbacks.pointee.completed = { context, _, slot, code in
            guard let context, let slot, let exchange = slot.pointee else { return }
            slot.pointee = nil
            HTTPListener.from(context).completed(
                Unmanaged<Exchange>.fromOpaque(exchange).takeRetainedValue(),
                isComplete: code == .REQUEST_TERMINATED_COMPLETED_OK)
        }
        callbacks.pointee.message = { context, text in
            guard let context, let text else { return }
            HTTPListener.from(context).log(text)
        }
        return callbacks
    }

    private static func from(_ context: UnsafeMutableRawPointer) -> HTTPListener {
        Unmanaged<HTTPListener>.fromOpaque(context).takeUnretainedValue()
    }

    private func connectionChanged(
        _ handle: OpaquePointer, _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>, hasStarted: Bool
    ) {
        if hasStarted {
            let connection = connections.add(socket: halcyon_mhd_socket(handle), now: clock())
            slot.pointee = Unmanaged.passRetained(connection).toOpaque()
            counters.openConnections.add(1, ordering: .relaxed)
        } else if let context = slot.pointee {
            slot.pointee = nil
            counters.openConnections.subtract(1, ordering: .relaxed)
            let connection = Unmanaged<ClientConnection>.fromOpaque(context).takeRetainedValue()
            connections.remove(connection)
            let socket = connection.lingering.load(ordering: .relaxed)
            if socket >= 0 { lingering.drain(socket) }
        }
    }

    private func requestLineArrived(_ raw: UnsafePointer<CChar>?, _ handle: OpaquePointer) -> UnsafeMutableRawPointer? {
        guard let context = halcyon_mhd_socket_context(handle) else { return nil }
        let connection = Unmanaged<ClientConnection>.fromOpaque(context).takeUnretainedValue()
        connection.enter(.header, now: clock())
        let target = UnsafeRawBufferPointer(start: raw, count: raw.map(strlen) ?? 0)
        let exchange =
            if let known = handler.knownTarget(target) {
                Exchange(connection: connection, known: known, startedAt: handler.startOfMeasurement)
            } else {
                Exchange(connection: connection, rawTarget: Array(target), startedAt: handler.startOfMeasurement)
            }
        counters.runningRequests.add(1, ordering: .relaxed)
        return Unmanaged.passRetained(exchange).toOpaque()
    }

    private func handle(
        _ handle: OpaquePointer, _ method: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>?,
        _ upload: UnsafePointer<CChar>?, _ uploadSize: UnsafeMutablePointer<Int>, _ exchange: Exchange
    ) -> MHD_Result {
        switch exchange.stage {
        case .received:
            let header = exchange.begin(handle, method: method)
            exchange.header = header.contents
            if let refusal = refusal(of: header, isHTTP11: version.map { strcmp($0, "HTTP/1.0") != 0 } ?? false) {
                let answer = handler.answer(to: refusal)
                return header.contents.announcesBody
                    ? refuse(answer, exchange, handle) : queue(answer, exchange, handle)
            }
            if let mount = handler.mount(for: exchange) {
                exchange.mount = mount
                return header.contents.announcesBody ? passBody(header, exchange, mount, handle, method, version) : .YES
            }
            return header.contents.announcesBody ? admitBody(header, exchange, handle, method) : .YES
        case .reading where uploadSize.pointee > 0:
            return take(upload, uploadSize, exchange)
        case .reading:
            exchange.connection.enter(.answering, now: clock())
            if let response = handler.immediateAnswer(exchange, handle: handle) {
                exchange.stage = .answered
                return MHD_queue_response(handle, UInt32(exchange.status), response.pointer)
            }
            if let mount = exchange.mount { return pass(exchange, to: mount, handle, method, version) }
            guard let request = exchange.request(handle, method: method) else {
                return queue(handler.answer(to: .badTarget), exchange, handle)
            }
            return run(exchange, handle) { [handler] in await handler.answer(to: request) }
        case .awaitingContinue:
            if let answer = exchange.settledAnswer { return refuse(answer, exchange, handle) }
            exchange.stage = .passing
            return .YES
        case .passing where uploadSize.pointee > 0:
            return passPiece(upload, uploadSize, exchange, handle)
        case .passing:
            return endBody(of: exchange, handle)
        case .suspended:
            return queue(exchange.settledAnswer ?? handler.answer(to: .shuttingDown), exchange, handle)
        case .answered:
            return .NO
        }
    }

    private func refusal(of header: HeaderSummary, isHTTP11: Bool) -> RequestRefusal? {
        if header.byteCount > configuration.maximumHeaderBytes { return .headerTooLarge }
        if header.contents.contains(.ambiguous) || header.hosts > 1 { return .ambiguous }
        if header.hosts == 0 && isHTTP11 { return .hostMissing }
        return nil
    }

    /// Asks what becomes of the body, before any of it is read and before a client that waits for it is told to go on.
    private func admitBody(
        _ header: HeaderSummary, _ exchange: Exchange, _ handle: OpaquePointer, _ method: UnsafePointer<CChar>
    ) -> MHD_Result {
        switch handler.admission(exchange, handle: handle, method: String(cString: method)) {
        case .refuse(let answer): return refuse(answer, exchange, handle)
        case .take(.memory(let limit), let envelope):
            exchange.envelope = envelope
            exchange.bodyLimit = limit ?? configuration.maximumBodyBytes
            guard header.contentLength <= UInt64(exchange.bodyLimit) else {
                return refuse(handler.answer(to: .bodyTooLarge, in: envelope), exchange, handle)
            }
            exchange.connection.enter(.body, now: clock())
            return .YES
        case .take(.file(let limit), let envelope):
            exchange.envelope = envelope
            guard let place = uploads.place() else {
                return refuse(handler.answer(to: .tooManyUploads, in: envelope), exchange, handle)
            }
            let receiver = UploadReceiver(
                handle, contentType: Exchange.fields(of: handle)["Content-Type"], limit: limit, in: uploads, place)
            guard header.contentLength <= UInt64(receiver.limit) else {
                return refuse(handler.answer(to: .bodyTooLarge, in: envelope), exchange, handle)
            }
            exchange.upload = receiver
            exchange.uploadBegan = clock()
            exchange.connection.enter(.upload, now: exchange.uploadBegan)
            return .YES
        }
    }

    /// Queued before the body is read: libmicrohttpd then closes the connection, so that what follows cannot be taken for
    /// a request. The client may be sending all the same, so the socket is kept for a while.
    func refuse(_ answer: HTTPAnswer, _ exchange: Exchange, _ handle: OpaquePointer) -> MHD_Result {
        hold(exchange.connection)
        return queue(answer, exchange, handle)
    }

    private func hold(_ connection: ClientConnection) {
        if let socket = lingering.hold(connection.socket) { connection.lingering.store(socket, ordering: .relaxed) }
    }

    /// Of a body without a length announced, what exceeds the limit is read and not kept for a while, so that the answer
    /// comes when the body has ended; one that goes on beyond that is answered in the middle.
    private func take(
        _ upload: UnsafePointer<CChar>?, _ uploadSize: UnsafeMutablePointer<Int>, _ exchange: Exchange
    ) -> MHD_Result {
        let piece = UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
        uploadSize.pointee = 0
        exchange.byteCount += piece.count
        let limit = exchange.upload?.limit ?? exchange.bodyLimit
        if let upload = exchange.upload {
            upload.take(piece)
            // What is thrown away buys no time.
            let bonus = min(exchange.byteCount, limit) / max(1, configuration.uploadBytesPerSecond)
            exchange.connection.enter(.upload, now: exchange.uploadBegan + bonus)
        } else if exchange.byteCount > limit {
            exchange.bodyFault = .tooLarge
            exchange.body = []
        } else {
            exchange.body.append(contentsOf: piece)
        }
        guard exchange.byteCount > limit + configuration.maximumExcessBytes else { return .YES }
        refuseRest(of: exchange)
        return .NO
    }

    /// libmicrohttpd takes no answer in the middle of a body: this one is written past it, and the connection ends. Under TLS
    /// only libmicrohttpd can write, so there the client sees the end alone.
    private func refuseRest(of exchange: Exchange) {
        let answer = handler.answer(to: .bodyTooLarge, in: exchange.envelope)
        exchange.stage = .answered
        note(answer, exchange)
        if configuration.certificatePath == nil, let bytes = answer.closingBytes {
            hold(exchange.connection)
            // Nothing else is on its way to the client, so that all of it fits in the socket's buffer.
            _ = bytes.withUnsafeBytes {
                send(
                    exchange.connection.socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
        }
        exchange.connection.wakeToClose()
    }

    /// Suspends the connection and makes the answer in a task.
    func run(
        _ exchange: Exchange, _ handle: OpaquePointer, answering answer: @escaping @Sendable () async -> HTTPAnswer
    ) -> MHD_Result {
        let isRunning = pending.begin(exchange, { exchange.suspend(handle) }, answering: answer)
        return isRunning ? .YES : queue(handler.answer(to: .shuttingDown), exchange, handle)
    }

    func queue(_ answer: HTTPAnswer, _ exchange: Exchange, _ handle: OpaquePointer) -> MHD_Result {
        exchange.stage = .answered
        note(answer, exchange)
        switch answer.body {
        case .stream(let stream): return queue(answer, stream, exchange, handle)
        case .source(let source, let length): return queue(answer, source, length, exchange, handle)
        case .bytes, .entry, .omitted: break
        }
        guard let response = answer.prepared ?? handler.answer(to: .outOfMemory).prepared else { return .NO }
        return MHD_queue_response(handle, UInt32(answer.status), response.pointer)
    }

    private func note(_ answer: HTTPAnswer, _ exchange: Exchange) {
        exchange.status = answer.status
        exchange.byteCount = answer.byteCount
        exchange.route = answer.route
        exchange.source = answer.source
    }

    private func queue(
        _ answer: HTTPAnswer, _ stream: ResponseStream, _ exchange: Exchange, _ handle: OpaquePointer
    ) -> MHD_Result {
        counters.openStreams.add(1, ordering: .relaxed)
        let reader = StreamReader(stream, handle: handle, connection: exchange.connection, clock: clock) {
            [streams, counters] stream in
            streams.remove(stream)
            counters.openStreams.subtract(1, ordering: .relaxed)
        }
        streams.add(stream)
        guard let response = answer.prepared(reader, isHead: exchange.method == .head) else { return .NO }
        return MHD_queue_response(handle, UInt32(answer.status), response.pointer)
    }

    private func completed(_ exchange: Exchange, isComplete: Bool) {
        exchange.connection.enter(.idle, now: clock())
        counters.runningRequests.subtract(1, ordering: .releasing)
        // The connection ended before it could be resumed.
        if exchange.stage != .answered { exchange.settledAnswer?.discard() }
        exchange.pipe?.fail(.cancelled)
        handler.finished(exchange, isComplete: isComplete)
    }
}
