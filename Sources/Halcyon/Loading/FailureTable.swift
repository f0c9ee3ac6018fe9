internal import Foundation
internal import HalcyonStore
internal import Synchronization

/// The failures of the last minutes, so that an image that cannot be had is not asked for by every request. Bounded; the
/// disk cache keeps the same records across restarts.
final class FailureTable: Sendable {
    private static let limit = 10_000

    private let records = Mutex<[CacheKey: FailureRecord]>([:])

    func record(for key: CacheKey, now: Date) -> FailureRecord? {
        records.withLock { $0[key] }.flatMap { $0.until > now ? $0 : nil }
    }

    func note(_ record: FailureRecord, for key: CacheKey) {
        records.withLock { records in
            if records.count >= Self.limit, records[key] == nil {
                records = records.filter { $0.value.until > record.until.addingTimeInterval(-1) }
                // Everything is recent: forgetting costs one request each, growing without end costs the process.
                if records.count >= Self.limit { records.removeAll() }
            }
            records[key] = record
        }
    }

    /// Remembers a failure for its own short time and returns the record, or `nil` for one that says nothing about the
    /// image. A first 404 is kept for half the maximum, since photos are often uploaded a moment later; an origin that
    /// cannot be reached for a sixth.
    func recordFailure(
        _ failure: ImagePipeline.Error, for key: CacheKey, maximum: TimeInterval, now: Date
    ) -> FailureRecord? {
        let kind: FailureRecord.Kind
        switch failure.kind {
        case .missing: kind = .missing
        case .unavailable, .timeout, .refused: kind = .unavailable
        case .invalid, .notCached, .overloaded, .cancelled: return nil
        }
        guard maximum > 0, failure.reason != .breakerOpen else { return nil }
        let count = (records.withLock { $0[key]?.count } ?? 0) + 1
        var period = kind == .missing ? (count == 1 ? maximum / 2 : maximum) : maximum / 6
        if let retryAfter = failure.retryAfter { period = min(maximum, max(period, retryAfter.seconds)) }
        let record = FailureRecord(
            kind: kind, reason: failure.reason.rawValue, count: count, until: now.addingTimeInterval(period))
        note(record, for: key)
        return record
    }

    func clear(_ key: CacheKey) { records.withLock { $0[key] = nil } }

    func removeAll() { records.withLock { $0.removeAll() } }

    var count: Int { records.withLock { $0.count } }
}

extension Duration {
    var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
