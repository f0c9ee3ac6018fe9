internal import HalcyonSQLite

/// Somebody who can sign in.
package struct User: Sendable, Hashable {
    package let id: Int
    /// In lower case; one account each.
    package let email: String
    package let userName: String
    package let role: UserRole

    static let columns = "users.id, users.email, users.userName, users.role"

    init(id: Int, email: String, userName: String, role: UserRole) {
        self.id = id
        self.email = email
        self.userName = userName
        self.role = role
    }

    /// A row of ``columns``.
    init(_ row: borrowing Row) {
        id = row.int(0)
        email = row.text(1)
        userName = row.text(2)
        // The schema admits no other role; should it one day, the least.
        role = UserRole(rawValue: row.text(3)) ?? .viewer
    }
}
