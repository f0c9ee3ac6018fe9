internal import HalcyonSQLite

/// What can go wrong with a record. Descriptions name fields and what is accepted, never the values given.
package enum RecordError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no such record, or it has been deleted.
    case notFound
    /// Another record has this already: `id`, `number` (the seat of grade, class and number) or `email`.
    case conflict(field: String)
    /// The value of `field` is not acceptable.
    case invalid(field: String, accepted: String)
    /// Sign-in failed. Does not say whether the account exists.
    case notSignedIn
    /// The record is somebody else's.
    case notPermitted
    /// The only admin can be neither removed nor given another role: nobody could undo it.
    case lastAdmin
    /// Too many passwords are being checked already.
    case busy
    /// A roster that cannot be read at all; the text says where and why.
    case roster(String)
    /// What was asked is not done; the text says why.
    case refused(String)
    /// The database failed: SQLite's extended result code and its message, which holds no values.
    case database(code: Int32, message: String)

    package var description: String {
        switch self {
        case .notFound: "there is no such record"
        case .conflict(field: "number"): "number: this seat (grade, class, number) is taken by another student"
        case .conflict(field: "status"): "status: this guidance is valid already"
        case .conflict(let field): "\(field): this \(field) is taken already"
        case .invalid(let field, let accepted): "\(field): accepted is \(accepted)"
        case .notSignedIn: "the email or the password is wrong"
        case .notPermitted: "this belongs to somebody else"
        case .lastAdmin: "this is the last admin: make somebody else an admin first"
        case .busy: "too many people are signing in: try again in a moment"
        case .roster(let text), .refused(let text): text
        case .database(let code, _) where code & 0xFF == 13:
            "the disk that holds the records is full (SQLite \(code))"
        case .database(let code, let message): "the database failed (SQLite \(code)): \(message)"
        }
    }

    /// Whatever came out of a transaction, as one of ours.
    init(_ error: any Error) {
        switch error {
        case let error as RecordError: self = error
        case let error as DatabaseError: self = .database(code: error.code, message: error.message)
        default: self = .database(code: 1, message: "\(type(of: error))")
        }
    }
}
