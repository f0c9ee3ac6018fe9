internal import Glibc
internal import HalcyonSQLite

/// Why there is no backup, or nothing was restored. Descriptions name files, no records.
package enum BackupError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is something at this path already.
    case exists(String)
    /// The database to be replaced is open in another process.
    case inUse(String)
    /// No backup of ours, or of a newer program.
    case notABackup(String)
    /// The backup is not what it was when it was made; the text says what differs.
    case damaged(String)
    case database(code: Int32, message: String)
    /// The file system failed at this file: `errno`.
    case system(file: String, code: Int32)
    case cancelled

    package var description: String {
        switch self {
        case .exists(let path): "\(path) is there already"
        case .inUse(let path): "\(path) is in use: stop the server first"
        case .notABackup(let path): "\(path) is no backup of this program"
        case .damaged(let what): "the backup is damaged: \(what)"
        case .database(let code, let message): "the database failed (SQLite \(code)): \(message)"
        case .system(let file, let code): "\(file): \(String(cString: strerror(code)))"
        case .cancelled: "cancelled"
        }
    }

    init(_ error: any Error, file: String) {
        switch error {
        case let error as BackupError: self = error
        case let error as DatabaseError: self = .database(code: error.code, message: error.message)
        case RecordError.database(let code, let message): self = .database(code: code, message: message)
        case MediaError.missing: self = .system(file: file, code: ENOENT)
        case MediaError.system(let code): self = .system(file: file, code: code)
        case is CancellationError: self = .cancelled
        default: self = .damaged("\(file): \(error)")
        }
    }
}
