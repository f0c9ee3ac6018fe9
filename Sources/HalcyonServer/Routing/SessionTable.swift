internal import Foundation
internal import HalcyonCrypto
internal import HalcyonRecords
internal import Synchronization

/// Who the tokens in use belong to, so that not each request asks the database. Holds digests, no tokens. Bounded.
final class SessionTable: Sendable {
    struct Key: Hashable, Sendable {
        private let digest: Digest

        init(_ token: String) { digest = Digest(of: Array(token.utf8)) }
    }

    struct Session: Sendable {
        let user: User
        let expiresAt: Date
    }

    private struct State {
        var sessions: [Key: Session] = [:]
        var epoch = 0
    }

    static let maximumCount = 10_000

    private let state = Mutex(State())

    /// Goes up when everything is forgotten: what was read before does not come in after it.
    var epoch: Int { state.withLock { $0.epoch } }

    func session(of key: Key, at now: Date) -> Session? {
        guard let session = state.withLock({ $0.sessions[key] }), now < session.expiresAt else { return nil }
        return session
    }

    func remember(_ user: User, until expiresAt: Date, _ key: Key, epoch: Int) {
        state.withLock { state in
            guard state.epoch == epoch else { return }
            if state.sessions.count >= Self.maximumCount { state.sessions = [:] }
            state.sessions[key] = Session(user: user, expiresAt: expiresAt)
        }
    }

    func forgetAll() {
        state.withLock { state in
            state.sessions = [:]
            state.epoch += 1
        }
    }
}
