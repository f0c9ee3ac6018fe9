/// A request that a route refuses: becomes an answer in the envelope in one place.
struct Problem: Error {
    let status: Int
    let code: AnswerCode
    let message: String
    var fields: [(String, String)] = []

    init(_ status: Int, _ code: AnswerCode, _ message: String, fields: [(String, String)] = []) {
        self.status = status
        self.code = code
        self.message = message
        self.fields = fields
    }

    static func missing(_ field: String, accepted: String) -> Problem {
        Problem(400, .missing, "\(field) is missing: accepted is \(accepted)")
    }

    static func wrongType(_ field: String, accepted: String) -> Problem {
        Problem(400, .wrongType, "\(field): accepted is \(accepted)")
    }

    static func outOfRange(_ field: String, accepted: String) -> Problem {
        Problem(400, .outOfRange, "\(field): accepted is \(accepted)")
    }

    static func notAllowed(_ field: String, _ why: String) -> Problem {
        Problem(400, .notAllowed, "\(field): \(why)")
    }

    static func notFound(_ what: String) -> Problem { Problem(404, .notFound, what) }

    func answer(in envelope: AnswerEnvelope) -> HTTPAnswer {
        switch envelope {
        case .records: answer
        case .users: UsersAnswer.failure(status, message).with(fields)
        case .bare: RecordsAnswer.json(status, ["error": message]).with(fields)
        }
    }

    /// In the records envelope.
    var answer: HTTPAnswer {
        RecordsAnswer.failure(status, code, message).with(fields)
    }
}
