import Foundation
import HalcyonTestSupport
import Testing

@testable import HalcyonServer

/// OLD-CLIENTS.md, section B. The types and the sorting are the app's own.
enum AccountApp {
    struct GenericResponse<T: Decodable>: Decodable {
        let status: Int
        let success: Bool
        let message: String
        let data: T?
    }

    struct Account: Decodable {
        let email: String
        let password: String
        let userName: String
    }

    enum NetworkResult {
        case success(Account?)
        case requestError(String)
        case pathError
        case serverError
        case networkFailure
    }

    static func judge(_ response: RawResponse) -> NetworkResult {
        let decoded: GenericResponse<Account>
        do {
            decoded = try JSONDecoder().decode(GenericResponse<Account>.self, from: Data(response.body))
        } catch { return .pathError }
        switch response.status {
        case 200: return .success(decoded.data)
        case 400..<500: return .requestError(decoded.message)
        case 500: return .serverError
        default: return .networkFailure
        }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct AccountAppTests {
    private static let signUp = #"{"email":"a@school.example","password":"correct horse 1","userName":"컴동쌤"}"#

    @Test func signingUpThenIn() async throws {
        try await ServiceHarness.run { service in
            guard
                case .success(let made) = AccountApp.judge(try await service.send("POST", "/users/signup", Self.signUp))
            else {
                Issue.record("signing up did not succeed")
                return
            }
            #expect(made?.userName == "컴동쌤")
            #expect(made?.password == "")
            guard
                case .success(let account) = AccountApp.judge(
                    try await service.send(
                        "POST", "/users/signin", #"{"email":"a@school.example","password":"correct horse 1"}"#))
            else {
                Issue.record("signing in did not succeed")
                return
            }
            #expect(account?.email == "a@school.example")
        }
    }

    @Test(arguments: [
        ("/users/signup", #"{"email":"a@school.example","password":"correct horse 1","userName":"B"}"#),
        ("/users/signup", #"{"email":"b@school.example","password":"short","userName":"B"}"#),
        ("/users/signup", #"{"email":"b@school.example","userName":"B"}"#), ("/users/signup", "{"),
        ("/users/signin", #"{"email":"a@school.example","password":"wrong"}"#), ("/users/signin", "[]"),
        ("/users/signin", #"{"email":7,"password":true}"#),
    ])
    func whatTheUserDidWrongIsShown(path: String, body: String) async throws {
        try await ServiceHarness.run { service in
            _ = try await service.send("POST", "/users/signup", Self.signUp)
            guard case .requestError(let message) = AccountApp.judge(try await service.send("POST", path, body)) else {
                Issue.record("\(path) \(body) is not sorted as a fault of the request")
                return
            }
            #expect(!message.isEmpty)
        }
    }
}
