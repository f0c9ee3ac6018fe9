import Foundation
import Testing

@testable import HalcyonHTTP

@Suite(.timeLimit(.minutes(1)))
struct PreconditionsTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT, and a fraction that no HTTP date holds.
    private let modified = Date(timeIntervalSince1970: 784_111_777.6)
    private let now = Date(timeIntervalSince1970: 1_796_040_000)
    private static let same = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let before = "Sun, 06 Nov 1994 08:49:36 GMT"
    private static let after = "Sun, 06 Nov 1994 08:49:38 GMT"

    private func outcome(
        _ fields: HTTPFields, _ method: String = "GET", tag: String? = "\"a\"", exists: Bool = true
    ) -> Preconditions.Outcome {
        Preconditions.evaluate(
            method: method, fields: fields, entityTag: tag.flatMap(EntityTag.init), lastModified: modified, now: now,
            exists: exists)
    }

    @Test(
        "If-None-Match compares weakly: 304 for GET and HEAD, 412 for others (RFC 9110 §13.1.2)",
        arguments: [
            ("\"a\"", true), ("W/\"a\"", true), ("\"b\", \"a\"", true), ("*", true), ("\"b\"", false), ("a", false),
            ("\"A\"", false), ("", false), ("\"a,b\"", false),
        ])
    func ifNoneMatch(value: String, isKnown: Bool) {
        let fields: HTTPFields = [("If-None-Match", value)]
        #expect(outcome(fields) == (isKnown ? .notModified : .proceed))
        #expect(outcome(fields, "HEAD") == (isKnown ? .notModified : .proceed))
        #expect(outcome(fields, "PUT") == (isKnown ? .failed : .proceed))
        #expect(outcome(fields, tag: "W/\"a\"") == (isKnown ? .notModified : .proceed))
    }

    @Test(
        "If-Match compares strongly (RFC 9110 §13.1.1)",
        arguments: [
            ("\"a\"", true), ("\"b\", \"a\"", true), ("*", true), ("W/\"a\"", false), ("\"b\"", false), ("a", false),
            ("", false),
        ])
    func ifMatch(value: String, holds: Bool) {
        let fields: HTTPFields = [("If-Match", value)]
        #expect(outcome(fields) == (holds ? .proceed : .failed))
        #expect(outcome(fields, "DELETE") == (holds ? .proceed : .failed))
        #expect(outcome(fields, tag: "W/\"a\"") == (value == "*" ? .proceed : .failed))
    }

    @Test("A star asks whether there is anything (RFC 9110 §13.1.1, §13.1.2)")
    func aStarAsksWhetherThereIsAnything() {
        #expect(outcome([("If-Match", "*")], "PUT", tag: nil) == .proceed)
        #expect(outcome([("If-Match", "*")], "PUT", tag: nil, exists: false) == .failed)
        #expect(outcome([("If-None-Match", "*")], "PUT", tag: nil, exists: false) == .proceed)
        #expect(outcome([("If-None-Match", "*")], "PUT", tag: nil) == .failed)
    }

    @Test func fieldLinesOfTagsAreOneList() {
        #expect(outcome([("If-None-Match", "\"b\""), ("if-none-match", "W/\"a\"")]) == .notModified)
        #expect(outcome([("If-Match", "\"b\""), ("If-Match", "\"a\"")]) == .proceed)
    }

    @Test(
        "If-Modified-Since, in whole seconds (RFC 9110 §13.1.3)",
        arguments: [
            (same, true), (after, true), ("Sunday, 06-Nov-94 08:49:37 GMT", true), ("Sun Nov  6 08:49:37 1994", true),
            ("Tue, 01 Jan 2999 00:00:00 GMT", true), (before, false), ("yesterday", false), ("", false),
            ("\(same), \(same)", false),
        ])
    func ifModifiedSince(value: String, isUnmodified: Bool) {
        let fields: HTTPFields = [("If-Modified-Since", value)]
        #expect(outcome(fields) == (isUnmodified ? .notModified : .proceed))
        #expect(outcome(fields, "HEAD") == (isUnmodified ? .notModified : .proceed))
        #expect(outcome(fields, "PUT") == .proceed)
    }

    @Test(
        "If-Unmodified-Since (RFC 9110 §13.1.4)",
        arguments: [(same, true), (after, true), (before, false), ("yesterday", true), ("\(before), \(before)", true)])
    func ifUnmodifiedSince(value: String, holds: Bool) {
        let fields: HTTPFields = [("If-Unmodified-Since", value)]
        #expect(outcome(fields) == (holds ? .proceed : .failed))
        #expect(outcome(fields, "PUT") == (holds ? .proceed : .failed))
    }

    @Test func datesAreIgnoredWhenTheLastChangeIsNotKnown() {
        for name in ["If-Modified-Since", "If-Unmodified-Since"] {
            let outcome = Preconditions.evaluate(
                method: "GET", fields: [(name, "Thu, 01 Jan 1970 00:00:00 GMT")], entityTag: nil, lastModified: nil,
                now: now)
            #expect(outcome == .proceed)
        }
    }

    @Test("The order of RFC 9110 §13.2.2")
    func precedence() {
        // Step 2 is skipped when there is an If-Match.
        #expect(outcome([("If-Match", "\"a\""), ("If-Unmodified-Since", Self.before)]) == .proceed)
        // Step 4 is skipped when there is an If-None-Match, even one that matches nothing.
        #expect(outcome([("If-None-Match", "\"b\""), ("If-Modified-Since", Self.after)]) == .proceed)
        // Steps 1 and 2 come before steps 3 and 4.
        #expect(outcome([("If-None-Match", "\"a\""), ("If-Match", "\"b\"")]) == .failed)
        #expect(outcome([("If-Modified-Since", Self.after), ("If-Unmodified-Since", Self.before)]) == .failed)
        #expect(outcome([("If-Match", "\"a\""), ("If-None-Match", "\"a\"")]) == .notModified)
    }

    @Test(
        "Methods that select nothing have no conditions (RFC 9110 §13.2.1)", arguments: ["OPTIONS", "TRACE", "CONNECT"])
    func methodsThatSelectNothingHaveNoConditions(method: String) {
        #expect(outcome([("If-Match", "\"b\""), ("If-None-Match", "\"a\"")], method) == .proceed)
    }

    @Test(
        "If-Range wants the very same representation (RFC 9110 §13.1.5)",
        arguments: [
            (nil, true), ("\"a\"", true), ("\"b\"", false), ("W/\"a\"", false), ("*", false), ("a", false),
            (same, true),
            ("Sunday, 06-Nov-94 08:49:37 GMT", true), (after, false), (before, false), ("", false),
            ("\"a\", \"a\"", false),
        ] as [(String?, Bool)])
    func ifRange(value: String?, applies: Bool) {
        var fields: HTTPFields = [("Range", "bytes=0-1")]
        fields["If-Range"] = value
        let tag = EntityTag("\"a\"")
        #expect(Preconditions.rangeApplies(fields: fields, entityTag: tag, lastModified: modified, now: now) == applies)
        let range = Preconditions.range(
            method: "GET", fields: fields, length: 9, entityTag: tag, lastModified: modified, now: now)
        #expect(range == (applies ? .partial(0..<2) : .whole))
    }

    @Test("A weak tag of ours matches no If-Range (RFC 9110 §8.8.3.2)")
    func aWeakTagOfOursMatchesNoIfRange() {
        for value in ["\"a\"", "W/\"a\""] {
            #expect(
                !Preconditions.rangeApplies(
                    fields: [("If-Range", value)], entityTag: EntityTag("W/\"a\""), lastModified: nil, now: now))
        }
    }

    @Test("A change of the last second has no strong date (RFC 9110 §8.8.2.2)")
    func aChangeOfTheLastSecondHasNoStrongDate() {
        for (seconds, applies) in [(0.5, false), (1.5, true)] {
            #expect(
                Preconditions.rangeApplies(
                    fields: [("If-Range", Self.same)], entityTag: nil, lastModified: modified,
                    now: modified.addingTimeInterval(seconds)) == applies)
        }
    }

    @Test("E-04 Range counts with GET alone (RFC 9110 §14.2)", arguments: ["HEAD", "POST", "PUT", "get"])
    func rangeCountsWithGetAlone(method: String) {
        let range = Preconditions.range(
            method: method, fields: [("Range", "bytes=0-1")], length: 9, entityTag: nil, lastModified: nil, now: now)
        #expect(range == .whole)
    }
}
