internal import HalcyonServer

/// A value of `--mount-policy`: `/PATH=RULE[,RULE]…`.
struct MountRule: Sendable, Hashable {
    static let accepted =
        "/PATH= and, between commas, expiry=DURATION, ignore-query=NAME, refuse-cookies, max-object=SIZE, public"

    let path: String
    let text: String
    private let rules: [Rule]

    private enum Rule: Sendable, Hashable {
        case expiry(Int)
        case ignoredQuery(String)
        case refusedCookies
        case maximumObject(Int)
        case isPublic
    }

    init(_ text: String) throws(ValueProblem) {
        let sides = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard sides.count == 2, sides[0].hasPrefix("/") else { throw ValueProblem(reason: "no path and rules") }
        var path = sides[0]
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
        self.text = text
        var rules: [Rule] = []
        for rule in sides[1].split(separator: ",", omittingEmptySubsequences: false) {
            rules.append(try Self.rule(String(rule)))
        }
        self.rules = rules
    }

    private static func rule(_ text: String) throws(ValueProblem) -> Rule {
        let sides = text.split(separator: "=", maxSplits: 1).map(String.init)
        switch (sides.first ?? "", sides.count > 1 ? sides[1] : nil) {
        case ("expiry", let value?):
            guard let duration = DurationText.parse(value) else { throw ValueProblem(reason: "expiry is no duration") }
            return .expiry(Int(duration.inSeconds))
        case ("ignore-query", let name?) where !name.isEmpty: return .ignoredQuery(name)
        case ("max-object", let value?):
            guard let size = ByteSize.parse(value) else { throw ValueProblem(reason: "max-object is no size") }
            return .maximumObject(size)
        case ("refuse-cookies", nil): return .refusedCookies
        case ("public", nil): return .isPublic
        default: throw ValueProblem(reason: "\"\(Shown.value(text))\" is no rule")
        }
    }

    func apply(to policy: inout MountPolicy) {
        for rule in rules {
            switch rule {
            case .expiry(let seconds): policy.expiry = seconds
            case .ignoredQuery(let name): policy.ignoredQueryItems.insert(name)
            case .refusedCookies: policy.refusesCookies = true
            case .maximumObject(let bytes): policy.maximumObjectBytes = bytes
            case .isPublic: policy.isPublic = true
            }
        }
    }
}
