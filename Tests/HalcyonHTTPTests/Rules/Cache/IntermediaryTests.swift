import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct IntermediaryTests {
    private func sent(
        _ fields: HTTPFields, client: String = "192.0.2.1", isTLS: Bool = false, version: String = "1.1"
    ) -> HTTPFields {
        Intermediary.request(fields, client: client, isTLS: isTLS, version: version)
    }

    @Test("RFC 9110 §7.6.1: the fields of the connection, and those that Connection names, stay behind")
    func fieldsOfTheConnection() {
        let fields: HTTPFields = [
            ("Connection", "close, X-One"), ("Connection", "\tx-two "), ("X-One", "1"), ("X-Two", "2"),
            ("X-Three", "3"),
            ("TE", "trailers"), ("Upgrade", "h2c"), ("Proxy-Connection", "keep-alive"), ("Keep-Alive", "timeout=5"),
            ("Transfer-Encoding", "chunked"), ("Trailer", "X"), ("Proxy-Authorization", "Basic eDp5"),
        ]
        #expect(Intermediary.endToEnd(fields).lines.map(\.name) == ["X-Three"])
    }

    @Test("RFC 9110 §7.6.3: Via is added to, with the version that came")
    func via() {
        #expect(sent([])["Via"] == "1.1 halcyon")
        #expect(sent([("Via", "1.0 fred"), ("Via", "1.1 p")], version: "1.0")["Via"] == "1.0 fred, 1.1 p, 1.0 halcyon")
        #expect(Intermediary.response([("Via", "1.0 fred")])["Via"] == "1.0 fred, 1.1 halcyon")
    }

    @Test("RFC 7239 §5, §6: who asked, for what host and how; addresses of IPv6 in brackets and quotes")
    func forwarded() {
        let plain = sent([("Host", "a.example:8080")])
        #expect(plain["Forwarded"] == "for=192.0.2.1;host=\"a.example:8080\";proto=http")
        #expect(plain["Host"] == nil)
        #expect(plain["X-Forwarded-Host"] == "a.example:8080")
        #expect(plain["X-Forwarded-Proto"] == "http")
        #expect(sent([], client: "2001:db8::1", isTLS: true)["Forwarded"] == "for=\"[2001:db8::1]\";proto=https")
        let chain = sent([
            ("Forwarded", "for=198.51.100.1"), ("X-Forwarded-For", "198.51.100.1"),
            ("X-Forwarded-Host", "first.example"),
            ("X-Forwarded-Proto", "https"), ("Host", "a.example"),
        ])
        #expect(chain["Forwarded"] == "for=198.51.100.1, for=192.0.2.1;host=\"a.example\";proto=http")
        #expect(chain["X-Forwarded-For"] == "198.51.100.1, 192.0.2.1")
        #expect(chain["X-Forwarded-Host"] == "first.example")
        #expect(chain["X-Forwarded-Proto"] == "https")
    }

    @Test("A host that is none cannot write into Forwarded")
    func aHostCannotWriteIntoForwarded() {
        #expect(sent([("Host", "a\";for=\"evil")])["Forwarded"] == "for=192.0.2.1;proto=http")
    }
}
