/// What one answer cost. Times are those of the last transfer, from its start, as curl counts them; `total` is from
/// submission, with queueing, redirects and retries.
package struct TransferMetrics: Sendable, Hashable {
    package var nameLookup: Duration = .zero
    package var connect: Duration = .zero
    /// Zero without TLS.
    package var tls: Duration = .zero
    package var firstByte: Duration = .zero
    package var total: Duration = .zero
    /// Of the body as delivered.
    package var bodyBytes = 0
    package var isReusedConnection = false
    package var redirects = 0
    /// Scheme and host of every URL that redirected, in order.
    package var hops: [String] = []
    /// 1 if nothing was repeated; a resumed transfer is another attempt.
    package var attempts = 0
    /// `1.0`, `1.1`, `2` or `3`.
    package var httpVersion = ""
}
