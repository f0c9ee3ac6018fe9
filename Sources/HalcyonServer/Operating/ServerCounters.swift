internal import Synchronization

/// What the listener and the site count, made before either so that the metrics route can read it.
final class ServerCounters: Sendable {
    let requests = RequestMetrics()
    let openConnections = Atomic<Int>(0)
    /// Requests that are in but whose answer has not left.
    let runningRequests = Atomic<Int>(0)
    /// Connections shut down because they were slower than the limits allow.
    let overdueConnections = Atomic<Int>(0)
    /// Answers that are sent as they are written.
    let openStreams = Atomic<Int>(0)
    /// Of all streams together.
    let sentEvents = Atomic<Int>(0)
    /// Streams that were ended because their clients did not read what they were sent.
    let slowReaders = Atomic<Int>(0)
}
