internal import Foundation
internal import HalcyonStore
internal import Synchronization

/// Keys whose last answer was for its caller alone, so that the next callers ask in parallel instead of first waiting for
/// a flight whose result they may not have.
final class UnshareableMarks: Sendable {
    private static let limit = 4_096
    private static let lifetime: TimeInterval = 60

    private let marks = Mutex<[CacheKey: Date]>([:])

    func mark(_ key: CacheKey, now: Date) {
        marks.withLock { marks in
            if marks.count >= Self.limit { marks.removeAll() }
            marks[key] = now.addingTimeInterval(Self.lifetime)
        }
    }

    func contains(_ key: CacheKey, now: Date) -> Bool {
        marks.withLock { marks in
            guard !marks.isEmpty, let until = marks[key] else { return false }
            return until > now
        }
    }
}
