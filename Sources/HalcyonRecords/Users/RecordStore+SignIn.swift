internal import HalcyonSQLite

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension RecordStore {
    /// Makes an account and signs it in. The first is an admin; the others are viewers.
    ///
    /// - Throws: as ``addUser(email:password:userName:role:now:)``.
    package func signUp(
        email: String, password: String, userName: String, now: Date = Date()
    ) async throws(RecordError) -> SignedIn {
        let draft = try await UserDraft(email: email, password: password, userName: userName, lane: passwordLane)
        let token = NewToken(lifetime: Self.tokenLifetime, now: now)
        return try await write { connection, changes in
            let user = try connection.insertUser(draft, role: nil, now: now, &changes)
            return try connection.insert(token, of: user, now: now, &changes)
        }
    }

    /// - Throws: ``RecordError/notSignedIn``, which takes as long for an unknown account as for a wrong password;
    ///   ``RecordError/busy``.
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
        let token = NewToken(lifetime: Self.tokenLifetime, now: now)
        return try await write { connection, changes in
            // The password may have changed, or the account gone, while it was being checked.
            guard try connection.passwordHash(userID: found.id) == found.hash else { throw RecordError.notSignedIn }
            return try connection.insert(token, of: connection.user(id: found.id), now: now, &changes)
        }
    }

    /// Replaces the password of somebody who knows the old one. All tokens of the account end; the answer holds a new one.
    ///
    /// - Throws: ``RecordError/invalid(field:accepted:)`` with `password` if it is not the present one, with
    ///   `newPassword`; ``RecordError/notFound``; ``RecordError/busy``.
    package func changePassword(
        userID: Int, password: String, newPassword: String, now: Date = Date()
    ) async throws(RecordError) -> SignedIn {
        let accepted = try UserRules.password(newPassword, field: "newPassword")
        let oldHash = try await read { connection in try connection.passwordHash(userID: userID) }
        guard let oldHash else { throw .notFound }
        guard try await passwordLane.verify(password, against: oldHash) else { throw .wrongPassword }
        let newHash = try await passwordLane.hash(accepted)
        let token = NewToken(lifetime: Self.tokenLifetime, now: now)
        return try await write { connection, changes in
            guard try connection.passwordHash(userID: userID) == oldHash else { throw RecordError.wrongPassword }
            try connection.setPasswordHash(newHash, userID: userID, &changes)
            return try connection.insert(token, of: connection.user(id: userID), now: now, &changes)
        }
    }
}

extension RecordError {
    /// Not ``notSignedIn``: whoever asks is signed in, and stays so.
    package static let wrongPassword = RecordError.invalid(field: "password", accepted: "the present password")
}

extension Connection {
    fileprivate func passwordHash(userID: Int) throws(DatabaseError) -> String? {
        try first("SELECT passwordHash FROM users WHERE id = ?", [Value(userID)]) { $0.text(0) }
    }
}
