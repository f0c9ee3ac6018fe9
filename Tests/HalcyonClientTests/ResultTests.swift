import Foundation
import HalcyonTestSupport
import Testing

@testable import HalcyonClient

/// OLD-CLIENTS.md, section B: how the app sorts answers.
@Suite(.timeLimit(.minutes(1)))
struct ResultTests {
    static let refusal = Array(
        #"{"isSuccess":false,"code":3001,"message":"there is no such student","result":null}"#.utf8)

    private func ask(
        _ change: (inout HalcyonClientConfiguration) -> Void = { _ in },
        answering script: @escaping ScriptedOrigin.Script
    ) async throws -> NetworkResult<Student> {
        let origin = try ScriptedOrigin()
        origin.on("*", script)
        var configuration = HalcyonClientConfiguration()
        configuration.retries = 0
        change(&configuration)
        let provider = try HalcyonProvider(baseURL: origin.base, configuration: configuration)
        let result = await provider.student(id: 1)
        await provider.shutDown()
        return result
    }

    private func failure(_ result: NetworkResult<Student>) -> RequestFailure? {
        do {
            _ = try result.get()
            return nil
        } catch { return error }
    }

    @Test("200–299 with a value is a success", arguments: [200, 201, 202])
    func success(status: Int) async throws {
        let result = try await ask(answering: {
            $0.respond(status, body: [UInt8](HalcyonEndpoint.student(id: 1).sampleData))
        })
        #expect(try result.get().name == "김하나")
    }

    @Test("400–499 is a request error with its message", arguments: [400, 401, 403, 404, 409, 429])
    func requestError(status: Int) async throws {
        let result = try await ask(answering: { $0.respond(status, body: Self.refusal) })
        #expect(
            failure(result)
                == .refused(Refusal(status: status, code: 3001, message: "there is no such student")))
    }

    @Test func theEnvelopeCountsMoreThanAStatusOfSuccess() async throws {
        let result = try await ask(answering: { $0.respond(200, body: Self.refusal) })
        #expect(failure(result) == .refused(Refusal(status: 200, code: 3001, message: "there is no such student")))
    }

    @Test func fiveHundredIsAServerError() async throws {
        let result = try await ask(answering: { $0.respond(500, body: Self.refusal) })
        guard case .serverError(let refusal) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(refusal.message == "there is no such student")
    }

    @Test("any other status is a network failure", arguments: [502, 503, 504])
    func otherStatus(status: Int) async throws {
        guard case .networkFailure(let failure) = try await ask(answering: { $0.respond(status, body: Self.refusal) })
        else {
            Issue.record("sorted otherwise")
            return
        }
        #expect(failure.kind == .status)
        #expect(failure.status == status)
    }

    @Test(
        "a body that cannot be decoded is a path error, whatever the status", arguments: [200, 404, 500, 502],
        ["", "<html>", "{}", "[1]", #"{"isSuccess":true,"code":"1000","message":"done"}"#])
    func pathError(status: Int, body: String) async throws {
        #expect(
            failure(try await ask(answering: { $0.respond(status, body: Array(body.utf8)) }))
                == .notUnderstood(status: status))
    }

    @Test(
        "a success without its value is a path error",
        arguments: ["null", #"{"id":"1"}"#, #"{"id":1}"#])
    func noValue(result: String) async throws {
        let body = Array(#"{"isSuccess":true,"code":1000,"message":"done","result":\#(result)}"#.utf8)
        #expect(failure(try await ask(answering: { $0.respond(200, body: body) })) == .notUnderstood(status: 200))
    }

    @Test("a redirect is not followed", arguments: [301, 302, 307])
    func redirect(status: Int) async throws {
        let other = try ScriptedOrigin(host: "127.0.0.2")
        guard
            case .networkFailure(let failure) = try await ask(answering: {
                $0.redirect(to: other.url("/x"), status: status)
            })
        else {
            Issue.record("sorted otherwise")
            return
        }
        #expect(failure.kind == .redirected)
        #expect(other.acceptedConnections == 0)
    }

    @Test func aConnectionThatBreaksIsANetworkFailure() async throws {
        let result = try await ask(answering: {
            $0.head(declaring: 100)
            $0.write([0x7B])
            $0.closeNow()
        })
        guard case .networkFailure(let failure) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(failure.kind == .unreachable)
    }

    @Test func nobodyListeningIsANetworkFailureWithoutTheQuery() async throws {
        let origin = try ScriptedOrigin()
        origin.stop()
        let provider = try HalcyonProvider(baseURL: origin.base)
        guard case .networkFailure(let failure) = await provider.students(StudentFilter(name: "secret")) else {
            Issue.record("somebody listens")
            return
        }
        #expect(failure.kind == .unreachable)
        #expect(!failure.description.contains("secret"))
        await provider.shutDown()
    }

    @Test func aServiceThatIsTooSlowTimesOut() async throws {
        let result = try await ask({ $0.timeout = .milliseconds(100) }, answering: { $0.waitForClose() })
        guard case .networkFailure(let failure) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(failure.kind == .timedOut)
    }

    @Test func cancellingTheTaskEndsTheRequest() async throws {
        let origin = try ScriptedOrigin()
        origin.on("*") { $0.waitForClose() }
        let provider = try HalcyonProvider(baseURL: origin.base)
        let task = Task { await provider.student(id: 1) }
        await origin.requests(reach: 1)
        task.cancel()
        guard case .networkFailure(let failure) = await task.value else {
            Issue.record("answered")
            return
        }
        #expect(failure.kind == .cancelled)
        await origin.openConnections(fallTo: 0)
        await provider.shutDown()
    }

    @Test func aDelayedSampleCanBeCancelled() async throws {
        var configuration = HalcyonClientConfiguration()
        configuration.stub = .delayed(.seconds(600))
        let provider = try HalcyonProvider(configuration: configuration)
        let task = Task { await provider.student(id: 1) }
        task.cancel()
        guard case .networkFailure(let failure) = await task.value else {
            Issue.record("answered")
            return
        }
        #expect(failure.kind == .cancelled)
    }
}
