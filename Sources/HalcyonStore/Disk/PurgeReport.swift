/// What a purge or a sweep removed, or would have.
package struct PurgeReport: Sendable, Hashable {
    package var count = 0
    /// Bytes on disk.
    package var bytes = 0
    /// Up to ten of the keys.
    package var sample: [CacheKey] = []

    static let sampleLimit = 10

    package init(count: Int = 0, bytes: Int = 0, sample: [CacheKey] = []) {
        self.count = count
        self.bytes = bytes
        self.sample = sample
    }

    static func += (left: inout Self, right: Self) {
        left.count += right.count
        left.bytes += right.bytes
        left.sample += right.sample.prefix(max(0, sampleLimit - left.sample.count))
    }
}
