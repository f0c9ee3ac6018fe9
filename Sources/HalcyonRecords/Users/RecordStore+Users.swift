internal import HalcyonSQLite

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension RecordStore {
    /// - Parameter role: `nil` for admin if this is the first user, else viewer.
    /// - Throws: ``RecordError/invalid(field:accepted:)`` naming `email`, `password` or `userName`;
    ///   ``RecordError/conflict(field:)`` with `email`; ``RecordError/busy``.
    package func addUser(
        email: String, password: String, userName: String, role: UserRole?, now: Date = Date()
    ) async throws(RecordError) -> User {
        let draft = try await UserDraft(email: email, password: password, userName: userName, lane: passwordLane)
        return try await write { connection, changes in
            try connection.insertUser(draft, role: role, now: now, &changes)
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

    /// Changes what is not `nil`. A new role holds at once, for the tokens that are out too.
    ///
    /// - Throws: ``RecordError/notFound``; ``RecordError/lastAdmin``; ``RecordError/invalid(field:accepted:)`` with
    ///   `userName`.
    @discardableResult
    package func updateUser(
        id: Int, role: UserRole? = nil, userName: String? = nil
    ) async throws(RecordError) -> User {
        let name: String? = if let userName { try UserRules.userName(userName) } else { nil }
        return try await write { connection, changes in
            let old = try connection.user(id: id)
            let new = User(id: id, email: old.email, userName: name ?? old.userName, role: role ?? old.role)
            let fields = [("role", new.role != old.role), ("userName", new.userName != old.userName)]
                .filter(\.1).map(\.0)
            guard !fields.isEmpty else { return new }
            try connection.run(
                "UPDATE users SET role = ?, userName = ? WHERE id = ?",
                [.text(new.role.rawValue), .text(new.userName), Value(id)])
            if old.role == .admin { try connection.requireAdmin() }
            changes.append(RecordChange(.users, .changed, record: id, fields: fields))
            return new
        }
    }

    /// Removes the account with its posts and ends its tokens.
    ///
    /// - Throws: ``RecordError/notFound``, ``RecordError/lastAdmin``.
    package func removeUser(id: Int) async throws(RecordError) {
        try await write { connection, changes in
            let old = try connection.user(id: id)
            // The schema removes them with their author; whoever shows them has to be told.
            let posts = try connection.all("SELECT id FROM posts WHERE userID = ?", [Value(id)]) { $0.int(0) }
            changes += posts.map { RecordChange(.posts, .removed, record: $0, scope: "\(id)") }
            try connection.run("DELETE FROM users WHERE id = ?", [Value(id)])
            if old.role == .admin { try connection.requireAdmin() }
            changes.append(RecordChange(.users, .removed, record: id))
        }
    }

    /// Sets a password, whatever the old one was, and ends the tokens given out under it.
    ///
    /// - Throws: ``RecordError/notFound``, ``RecordError/busy``, or ``RecordError/invalid(field:accepted:)`` with
    ///   `password`.
    package func setPassword(_ password: String, userID: Int) async throws(RecordError) {
        let hash = try await passwordLane.hash(try UserRules.password(password))
        try await write { connection, changes in
            _ = try connection.user(id: userID)
            try connection.setPasswordHash(hash, userID: userID, &changes)
        }
    }
}

/// An account that is about to be made: checked, and the password hashed.
struct UserDraft: Sendable {
    let email: String
    let userName: String
    let passwordHash: String

    init(email: String, password: String, userName: String, lane: PasswordLane) async throws(RecordError) {
        self.email = try UserRules.email(email)
        self.userName = try UserRules.userName(userName)
        passwordHash = try await lane.hash(try UserRules.password(password))
    }
}

extension Connection {
    func user(id: Int) throws -> User {
        let user = try first("SELECT \(User.columns) FROM users WHERE id = ?", [Value(id)]) { User($0) }
        guard let user else { throw RecordError.notFound }
        return user
    }

    /// Within a transaction, which is what makes one admin of two first users.
    func insertUser(
        _ draft: UserDraft, role: UserRole?, now: Date, _ changes: inout [RecordChange]
    ) throws -> User {
        let isTaken = try first("SELECT 1 FROM users WHERE email = ?", [.text(draft.email)]) { _ in true }
        guard isTaken == nil else { throw RecordError.conflict(field: "email") }
        let isFirst = try first("SELECT 1 FROM users") { _ in true } == nil
        let role = role ?? (isFirst ? .admin : .viewer)
        try run(
            "INSERT INTO users (email, userName, role, passwordHash, createdAt) VALUES (?, ?, ?, ?, ?)",
            [
                .text(draft.email), .text(draft.userName), .text(role.rawValue), .text(draft.passwordHash),
                Value(now.milliseconds),
            ])
        let user = User(id: lastInsertedRowID, email: draft.email, userName: draft.userName, role: role)
        changes.append(RecordChange(.users, .created, record: user.id))
        return user
    }

    func setPasswordHash(_ hash: String, userID: Int, _ changes: inout [RecordChange]) throws {
        try run("UPDATE users SET passwordHash = ? WHERE id = ?", [.text(hash), Value(userID)])
        try run("DELETE FROM tokens WHERE userID = ?", [Value(userID)])
        changes.append(RecordChange(.users, .changed, record: userID, fields: ["password", "tokens"]))
    }

    /// At the end of a transaction that made an admin fewer; its failure undoes that.
    fileprivate func requireAdmin() throws {
        let admin = try first("SELECT 1 FROM users WHERE role = ?", [.text(UserRole.admin.rawValue)]) { _ in true }
        guard admin != nil else { throw RecordError.lastAdmin }
    }
}
