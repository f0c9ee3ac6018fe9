import Halcyon
import Testing

@testable import HalcyonCLI

@Suite(.timeLimit(.minutes(1)))
struct SettingsTests {
    private func settings(
        given: [String: [String]] = [:], environment: [String: String] = [:], file: String? = nil
    ) throws -> Settings {
        try Settings(
            specs: Options.all, given: given, environment: environment,
            file: file.map { try ConfigurationFile(text: $0, path: "h.json", known: Options.all) })
    }

    @Test func flagBeatsEnvironmentBeatsFileBeatsDefault() throws {
        let file = #"{"diskLimit": "1GiB", "retries": 7, "perHost": 2}"#
        let environment = ["HALCYON_DISK_LIMIT": "2MiB", "HALCYON_RETRIES": "5"]
        let all = try settings(given: ["disk-limit": ["3KiB"]], environment: environment, file: file)
        #expect(all[Options.diskLimit] == 3072)
        #expect(all[Options.retries] == 5)
        #expect(all[Options.perHost] == 2)
        #expect(all[Options.connectTimeout] == .seconds(3))
    }

    @Test func theLastOfSeveralFlagsCounts() throws {
        #expect(try settings(given: ["retries": ["1", "2"]])[Options.retries] == 2)
    }

    @Test func repeatableOptionsAreSeparatedBySpacesInTheEnvironmentAndAnArrayInTheFile() throws {
        let environment = ["HALCYON_ALLOW_ORIGIN": "a.example  b.example=10.0.0.0/8,10.1.0.0/16"]
        #expect(
            try settings(environment: environment)[Options.allowOrigin] == [
                "a.example", "b.example=10.0.0.0/8,10.1.0.0/16",
            ])
        #expect(
            try settings(file: #"{"allowOrigin": ["a.example", "b.example"]}"#)[Options.allowOrigin] == [
                "a.example", "b.example",
            ])
        #expect(
            try settings(given: ["allow-origin": ["c"]], environment: environment)[Options.allowOrigin] == ["c"])
    }

    @Test func anEmptyVariableIsNotAValue() throws {
        #expect(try settings(environment: ["HALCYON_DISK_LIMIT": ""])[Options.diskLimit] == Defaults.diskLimit)
    }

    @Test(arguments: [
        (#"{"diskLimit": "lots"}"#, #"diskLimit in h.json: "lots" is not accepted: expected \#(ByteSize.accepted)"#),
        (#"{"diskLimt": 1}"#, #"h.json: there is no key "diskLimt": did you mean "diskLimit"?"#),
        (#"{"zzz": 1}"#, #"h.json: there is no key "zzz""#),
        (#"{"config": "other.json"}"#, #"h.json: there is no key "config""#),
        (#"[]"#, "--config: h.json: expected a JSON object"),
        (#"{"retries": {}}"#, "retries in h.json: expected a whole number from 0 to 20"),
        (#"{"origins": {}}"#, #"h.json: origins: expected an array of objects with at least "host""#),
        (#"{"origins": [{}]}"#, "h.json: origins[0].host: expected HOST or HOST:PORT, such as photos.school.example"),
        (
            #"{"origins": [{"host": "a"}, {"host": "b", "adresses": []}]}"#,
            #"h.json: origins[1]: there is no key "adresses": did you mean "addresses"?"#
        ),
        (#"{"origins": [{"host": "a", "memoryOnly": 1}]}"#, "h.json: origins[0].memoryOnly: expected true or false"),
        (
            #"{"origins": [{"host": "a", "credentials": 1}]}"#,
            #"h.json: origins[0].credentials: expected a text, {"file": "PATH"} or {"environment": "NAME"}"#
        ),
        (#"{"url": true}"#, "url in h.json: true is not accepted: expected an http or https URL"),
        (#"{"database": 7}"#, "database in h.json: 7 is not accepted: expected the path of a file"),
        (#"{"json": "true"}"#, "json in h.json: expected true or false"),
        (
            #"{"retries": null}"#,
            "retries in h.json: null is not accepted: expected a whole number from 0 to 20"
        ),
    ])
    func aWrongFileIsRefusedWithThePlace(text: String, message: String) {
        #expect(throws: UsageError(message)) { try settings(file: text) }
    }

    @Test(arguments: [
        (#""host": "a_b c""#, #"host: "a_b c""#), (#""host": "photos.example:0""#, #"host: "photos.example:0""#),
        (#""host": "h", "addresses": ["10.2.0.0/24", "10.2.0.7/24"]"#, #"addresses[1]: "10.2.0.7/24""#),
        (#""host": "h", "expiry": "soon""#, #"expiry: "soon""#),
        (#""host": "h", "headers": {"a b": "c"}"#, "headers.a b: not a header name"),
        (#""host": "h", "headers": {"Content-Length": "c"}"#, "headers.Content-Length: this header is set by Halcyon"),
        (#""host": "h", "headers": {"hOST": "c"}"#, "headers.hOST: this header is set by Halcyon"),
    ])
    func aWrongOriginIsRefusedWithItsIndexKeyAndValue(entry: String, message: String) {
        let error = #expect(throws: UsageError.self) {
            try settings(file: #"{"origins": [{"host": "good.example"}, {\#(entry)}]}"#)
        }
        #expect(error?.description.hasPrefix("h.json: origins[1].\(message)") == true, "\(String(describing: error))")
    }

    @Test func textThatIsNotJSONIsRefused() {
        #expect(throws: UsageError.self) { try settings(file: #"{"diskLimit": }"#) }
    }

    @Test func aWrongVariableIsNamedWithItsOption() {
        let accepted = "one of debug, info, warning, error, off"
        #expect(
            throws: UsageError(#"HALCYON_LOG_LEVEL (--log-level): "loud" is not accepted: expected \#(accepted)"#)
        ) { try settings(environment: ["HALCYON_LOG_LEVEL": "loud"]) }
    }

    @Test func originsSayMoreOfAHost() throws {
        let settings = try settings(
            file: """
                {"origins": [{"host": "photos.school.example:8443", "addresses": ["10.2.0.0/24"], "expiry": "0",
                  "memoryOnly": true, "headers": {"X-Api-Key": {"environment": "KEY"}}, "credentials": "Bearer secret",
                  "droppedQueryItems": ["sig"]}]}
                """)
        let origin = try #require(settings.origins.first)
        #expect(origin.ruleText == "photos.school.example:8443=10.2.0.0/24")
        #expect(origin.expiry == .seconds(0))
        #expect(origin.memoryOnly)
        #expect(origin.headers == ["X-Api-Key": .environment("KEY")])
        #expect(origin.droppedQueryItems == ["sig"])
        #expect(try origin.credentials?.resolved(environment: [:], place: "") == "Bearer secret")
    }

    @Test func theEffectiveConfigurationHidesSecretsAndReadsBackTheSame() throws {
        let first = try settings(
            given: ["allow-origin": ["a.example=10.0.0.0/8"], "disk-expiry": ["origin"], "json": ["true"]],
            file: #"{"origins": [{"host": "b", "credentials": "Bearer s3cret", "headers": {"K": "s3cret"}}]}"#)
        let printed = first.effectiveConfiguration(of: Options.all).text(isPretty: true)
        #expect(!printed.contains("s3cret"))
        #expect(printed.contains("(hidden)"))
        let second = try settings(file: printed)
        #expect(second.effectiveConfiguration(of: Options.all).text(isPretty: true) == printed)
        #expect(second[Options.allowOrigin] == ["a.example=10.0.0.0/8"])
        #expect(second[Options.json])
    }

    @Test func aSelectorGivenByFlagPutsThoseOfTheEnvironmentAside() throws {
        let selectors = [Options.expired.spec, Options.everything.spec, Options.student.spec]
        let environment = ["HALCYON_ALL": "true"]
        let byFlag = try settings(given: ["student": ["1"]], environment: environment)
        #expect(byFlag.given(among: selectors) == [Options.student.spec])
        #expect(try settings(environment: environment).given(among: selectors) == [Options.everything.spec])
        #expect(try settings().given(among: selectors).isEmpty)
    }
}
