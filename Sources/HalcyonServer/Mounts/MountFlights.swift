internal import Foundation
internal import HalcyonHTTP
internal import HalcyonStore
internal import Synchronization

/// Requests under way whose answers others wait for, and keys whose answers lately were of no use to others.
final class MountFlights: Sendable {
    enum Outcome: Sendable {
        /// Look again: there may be something for you.
        case stored
        /// Not to be shared: go and ask for yourself.
        case unshareable
        case failed(FetchError)
    }

    enum Place: Sendable {
        /// You are the one who asks; tell ``MountFlights/land(_:_:)`` what came of it.
        case leader
        case follower(Outcome)
    }

    private struct State {
        var waiting: [CacheKey: [CheckedContinuation<Outcome?, Never>]] = [:]
        var unshareable: [CacheKey: Date] = [:]
        /// The latest invalidations, numbered from `invalidations - recent.count`.
        var recent: [CacheKey] = []
        var invalidations = 0
    }

    private static let memory: TimeInterval = 60
    private static let maximumMarks = 10_000
    private static let maximumRecent = 256
    private let state = Mutex(State())

    /// Takes part in the flight of the key, or begins one.
    func join(_ key: CacheKey) async -> Place {
        let outcome: Outcome? = await withCheckedContinuation { continuation in
            let isLeader = state.withLock { state in
                guard state.waiting[key] != nil else {
                    state.waiting[key] = []
                    return true
                }
                state.waiting[key]?.append(continuation)
                return false
            }
            if isLeader { continuation.resume(returning: nil) }
        }
        return outcome.map { .follower($0) } ?? .leader
    }

    /// How many wait for what somebody else asked for.
    var followerCount: Int { state.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } } }

    /// Begins a flight that others may wait for, if there is none.
    func begin(_ key: CacheKey) -> Bool {
        state.withLock { state in
            guard state.waiting[key] == nil else { return false }
            state.waiting[key] = []
            return true
        }
    }

    /// Ends the flight. Only the first call for a flight counts.
    func land(_ key: CacheKey, _ outcome: Outcome) {
        let waiters = state.withLock { $0.waiting.removeValue(forKey: key) ?? [] }
        for waiter in waiters { waiter.resume(returning: outcome) }
    }

    /// For a while nobody waits for another's answer to this key.
    func markUnshareable(_ key: CacheKey, now: Date) {
        state.withLock { state in
            if state.unshareable.count >= Self.maximumMarks {
                state.unshareable = state.unshareable.filter { $0.value > now }
            }
            guard state.unshareable.count < Self.maximumMarks else { return }
            state.unshareable[key] = now + Self.memory
        }
    }

    func isUnshareable(_ key: CacheKey, now: Date) -> Bool {
        state.withLock { state in
            guard let until = state.unshareable[key] else { return false }
            if until > now { return true }
            state.unshareable[key] = nil
            return false
        }
    }

    // MARK: Invalidation

    /// To be taken before a request goes out.
    var invalidations: Int { state.withLock { $0.invalidations } }

    /// What was asked for before and comes from now on is not to be stored under the key.
    func noteInvalidation(_ key: CacheKey) {
        state.withLock { state in
            state.invalidations += 1
            state.recent.append(key)
            if state.recent.count > Self.maximumRecent { state.recent.removeFirst() }
        }
    }

    /// Whether the key has been made invalid since, or may have been.
    func isOutdated(_ key: CacheKey, since number: Int) -> Bool {
        state.withLock { state in
            let new = state.invalidations - number
            guard new > 0 else { return false }
            return new > state.recent.count || state.recent.suffix(new).contains { $0.isOfSamePhoto(as: key) }
        }
    }
}
