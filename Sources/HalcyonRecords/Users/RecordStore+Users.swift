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

    /// Makes an account and signs it in. The first is an admin; the others are viewers.
    ///
    /// - Throws: ``RecordError/invalid(field:accepted:)`` naming `email`, `password` or `userName`;
    ///   ``RecordError/conflict(field:)`` with `email`.
    package func signUp(
        email: String, password: String, userName: String, now: Date = Date()
    ) async throws(RecordError) -> SignedIn {
        let user = try await addUser(email: email, password: password, userName: userName, role: nil, now: now)
        return try await issueToken(userID: user.id, now: now)
    }

    /// - Throws: ``RecordError/notSignedIn``, which takes as long for an unknown account as for a wrong password.
    package func signIn(
        email: String, password: String, now: Date = Date()
    ) async throws(RecordError) -> SignedIn {
        let address = StudentRules.trimmed(email).lowercased()
        let found = try await read { connection in
            try connection.first("SELECT id, passwordHash FROM users WHERE email = ?", [.text(address)]) { row in
                (id: row.int(0), hash: row.text(1))
            }
        }
        let isRight = try await passwordLane.verify(password, against: found?.hash)
        guard let found, isRight else { throw .notSignedIn }
        return try await issueToken(userID: found.id, now: now)
    }

    /// The user whom an unexpired token belongs to, `nil` if there is none.
    package func user(token: String, now: Date = Date()) async throws(RecordError) -> User? {
        guard let hash = Self.tokenHash(token) else { return nil }
        return try await read { connection in
            try connection.first(
                "SELECT \(User.columns) FROM tokens JOIN users ON users.id = userID WHERE hash = ? AND expiresAt > ?",
                [.blob(hash), Value(now.milliseconds)]
            ) { User($0) }
        }
    }

    /// The user whom an unexpired token belongs to and when it expires, `nil` if there is none. Takes some microseconds
    /// and blocks the calling thread: for the access check.
    package func userBlocking(
        token: String, now: Date = Date()
    ) throws(RecordError) -> (user: User, expiresAt: Date)? {
        guard let hash = Self.tokenHash(token) else { return nil }
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

    /// A token for a user who has shown by other means who they are, with a lifetime of its own.
    ///
    /// - Throws: ``RecordError/notFound``.
    package func issueToken(
        userID: Int, lifetime: TimeInterval = tokenLifetime, now: Date = Date()
    ) async throws(RecordError) -> SignedIn {
        let token = Base64URL.encode(SecureRandom.bytes(32))
        let hash = Self.tokenHash(token) ?? []
        let expiresAt = now.addingTimeInterval(lifetime)
        return try await write { connection, _ in
            let user = try connection.user(id: userID)
            try connection.run("DELETE FROM tokens WHERE expiresAt <= ?", [Value(now.milliseconds)])
            try connection.run(
                "INSERT INTO tokens (hash, userID, expiresAt) VALUES (?, ?, ?)",
                [.blob(hash), Value(userID), Value(expiresAt.milliseconds)])
            return SignedIn(user: user, token: token, expiresAt: Date(milliseconds: expiresAt.milliseconds))
        }
    }

    /// Ends a token; one that is unknown has ended already.
    package func removeToken(_ token: String) async throws(RecordError) {
        guard let hash = Self.tokenHash(token) else { return }
        try await write { connection, changes in
            guard
                let id = try connection.first(
                    "DELETE FROM tokens WHERE hash = ? RETURNING userID", [.blob(hash)], read: { $0.int(0) })
            else { return }
            changes.append(RecordChange(.users, .changed, record: id, fields: ["tokens"]))
        }
    }

    /// - Parameter role: `nil` for admin if this is the first user, else viewer.
    /// - Throws: as ``signUp(email:password:userName:now:)``.
    package func addUser(
        email: String, password: String, userName: String, role: UserRole?, now: Date = Date()
    ) async throws(RecordError) -> User {
        let address = try UserRules.email(email)
        let name = try UserRules.userName(userName)
        let hash = try await passwordLane.hash(try UserRules.password(password))
        return try await write { connection, changes in
            let isTaken = try connection.first("SELECT 1 FROM users WHERE email = ?", [.text(address)]) { _ in true }
            guard isTaken == nil else { throw RecordError.conflict(field: "email") }
            let isFirst = try connection.first("SELECT 1 FROM users") { _ in true } == nil
            let role = role ?? (isFirst ? .admin : .viewer)
            try connection.run(
                "INSERT INTO users (email, userName, role, passwordHash, createdAt) VALUES (?, ?, ?, ?, ?)",
                [.text(address), .text(name), .text(role.rawValue), .text(hash), Value(now.milliseconds)])
            let id = connection.lastInsertedRowID
            changes.append(RecordChange(.users, .created, record: id))
            return User(id: id, email: address, userName: name, role: role)
        }
    }

    /// In order of their making.
    package func users() async throws(RecordError) -> [User] {
        try await read { connection in
            try connection.all("SELECT \(User.columns) FROM users ORDER BY id") { User($0) }
        }
    }

    /// Takes some microseconds and blocks the calling thread.
    package func hasUsersBlocking() throws(RecordError) -> Bool {
        try readBlocking { connection in try connection.first("SELECT 1 FROM users LIMIT 1") { _ in true } ?? false }
    }

    /// Removes the account and ends its tokens.
    ///
    /// - Throws: ``RecordError/notFound``.
    package func removeUser(id: Int) async throws(RecordError) {
        try await write { connection, changes in
            try connection.run("DELETE FROM users WHERE id = ?", [Value(id)])
            guard connection.changes > 0 else { throw RecordError.notFound }
            changes.append(RecordChange(.users, .removed, record: id))
        }
    }

    /// - Throws: ``RecordError/notFound``.
    package func setRole(_ role: UserRole, userID: Int) async throws(RecordError) {
        try await write { connection, changes in
            try connection.run("UPDATE users SET role = ? WHERE id = ?", [.text(role.rawValue), Value(userID)])
            guard connection.changes > 0 else { throw RecordError.notFound }
            changes.append(RecordChange(.users, .changed, record: userID, fields: ["role"]))
        }
    }

    /// Sets a password and ends the tokens given out under the old one.
    ///
    /// - Throws: ``RecordError/notFound``, or ``RecordError/invalid(field:accepted:)`` with `password`.
    package func setPassword(_ password: String, userID: Int) async throws(RecordError) {
        let hash = try await passwordLane.hash(try UserRules.password(password))
        try await write { connection, changes in
            try connection.run("UPDATE users SET passwordHash = ? WHERE id = ?", [.text(hash), Value(userID)])
            guard connection.changes > 0 else { throw RecordError.notFound }
            try connection.run("DELETE FROM tokens WHERE userID = ?", [Value(userID)])
            changes.append(RecordChange(.users, .changed, record: userID, fields: ["password", "tokens"]))
        }
    }

    /// `nil` for a text that cannot be a token.
    private static func tokenHash(_ token: String) -> [UInt8]? {
        guard let bytes = Base64URL.decode(token), bytes.count == 32 else { return nil }
        return Digest(of: bytes).bytes
    }
}

extension Connection {
    fileprivate func user(id: Int) throws -> User {
        let user = try first("SELECT \(User.columns) FROM users WHERE id = ?", [Value(id)]) { User($0) }
        guard let user else { throw RecordError.notFound }
        return user
    }
}
