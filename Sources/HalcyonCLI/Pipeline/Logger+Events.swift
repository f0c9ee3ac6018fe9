internal import Halcyon
internal import HalcyonServer

extension Logger {
    /// An event of the pipeline as a line. Fetches are for debugging, their failures for everyone.
    func log(_ event: ImagePipeline.Event) {
        switch event {
        case .fetched(let transfer):
            log(
                .debug, "fetched",
                [
                    "host": .text(transfer.host), "status": .number(transfer.status),
                    "bytes": .number(transfer.bodyBytes), "ms": .number(transfer.total.milliseconds),
                    "attempts": .number(transfer.attempts), "redirects": .number(transfer.redirects),
                    "reused": .flag(transfer.isReusedConnection),
                ])
        case .failed(let host, let reason):
            log(.warning, "fetch failed", ["host": .text(host), "reason": .text(reason.rawValue)])
        case .servedStale(let host, let reason):
            log(.info, "served stale", ["host": .text(host), "reason": .text(reason.rawValue)])
        case .storage(let event):
            log(event.isFault ? .warning : .info, "storage", ["what": .text(event.description)])
        }
    }
}
