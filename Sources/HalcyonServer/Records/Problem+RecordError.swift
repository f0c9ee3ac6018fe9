internal import HalcyonRecords

/// What the records say, with what they refuse as a problem.
///
/// - Parameter what: what is said of a record that is not there.
@discardableResult
func orProblem<Value>(
    _ value: @autoclosure () async throws(RecordError) -> Value, notFound what: String? = nil
) async throws(Problem) -> Value {
    do throws(RecordError) { return try await value() } catch {
        throw what.map { Problem(error, notFound: $0) } ?? Problem(error)
    }
}

extension Problem {
    /// - Parameter what: what is said of a record that is not there.
    init(_ error: RecordError, notFound what: String) {
        self = error == .notFound ? .notFound(what) : Problem(error)
    }

    /// The one place where what went wrong with a record becomes a status.
    init(_ error: RecordError) {
        switch error {
        case .notFound: self.init(404, .notFound, error.description)
        case .conflict, .refused: self.init(409, .conflict, error.description)
        case .invalid: self.init(400, .outOfRange, error.description)
        case .notSignedIn: self.init(401, .notSignedIn, error.description)
        case .notPermitted: self.init(403, .notPermitted, error.description)
        case .roster: self.init(400, .wrongType, error.description)
        case .lastAdmin: self.init(409, .conflict, error.description)
        case .busy: self.init(503, .tooManyRequests, error.description, fields: [("Retry-After", "5")])
        case .database(let code, _): self.init(databaseCode: code)
        }
    }

    /// What the database cannot do now it may do later: the disk is full, cannot be written, or another process holds the
    /// lock (https://www.sqlite.org/rescode.html: FULL, BUSY, READONLY, IOERR, CANTOPEN). Anything else is a fault of ours.
    private init(databaseCode code: Int32) {
        switch code & 0xFF {
        case 13:
            self.init(507, .internal, "the disk that holds the records is full: nothing was changed")
        case 5, 8, 10, 14:
            self.init(
                503, .internal, "the records cannot be read or written now (SQLite \(code))",
                fields: [("Retry-After", "5")])
        default:
            self.init(500, .internal, "the records could not be read or written (SQLite \(code))")
        }
    }
}
