#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Place, limits and clocks of a ``DiskCache``.
package struct DiskCacheConfiguration: Sendable {
    package enum Defaults {
        package static let folder = "cache"
        package static let limitBytes = 2 << 30
        package static let lowWater = 0.8
        package static let sweepInterval = Duration.seconds(120)
        package static let readLanes = 2
        package static let writeLanes = 2
        package static let retryInterval = Duration.seconds(5)
        package static let orphanSweepInterval = Duration.seconds(86_400)
        package static let maximumFailures = 10_000
    }

    /// Created with mode 0700 if it is not there. A folder that is there keeps its mode.
    package var folder: String
    /// Sum of the object files' sizes; the index comes on top.
    package var limitBytes = Defaults.limitBytes
    /// A trim goes down to this share of ``limitBytes``.
    package var lowWater = Defaults.lowWater
    package var sweepInterval = Defaults.sweepInterval
    package var readLanes = Defaults.readLanes
    package var writeLanes = Defaults.writeLanes
    /// After a failure the disk is left alone for this long.
    package var retryInterval = Defaults.retryInterval
    /// How often files without a row are looked for. Also done after a process did not close the cache.
    package var orphanSweepInterval = Defaults.orphanSweepInterval
    /// Remembered failures; the ones that end first go first.
    package var maximumFailures = Defaults.maximumFailures
    package var wallClock: @Sendable () -> Date = { Date() }
    /// Called from any thread, never under a lock.
    package var onEvent: @Sendable (StoreEvent) -> Void = { _ in }

    package init(folder: String = Defaults.folder) { self.folder = folder }
}
