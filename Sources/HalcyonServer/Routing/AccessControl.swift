internal import CMicroHTTPD
internal import Foundation
internal import HalcyonHTTP
internal import HalcyonRecords
internal import Synchronization

/// The one place where access is decided.
///
/// While there are no users, whoever reaches the port may do everything: that is what loopback is for, and beyond loopback
/// `--open` has to say so. Once there are users a route asks for a token of somebody with its role; with `--open` who
/// sends none may do what `staff` may, because the older apps have no tokens to send.
final class AccessControl: Sendable {
    private let records: RecordStore
    private let sessions: SessionTable
    private let isOpen: Bool
    private let isLoopback: Bool
    private let now: @Sendable () -> Date
    /// Rank of the role that needs no token; `closed` if each does.
    private let openRank = Atomic<Int>(closed)
    private static let closed = -1
    private let hasUsers = Atomic<Bool>(false)

    init(records: RecordStore, isOpen: Bool, isLoopback: Bool, now: @escaping @Sendable () -> Date) {
        self.records = records
        self.isOpen = isOpen
        self.isLoopback = isLoopback
        self.now = now
        sessions = SessionTable()
        usersChanged()
    }

    /// Whether the service may listen beyond loopback.
    var mayListenToOthers: Bool { isOpen || hasUsers.load(ordering: .acquiring) }

    /// To be called when accounts, roles or tokens may have changed.
    func usersChanged() {
        sessions.forgetAll()
        do throws(RecordError) {
            let hasUsers = try records.hasUsersBlocking()
            self.hasUsers.store(hasUsers, ordering: .releasing)
            let role: UserRole? = hasUsers ? (isOpen ? .staff : nil) : (isOpen || isLoopback ? .admin : nil)
            openRank.store(role?.rank ?? Self.closed, ordering: .releasing)
        } catch {
            // Whether there are users is not known, so nobody is let in without a token.
            openRank.store(Self.closed, ordering: .releasing)
        }
    }

    // MARK: On the I/O thread

    /// Whether `access` is granted to a request that carries no token.
    @inline(__always)
    func grantsWithoutToken(_ access: Access) -> Bool {
        switch access {
        case .anyone: true
        case .signedIn: false
        case .role(let role): role.rank <= openRank.load(ordering: .acquiring)
        }
    }

    /// Whether the request's token is one that is known already and grants `access`. Asks no database.
    func grantsKnownToken(_ access: Access, _ handle: OpaquePointer) -> Bool {
        guard let token = RequestToken.read(handle), let session = sessions.session(of: token, at: now()) else {
            return false
        }
        return Self.grants(access, session.user.role)
    }

    // MARK: For all other requests

    /// - Returns: who asks; `nil` if nobody is signed in and nobody has to be.
    /// - Throws: 401 for a token that is missing or not valid, 403 for a role that does not suffice.
    func check(_ access: Access, _ fields: HTTPFields) throws(Problem) -> User? {
        let token = RequestToken.read(fields)
        let user = if let token { try user(token) } else { User?.none }
        if let user, Self.grants(access, user.role) { return user }
        if grantsWithoutToken(access) { return user }
        if user != nil { throw Problem(403, .notPermitted, "this is for \(access.label) alone") }
        // An older token gone bad is said to be that, so that an app knows to sign in anew (RFC 6750 §3).
        throw Problem(
            401, .notSignedIn,
            token == nil
                ? "sign in: accepted is Authorization: Bearer and a token"
                : "the token is not valid, or not any more: sign in again",
            fields: [("WWW-Authenticate", token == nil ? "Bearer" : #"Bearer error="invalid_token""#)])
    }

    /// Whether somebody who passed a route's own check may do more.
    func permits(_ access: Access, _ user: User?) -> Bool {
        grantsWithoutToken(access) || user.map { Self.grants(access, $0.role) } ?? false
    }

    private func user(_ token: String) throws(Problem) -> User? {
        let key = SessionTable.Key(token)
        let now = now()
        if let session = sessions.session(of: key, at: now) { return session.user }
        let epoch = sessions.epoch
        do throws(RecordError) {
            guard let found = try records.userBlocking(token: token, now: now) else { return nil }
            sessions.remember(found.user, until: found.expiresAt, key, epoch: epoch)
            return found.user
        } catch {
            throw Problem(error)
        }
    }

    private static func grants(_ access: Access, _ role: UserRole) -> Bool {
        switch access {
        case .anyone, .signedIn: true
        case .role(let needed): role >= needed
        }
    }
}
