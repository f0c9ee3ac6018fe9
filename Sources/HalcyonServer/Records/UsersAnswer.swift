internal import Foundation
internal import HalcyonRecords

/// The envelope of the users' routes: `{"status", "success", "message", "data"}`.
enum UsersAnswer {
    private struct Envelope<Content: Encodable>: Encodable {
        let status: Int
        let success: Bool
        let message: String
        let data: Content?

        enum CodingKeys: CodingKey { case status, success, message, data }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(status, forKey: .status)
            try container.encode(success, forKey: .success)
            try container.encode(message, forKey: .message)
            // `null`, not absent.
            try container.encode(data, forKey: .data)
        }
    }

    private struct Nothing: Encodable {}

    private struct Account: Encodable, Sendable {
        let email: String
        let userName: String
        /// Always empty; older clients do not decode an answer without it.
        let password = ""
        let token: String
        let expiresAt: String

        enum CodingKeys: CodingKey { case email, userName, password, token, expiresAt }
    }

    static func success(_ signedIn: SignedIn, message: String) -> HTTPAnswer {
        let account = Account(
            email: signedIn.user.email, userName: signedIn.user.userName, token: signedIn.token,
            expiresAt: signedIn.expiresAt.ISO8601Format())
        return success(account, message: message)
    }

    static func success(_ data: some Encodable & Sendable, message: String = "done") -> HTTPAnswer {
        RecordsAnswer.json(200, Envelope(status: 200, success: true, message: message, data: data))
    }

    /// With `data` null.
    static func success(message: String) -> HTTPAnswer {
        RecordsAnswer.json(200, Envelope<Nothing>(status: 200, success: true, message: message, data: nil))
    }

    static func failure(_ status: Int, _ message: String) -> HTTPAnswer {
        RecordsAnswer.json(status, Envelope<Nothing>(status: status, success: false, message: message, data: nil))
    }
}
