internal import HalcyonCrypto
internal import HalcyonSQLite

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension RecordStore {
    /// How long a token is good for: 30 days.
    package static let tokenLifetime: TimeInterval = 30 * 86_400
    /// Tokens that a user may have at a time; a further one ends the one that would expire first.
    package static let tokensPerUser = 20

    /// The user whom an unexpired token belongs to and when it expires, `nil` if there is none. Takes some microseconds
    /// and blocks the calling thread: for the access check.
    package func userBlocking(
        token: String, now: Date = Date()
    ) throws(RecordError) -> (user: User, expiresAt: Date)? {
        guard let hash = NewToken.digest(token) else { return nil }
        return try readBlocking { connection in
            try connection.first(
                """
                SELECT \(User.columns), expiresAt FROM tokens JOIN users ON users.id = userID
                WHERE hash = ? AND expiresAt > ?
                """,
                [.blob(hash), Value(now.milliseconds)]
            ) { (User($0), Date(milliseconds: $0.int(4))) }
        }
    }

    /// The user whom an unexpired token belongs to, `nil` if there is none.
    package func user(token: String, now: Date = Date()) async throws(RecordError) -> User? {
        guard let hash = NewToken.digest(token) else { return nil }
        return try await read { connection in
            try connection.first(
                "SELECT \(User.columns) FROM tokens JOIN users ON users.id = userID WHERE hash = ? AND expiresAt > ?",
                [.blob(hash), Value(now.milliseconds)]
            ) { User($0) }
        }
    }

    /// A token for a user whom somebody else vouches for, with a lifetime of its own. Entered in the journal, which a
    /// sign-in is not.
    ///
    /// - Throws: ``RecordError/notFound``.
    package func issueToken(
        userID: Int, lifetime: TimeInterval = tokenLifetime, now: Date = Date()
    ) async throws(RecordError) -> SignedIn {
        let token = NewToken(lifetime: lifetime, now: now)
        return try await write { connection, changes in
            let signedIn = try connection.insert(token, of: connection.user(id: userID), now: now, &changes)
            changes = [RecordChange(.users, .changed, record: userID, fields: ["tokens"])]
            return signedIn
        }
    }

    /// Ends a token; one that is unknown has ended already.
    package func removeToken(_ token: String) async throws(RecordError) {
        guard let hash = NewToken.digest(token) else { return }
        try await write { connection, changes in
            let userID = try connection.first(
                "DELETE FROM tokens WHERE hash = ? RETURNING userID", [.blob(hash)]
            ) { $0.int(0) }
            guard let userID else { return }
            changes.append(RecordChange(.users, .changed, record: userID, fields: ["tokens"]))
        }
    }

    /// Ends every token of a user. Answers how many there were.
    ///
    /// - Throws: ``RecordError/notFound``.
    @discardableResult
    package func removeTokens(userID: Int) async throws(RecordError) -> Int {
        try await write { connection, changes in
            _ = try connection.user(id: userID)
            try connection.run("DELETE FROM tokens WHERE userID = ?", [Value(userID)])
            let count = connection.changes
            if count > 0 { changes.append(RecordChange(.users, .changed, record: userID, fields: ["tokens"])) }
            return count
        }
    }
}

/// A token that is about to be given out.
struct NewToken: Sendable {
    /// 32 random bytes as base64url.
    let text: String
    let digest: [UInt8]
    let expiresAt: Date

    init(lifetime: TimeInterval, now: Date) {
        let bytes = SecureRandom.bytes(32)
        text = Base64URL.encode(bytes)
        digest = Digest(of: bytes).bytes
        expiresAt = Date(milliseconds: now.addingTimeInterval(lifetime).milliseconds)
    }

    /// `nil` for a text that cannot be a token.
    static func digest(_ token: String) -> [UInt8]? {
        guard let bytes = Base64URL.decode(token), bytes.count == 32 else { return nil }
        return Digest(of: bytes).bytes
    }
}

extension Connection {
    /// Within a transaction. Tokens that have expired go, and of the user's others those beyond what one may have.
    func insert(_ token: NewToken, of user: User, now: Date, _ changes: inout [RecordChange]) throws -> SignedIn {
        try run("DELETE FROM tokens WHERE expiresAt <= ?", [Value(now.milliseconds)])
        try run(
            """
            DELETE FROM tokens WHERE userID = ?1 AND hash NOT IN
                (SELECT hash FROM tokens WHERE userID = ?1 ORDER BY expiresAt DESC LIMIT ?2)
            """, [Value(user.id), Value(RecordStore.tokensPerUser - 1)])
        if self.changes > 0 { changes.append(RecordChange(.users, .changed, record: user.id, fields: ["tokens"])) }
        try run(
            "INSERT INTO tokens (hash, userID, expiresAt) VALUES (?, ?, ?)",
            [.blob(token.digest), Value(user.id), Value(token.expiresAt.milliseconds)])
        return SignedIn(user: user, token: token.text, expiresAt: token.expiresAt)
    }
}
