internal import HalcyonRecords

extension Problem {
    /// The one place where what went wrong with a record becomes a status.
    init(_ error: RecordError) {
        switch error {
        case .notFound: self.init(404, .notFound, error.description)
        case .conflict: self.init(409, .conflict, error.description)
        case .invalid: self.init(400, .outOfRange, error.description)
        case .notSignedIn: self.init(401, .notSignedIn, error.description)
        case .notPermitted: self.init(403, .notPermitted, error.description)
        case .roster: self.init(400, .wrongType, error.description)
        case .database(let code, _):
            self.init(500, .internal, "the records could not be read or written (SQLite \(code))")
        }
    }
}
