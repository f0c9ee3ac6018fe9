internal import Foundation

/// The records envelope: `{"isSuccess", "code", "message", "result"}`. Errors of all routes come in it.
enum RecordsAnswer {
    private struct Envelope<Result: Encodable>: Encodable {
        let isSuccess: Bool
        let code: Int
        let message: String
        let result: Result?
        /// Where the next page begins; left out where there is none.
        let next: String?

        enum CodingKeys: CodingKey { case isSuccess, code, message, result, next }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(isSuccess, forKey: .isSuccess)
            try container.encode(code, forKey: .code)
            try container.encode(message, forKey: .message)
            // `null`, not absent.
            try container.encode(result, forKey: .result)
            try container.encodeIfPresent(next, forKey: .next)
        }
    }

    private struct Nothing: Encodable {}

    static func success(
        _ result: some Encodable & Sendable, status: Int = 200, message: String = "done", next: String? = nil
    ) -> HTTPAnswer {
        json(
            status,
            Envelope(isSuccess: true, code: AnswerCode.done.rawValue, message: message, result: result, next: next))
    }

    static func success(message: String) -> HTTPAnswer {
        json(
            200,
            Envelope<Nothing>(
                isSuccess: true, code: AnswerCode.done.rawValue, message: message, result: nil, next: nil))
    }

    /// `message` names the field and what is accepted; it holds nothing of what the client sent.
    static func failure(_ status: Int, _ code: AnswerCode, _ message: String) -> HTTPAnswer {
        json(
            status,
            Envelope<Nothing>(isSuccess: false, code: code.rawValue, message: message, result: nil, next: nil))
    }

    static let jsonFields = [("Content-Type", "application/json; charset=utf-8"), ("Cache-Control", "no-store")]

    /// Any envelope, as JSON that no cache keeps.
    static func json(_ status: Int, _ envelope: some Encodable) -> HTTPAnswer {
        let fields = jsonFields
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        do {
            return HTTPAnswer(status: status, fields: fields, body: .bytes([UInt8](try encoder.encode(envelope))))
        } catch {
            // Our own types always encode, but for a number that JSON has no form for.
            let text = #"{"isSuccess":false,"code":5000,"message":"the answer could not be written","result":null}"#
            return HTTPAnswer(status: 500, fields: fields, body: .bytes(Array(text.utf8)))
        }
    }
}
