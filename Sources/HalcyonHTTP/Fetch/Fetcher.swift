internal import CCurl
internal import Synchronization

/// Fetches from origins, for any number of callers on one thread of its own.
///
/// `fetch` → ``TransferInbox`` → ``TransferLoop``, where ``TransferScheduler`` decides what may start and
/// ``EasyTransfer`` carries it. A fetcher that is dropped without ``shutDown()`` ends its thread too.
package final class Fetcher: Sendable {
    private let inbox: TransferInbox
    private let thread: TransferThread
    private let published: PublishedStatistics

    private static let libraryCode = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    /// Throws ``FetchError/setup(_:)`` if libcurl does not work or the CA file cannot be read.
    package init(configuration: FetchConfiguration) throws(FetchError) {
        guard Self.libraryCode == CURLE_OK else { throw .setup(Int(Self.libraryCode.rawValue)) }
        let bundle = Handover(try CABundle(adding: configuration.caFile))
        guard let multi = curl_multi_init() else { throw .setup(Int(CURLE_FAILED_INIT.rawValue)) }
        let clock = LoopClock(configuration.clock)
        let inbox = TransferInbox(multi: multi)
        let published = PublishedStatistics(clock: clock)
        let handle = Handover(UInt(bitPattern: multi))
        self.inbox = inbox
        self.published = published
        do {
            thread = try TransferThread {
                guard let multi = handle.take().flatMap(UnsafeMutableRawPointer.init(bitPattern:)) else { return }
                TransferLoop(
                    multi: multi, inbox: inbox, clock: clock, published: published, configuration: configuration,
                    bundle: bundle.take()
                ).run()
                inbox.end()
            }
        } catch {
            curl_multi_cleanup(multi)
            throw error
        }
    }

    deinit {
        inbox.stop()
        thread.join()
    }

    /// Cancelling the task ends the transfer and closes its connection.
    package func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
        let ticket = TransferInbox.Ticket()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let submission = TransferInbox.Submission(
                    request: request, ticket: ticket, continuation: continuation)
                if !inbox.add(.submit(submission)) { continuation.resume(returning: .failure(.shutDown)) }
            }
        } onCancel: {
            // Whichever of the two the thread sees first, it knows: a submission with a cancelled ticket is not begun.
            ticket.isCancelled.store(true, ordering: .releasing)
            _ = inbox.add(.cancel(request.id))
        }
        return try result.get()
    }

    /// Makes a prefetch interactive because somebody now waits for it. Nothing happens if it has ended.
    package func raisePriority(of id: UInt64) {
        _ = inbox.add(.raisePriority(id))
    }

    /// For requests from here on, and for the hops and retries of those under way. The clock stays what it was.
    /// Returns ``FetchError/setup(_:)`` if the CA file cannot be read: the certificates trusted so far then stay, and
    /// everything else is taken over.
    @discardableResult
    package func reconfigure(_ configuration: FetchConfiguration) -> FetchError? {
        do {
            let bundle = try CABundle(adding: configuration.caFile)
            _ = inbox.add(.reconfigure(configuration, Handover(bundle)))
            return nil
        } catch {
            _ = inbox.add(.reconfigure(configuration, nil))
            return error
        }
    }

    /// Ends every request with ``FetchError/shutDown``, closes all connections and waits for the thread.
    package func shutDown() async {
        inbox.stop()
        await inbox.ended()
        thread.join()
    }

    package var statistics: FetchStatistics { published.current }
}
