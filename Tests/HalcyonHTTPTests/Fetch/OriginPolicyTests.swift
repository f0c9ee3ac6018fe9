import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct OriginPolicyTests {
    @Test(
        "S-05, R-02, HB-61 labels are compared whole",
        arguments: [
            ("*.example.edu", "http://a.example.edu/", true), ("*.example.edu", "http://a.b.example.edu/", true),
            ("*.example.edu", "http://A.EXAMPLE.EDU/", true), ("*.example.edu", "http://a.example.edu./", true),
            ("*.example.edu", "http://evilexample.edu/", false),
            ("*.example.edu", "http://example.edu.evil.test/", false), ("*.example.edu", "http://example.edu/", false),
            ("*.example.edu", "http://xexample.edu/", false), ("example.edu", "http://example.edu/", true),
            ("example.edu", "http://a.example.edu/", false), ("example.edu", "http://evilexample.edu/", false),
            ("example.edu:8443", "https://example.edu:8443/", true),
            ("example.edu:8443", "https://example.edu/", false),
            ("example.edu", "https://example.edu:9/", true), ("[2001:db8::1]", "http://[2001:DB8:0::1]/", true),
            ("192.0.2.1:80", "http://192.0.2.1/", true),
        ])
    func matching(rule: String, url: String, isAllowed: Bool) throws {
        let policy = OriginPolicy(rules: [try OriginRule(rule)])
        #expect((policy.rule(for: try CanonicalURL(url)) != nil) == isAllowed)
    }

    @Test(
        "R-01 a trusted name elsewhere in the URL is not its host",
        arguments: [
            "http://evil.test/?.example.edu", "http://evil.test/#.example.edu", "http://evil.test?a.example.edu",
            "http://evil.test/a.example.edu", "http://evil.test:80/.example.edu",
        ])
    func notTheHost(url: String) throws {
        let policy = OriginPolicy(rules: [try OriginRule("*.example.edu")])
        #expect(policy.rule(for: try CanonicalURL(url)) == nil)
    }

    @Test(
        "R-01 URLs that two programs could read differently are no URLs",
        arguments: [
            "http://evil.test\\.example.edu/", "http://evil.test\t.example.edu/", "http://a.example.edu@evil.test/",
            "http://evil.test@a.example.edu/", "http://evil.test%2F.example.edu/",
        ])
    func ambiguous(url: String) {
        #expect(throws: URLProblem.self) { try CanonicalURL(url) }
    }

    @Test(
        arguments: [
            "", "*", "*.", "a.*.example", "*example.edu", "a b", "http://a.example/", "a.example/path", "a.example:0",
            "a.example:65536", "a.example:x", "a.example:80:80", "user@a.example", "a.example=",
            "a.example=10.0.0.0/33",
            "a.example=10.0.0.0/8,", "*.1.2.3", "2001:db8::1", "[2001:db8::1", "[::1]x", "a..example", "*.[::1]",
        ])
    func rulesThatCannotBeReadAreRefused(text: String) {
        #expect(throws: OriginRuleProblem.self) { try OriginRule(text) }
    }

    @Test func aRuleNamesHostPortAndRanges() throws {
        let rule = try OriginRule("[::1]:8080=::1/128,127.0.0.0/8")
        #expect(rule.host.description == "[::1]")
        #expect(rule.port == 8080)
        #expect(rule.ranges.map(\.description) == ["::1/128", "127.0.0.0/8"])
    }

    @Test func theMostTellingRuleWins() throws {
        let rules = try ["*.example", "*.cdn.example=10.0.0.0/8", "a.cdn.example", "a.cdn.example:81=10.1.0.0/16"]
            .map { try OriginRule($0) }
        for order in [rules, rules.reversed()] {
            let policy = OriginPolicy(rules: order)
            #expect(policy.rule(for: try CanonicalURL("http://a.cdn.example:81/")) == rules[3])
            #expect(policy.rule(for: try CanonicalURL("http://a.cdn.example/")) == rules[2])
            #expect(policy.rule(for: try CanonicalURL("http://b.cdn.example/")) == rules[1])
            #expect(policy.rule(for: try CanonicalURL("http://b.example/")) == rules[0])
        }
    }

    @Test("S-18 a refusal names the option that would allow it, and nothing of path or query")
    func hints() throws {
        let policy = OriginPolicy(rules: [], redirectHosts: [try HostPattern("r.example")])
        let url = try CanonicalURL("https://photos.example:8443/secret?token=x")
        #expect(throws: FetchError.refused(.hostNotAllowed, hint: "--allow-origin photos.example:8443")) {
            try policy.check(url, isRedirect: false)
        }
        #expect(throws: FetchError.refused(.redirectNotAllowed, hint: "--allow-redirect-to photos.example")) {
            try policy.check(url, isRedirect: true)
        }
        #expect(throws: FetchError.self) { try policy.check(CanonicalURL("http://r.example/"), isRedirect: false) }
        #expect(try policy.check(CanonicalURL("http://r.example/"), isRedirect: true) == [])
    }

    @Test("K-02 only credentials make a scope") func scopes() throws {
        var rule = try OriginRule("photos.example:8443")
        #expect(rule.credentialScope == "")
        rule.credential = "Bearer secret"
        #expect(rule.credentialScope == "photos.example:8443")
        rule.credential = nil
        rule.requestFields = [("X-Key", "k")]
        rule.scopeName = "main"
        #expect(rule.credentialScope == "main")
    }
}
