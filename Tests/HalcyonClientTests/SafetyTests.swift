import HalcyonTestSupport
import Testing

@testable import HalcyonClient

@Suite(.timeLimit(.minutes(1)))
struct SafetyTests {
    @Test func tokensAndPasswordsAreNotPrinted() throws {
        let token: Secret = "s3cret"
        let provider = try HalcyonProvider(token: token)
        let endpoint = HalcyonEndpoint.signIn(email: "a@h", password: token)
        var text = "\(token) \(endpoint) \(provider) \(String(reflecting: token)) \(String(reflecting: endpoint))"
        text += String(reflecting: provider)
        for value: Any in [token, endpoint, provider, [token], provider as Any? as Any] { dump(value, to: &text) }
        #expect(!text.contains("s3cret"))
        #expect(text.contains("HalcyonProvider(http://127.0.0.1:8080/…)"))
    }

    @Test(
        "nothing goes in clear to another machine unless that is said",
        arguments: ["http://photos.school.example", "http://10.0.0.1:8080", "http://localhost.example"])
    func clearText(url: String) throws {
        #expect(throws: HalcyonClientProblem.self) { try HalcyonProvider(baseURL: url) }
        var configuration = HalcyonClientConfiguration()
        configuration.allowsInsecureHTTP = true
        _ = try HalcyonProvider(baseURL: url, configuration: configuration)
    }

    @Test(arguments: ["http://localhost:8080", "http://127.0.0.9/", "http://[::1]:1", "https://photos.school.example/"])
    func thisMachineAndTLSAreInOrder(url: String) throws {
        _ = try HalcyonProvider(baseURL: url)
    }

    @Test(arguments: ["", "photos.school.example", "ftp://h", "http://127.0.0.1?x", "http://u:p@127.0.0.1"])
    func noAddressIsRefused(url: String) {
        #expect(throws: HalcyonClientProblem.invalidBaseURL) { try HalcyonProvider(baseURL: url) }
    }

    @Test(arguments: ["", "a b", "a\r\nX: y", "ü"])
    func noTokenIsRefused(token: String) {
        #expect(throws: HalcyonClientProblem.invalidToken) { try HalcyonProvider(token: Secret(token)) }
    }

    @Test("a segment that would change the path is not sent", arguments: ["..", ".", ""])
    func segments(club: String) async throws {
        let origin = try ScriptedOrigin()
        let provider = try HalcyonProvider(baseURL: origin.base)
        guard case .networkFailure(let failure) = await provider.removeNotice(clubID: club, id: "1") else {
            Issue.record("sent")
            return
        }
        #expect(failure.kind == .unsendable)
        #expect(origin.requests().isEmpty)
        await provider.shutDown()
    }

    @Test func theTokenChangesForTheRequestsAfterIt() async throws {
        let origin = try ScriptedOrigin()
        origin.on("*") { $0.respond() }
        let provider = try HalcyonProvider(baseURL: origin.base + "/below/")
        for token: Secret? in [nil, "one", "two", nil] {
            try provider.use(token: token)
            _ = await provider.totals()
        }
        #expect(origin.requests().map { $0["Authorization"] } == [nil, "Bearer one", "Bearer two", nil])
        #expect(origin.requests().first?.target == "/below/students/totalNumber")
        await provider.shutDown()
    }

    @Test("RFC 9110 §9.2.2 a guidance is not given twice") func posts() async throws {
        let origin = try ScriptedOrigin()
        origin.on("/students/totalNumber") { $0.respond() }
        origin.on("/guidances") { $0.closeNow() }
        let provider = try HalcyonProvider(baseURL: origin.base)
        _ = await provider.totals()
        _ = await provider.addGuidance(studentID: 1, reason: .dress)
        #expect(origin.requests(to: "/guidances").count == 1)
        await provider.shutDown()
    }
}
