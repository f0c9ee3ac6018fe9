/// What a ``DiskCache`` holds, and what it has done since it was made.
package struct DiskStatistics: Sendable, Hashable {
    package struct Share: Sendable, Hashable {
        package var name: String
        package var count: Int
        package var bytes: Int
    }

    /// Entries by the time that is left to them.
    package struct Expiries: Sendable, Hashable {
        package var expired = 0
        package var withinHour = 0
        package var withinDay = 0
        package var withinWeek = 0
        package var later = 0
        package var never = 0
    }

    package struct Counters: Sendable, Hashable {
        package var hits = 0
        package var misses = 0
        package var stores = 0
        package var superseded = 0
        package var failedStores = 0
        package var damagedEntries = 0
        package var evictions = 0
        package var evictedBytes = 0
        package var expirations = 0
        package var orphansRemoved = 0
    }

    package var state: DiskState = .unavailable(.unavailable)
    package var count = 0
    /// Sum of the object files' sizes.
    package var bytes = 0
    package var limitBytes = 0
    package var failures = 0
    package var hosts: [Share] = []
    /// By tag, for tags that begin with `class:`.
    package var classes: [Share] = []
    /// By tag, for tags that begin with `mount:`.
    package var mounts: [Share] = []
    package var expiries = Expiries()
    package var counters = Counters()

    package init() {}
}
