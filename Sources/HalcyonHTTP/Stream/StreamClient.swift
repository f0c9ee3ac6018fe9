internal import CCurl
internal import Synchronization

/// Passes requests on to origins and their answers back, of any size in bounded memory: for a proxy, where ``Fetcher`` is
/// for photos. No redirect is followed, nothing is decoded and nothing asked twice.
package final class StreamClient: Sendable {
    private let inbox: StreamInbox
    private let thread: TransferThread

    /// What of `configuration` counts: the policy, the certificates, the connect timeout, proxies and names.
    package init(configuration: FetchConfiguration) throws(FetchError) {
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, let multi = curl_multi_init() else {
            throw .setup(Int(CURLE_FAILED_INIT.rawValue))
        }
        let bundle = Handover(try CABundle(adding: configuration.caFile))
        let inbox = StreamInbox(multi: multi)
        let handle = Handover(UInt(bitPattern: multi))
        self.inbox = inbox
        thread = try TransferThread {
            guard let multi = handle.take().flatMap(UnsafeMutableRawPointer.init(bitPattern:)) else { return }
            StreamLoop(multi: multi, inbox: inbox, configuration: configuration, bundle: bundle.take()).run()
        }
    }

    deinit {
        inbox.stop()
        thread.join()
    }

    /// Returns when the header of the final answer is in. Cancelling the task ends the transfer.
    package func open(_ request: StreamRequest) async throws(FetchError) -> StreamResponse {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if !inbox.add(.open(request, continuation)) { continuation.resume(returning: .failure(.shutDown)) }
                // Of a task that was cancelled before, the word came too early to find anything.
                if Task.isCancelled { inbox.add(.cancel(request.id)) }
            }
        } onCancel: {
            inbox.add(.cancel(request.id))
        }
        return try result.get()
    }

    /// For requests from here on.
    package func reconfigure(_ configuration: FetchConfiguration) {
        inbox.add(.reconfigure(configuration))
    }

    /// Ends every transfer and the thread.
    package func shutDown() {
        inbox.stop()
        thread.join()
    }
}
