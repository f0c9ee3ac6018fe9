/// What became of a store.
package enum StoreOutcome: Sendable, Hashable {
    case stored
    /// A purge that covers the entry came after the fetch had begun.
    case superseded
    /// The disk did not take it. Counted, and reported as a ``StoreEvent``.
    case failed(DiskFailure)
    /// Larger than the whole cache may be.
    case tooLarge
}
