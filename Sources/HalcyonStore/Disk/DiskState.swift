/// Whether the disk cache works.
package enum DiskState: Sendable, Hashable {
    case available
    /// Reads miss and stores fail; tried again by itself.
    case unavailable(DiskFailure)
}
