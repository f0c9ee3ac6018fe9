internal import Foundation

/// An answer as it came.
struct RawAnswer: Sendable {
    let status: Int
    let contentType: String?
    let entityTag: String?
    /// `X-Halcyon-Placeholder`
    let placeholder: String?
    let body: Data
}

/// Sorts answers; the order is that of ``NetworkResult``.
struct AnswerSorter {
    let envelope: AnswerEnvelope

    /// What all envelopes say, whatever they call it.
    private struct Head {
        let isSuccess: Bool
        let code: Int?
        let message: String
        let next: String?
    }

    private struct RecordsHead: Decodable {
        let isSuccess: Bool
        let code: Int
        let message: String
        let next: String?
    }

    private struct UsersHead: Decodable {
        let status: Int
        let success: Bool
        let message: String
    }

    private struct BareFailure: Decodable {
        let error: String
    }

    private struct RecordsBody<Value: Decodable>: Decodable {
        let result: Value
    }

    private struct UsersBody<Value: Decodable>: Decodable {
        let data: Value
    }

    /// The value, and where the next page of it begins.
    func sort<Value: Decodable & Sendable>(
        _ answer: RawAnswer, as type: Value.Type
    ) -> NetworkResult<(value: Value, next: String?)> {
        let head: Head
        do {
            head = try self.head(of: answer)
            if 200...299 ~= answer.status, head.isSuccess {
                return .success((try value(of: answer, as: type), head.next))
            }
        } catch {
            return .pathError(status: answer.status)
        }
        return failure(answer.status, head)
    }

    func sortBytes(_ answer: RawAnswer) -> NetworkResult<ReceivedBytes> {
        if 200...299 ~= answer.status {
            return .success(
                ReceivedBytes(
                    bytes: answer.body, contentType: answer.contentType, entityTag: answer.entityTag,
                    placeholder: answer.placeholder))
        }
        do {
            return failure(answer.status, try head(of: answer))
        } catch {
            return .pathError(status: answer.status)
        }
    }

    private func failure<Value>(_ status: Int, _ head: Head) -> NetworkResult<Value> {
        let refusal = Refusal(status: status, code: head.code, message: head.message)
        // A refusal under a status of success: the envelope decides, as it does for the apps.
        return switch status {
        case 200...299, 400...499: .requestError(refusal)
        case 500: .serverError(refusal)
        default: .networkFailure(NetworkFailure(.status, status: status, "status \(status): \(head.message)"))
        }
    }

    private func head(of answer: RawAnswer) throws -> Head {
        let decoder = JSONDecoder()
        switch envelope {
        case .records, .bytes:
            let head = try decoder.decode(RecordsHead.self, from: answer.body)
            return Head(isSuccess: head.isSuccess, code: head.code, message: head.message, next: head.next)
        case .users:
            let head = try decoder.decode(UsersHead.self, from: answer.body)
            return Head(isSuccess: head.success, code: nil, message: head.message, next: nil)
        case .bare:
            if 200...299 ~= answer.status { return Head(isSuccess: true, code: nil, message: "", next: nil) }
            let failure = try decoder.decode(BareFailure.self, from: answer.body)
            return Head(isSuccess: false, code: nil, message: failure.error, next: nil)
        }
    }

    private func value<Value: Decodable>(of answer: RawAnswer, as type: Value.Type) throws -> Value {
        if let nothing = NoContent() as? Value { return nothing }
        let decoder = JSONDecoder()
        return switch envelope {
        case .records, .bytes: try decoder.decode(RecordsBody<Value>.self, from: answer.body).result
        case .users: try decoder.decode(UsersBody<Value>.self, from: answer.body).data
        case .bare: try decoder.decode(Value.self, from: answer.body)
        }
    }
}
