internal import Glibc

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Limits and clocks of a ``MemoryCache``.
package struct MemoryCacheConfiguration: Sendable {
    package enum Defaults {
        package static let limitBytes = 256 << 20
        package static let countLimit = Int.max
        package static let expiration = Expiration.defaultMemory
        package static let expirationExtension = ExpirationExtension.cacheTime
        package static let sweepInterval = Duration.seconds(120)
        package static let maximumEntryFraction = 0.1
        package static let shardCount = 16
    }

    /// Bytes of all entries together, each with ``MemoryCache/entryOverheadBytes`` on top. 0 keeps nothing.
    package var limitBytes = Defaults.limitBytes
    package var countLimit = Defaults.countLimit
    package var expiration = Defaults.expiration
    /// Never past the end of the disk copy's freshness.
    package var expirationExtension = Defaults.expirationExtension
    package var sweepInterval = Defaults.sweepInterval
    /// An entry above this share of ``limitBytes`` is refused.
    package var maximumEntryFraction = Defaults.maximumEntryFraction
    /// Parts with a lock each; rounded up to a power of two, 1…256.
    package var shardCount = Defaults.shardCount
    package var wallClock: @Sendable () -> Date = Self.coarseWallClock
    /// Nanoseconds that no clock setting moves.
    package var monotonicClock: @Sendable () -> UInt64 = Self.coarseMonotonicClock

    package init() {}

    // The coarse clocks tick every few milliseconds and cost a quarter of the exact ones, which is felt on a hit.
    package static let coarseWallClock: @Sendable () -> Date = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9)
    }

    package static let coarseMonotonicClock: @Sendable () -> UInt64 = {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
