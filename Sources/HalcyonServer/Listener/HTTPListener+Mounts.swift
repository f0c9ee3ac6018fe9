internal import CMicroHTTPD
internal import Glibc
internal import HalcyonHTTP

/// Requests to mounts: their bodies go on while they come in.
extension HTTPListener {
    /// How much of a body may wait for the origin.
    private static let bodyCapacity = 64 << 10

    /// A request without a body.
    func pass(
        _ exchange: Exchange, to mount: Mount, _ handle: OpaquePointer, _ method: UnsafePointer<CChar>,
        _ version: UnsafePointer<CChar>?
    ) -> MHD_Result {
        let request = request(exchange, mount, handle, method, version)
        return run(exchange, handle) { [handler] in await handler.answer(to: request) }
    }

    /// Called with the header, before any of the body is read. A client that asks whether to send it is told what the
    /// origin says (RFC 9110 §10.1.1).
    func passBody(
        _ header: HeaderSummary, _ exchange: Exchange, _ mount: Mount, _ handle: OpaquePointer,
        _ method: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>?
    ) -> MHD_Result {
        exchange.pipe = BytePipe(capacity: Self.bodyCapacity)
        var request = request(exchange, mount, handle, method, version)
        request.bodyLength = header.contents.contains(.contentLength) ? Int(clamping: header.contentLength) : nil
        exchange.stage = .passing
        exchange.connection.enter(request.expectsContinue ? .answering : .upload, now: clock())
        let isRunning = pending.begin(exchange) {
            if request.expectsContinue { exchange.suspend(handle, as: .awaitingContinue) }
        } answering: { [handler, request] in
            await handler.answer(to: request)
        }
        return isRunning ? .YES : refuse(handler.answer(to: .shuttingDown), exchange, handle)
    }

    /// The connection waits while the origin takes no more. What is left of a body that the origin does not want is thrown
    /// away, up to a limit, so that the client reads its answer.
    func passPiece(
        _ upload: UnsafePointer<CChar>?, _ uploadSize: UnsafeMutablePointer<Int>, _ exchange: Exchange,
        _ handle: OpaquePointer
    ) -> MHD_Result {
        guard let pipe = exchange.pipe else { return .NO }
        let piece = UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
        let connection = exchange.connection
        connection.enter(.upload, now: clock())
        let paused = PausedConnection(handle: handle)
        let taken = pipe.write(piece) {
            connection.enter(.quiet, now: clock())
            MHD_suspend_connection(handle)
            return { MHD_resume_connection(paused.handle) }
        }
        uploadSize.pointee = piece.count - taken
        guard pipe.isAbandoned else { return .YES }
        exchange.byteCount += taken
        guard exchange.byteCount > configuration.maximumExcessBytes else { return .YES }
        exchange.stage = .answered
        connection.wakeToClose()
        return .NO
    }

    func endBody(of exchange: Exchange, _ handle: OpaquePointer) -> MHD_Result {
        exchange.pipe?.finish()
        exchange.pipe = nil
        exchange.byteCount = 0
        exchange.connection.enter(.answering, now: clock())
        if exchange.suspend(handle) { return .YES }
        return queue(exchange.settledAnswer ?? handler.answer(to: .shuttingDown), exchange, handle)
    }

    func queue(
        _ answer: HTTPAnswer, _ source: any ByteSource, _ length: Int?, _ exchange: Exchange, _ handle: OpaquePointer
    ) -> MHD_Result {
        let reader = SourceReader(source, handle: handle, connection: exchange.connection, clock: clock) {
            [sources] reader in sources.remove(reader)
        }
        sources.add(reader)
        guard let response = answer.prepared(reader, length: length) else { return .NO }
        return MHD_queue_response(handle, UInt32(answer.status), response.pointer)
    }

    /// Guard: the connection cannot go while it is suspended, and is resumed once.
    private struct PausedConnection: @unchecked Sendable {
        let handle: OpaquePointer
    }

    private func request(
        _ exchange: Exchange, _ mount: Mount, _ handle: OpaquePointer, _ method: UnsafePointer<CChar>,
        _ version: UnsafePointer<CChar>?
    ) -> MountRequest {
        let fields = Exchange.fields(of: handle)
        let isHTTP10 = version.map { strcmp($0, "HTTP/1.0") == 0 } ?? true
        let isTLS = configuration.certificatePath != nil
        let expects = !isHTTP10 && exchange.pipe != nil && fields["Expect"]?.lowercased() == "100-continue"
        // A connection that does not wait for this word waits for its answer.
        let proceed: @Sendable () -> Void = { if expects { exchange.proceed() } }
        let sendInterim: (@Sendable ([UInt8]) -> Void)? = { bytes in exchange.sendInterim(bytes) }
        return MountRequest(
            mount: mount, method: String(cString: method), rawTarget: exchange.rawTarget, fields: fields,
            client: Exchange.clientAddress(of: handle), isTLS: isTLS, isHTTP10: isHTTP10, body: exchange.pipe,
            expectsContinue: expects,
            // Under TLS only libmicrohttpd can write.
            sendInterim: isHTTP10 || isTLS ? nil : sendInterim,
            proceed: proceed)
    }
}
