import Foundation
import HalcyonHTTP
import Testing

@testable import HalcyonServer

@Suite(.timeLimit(.minutes(1)))
struct RequestBodyTests {
    static let form = "application/x-www-form-urlencoded"

    static func request(_ body: String, _ type: String?) throws -> HTTPRequest {
        HTTPRequest(
            method: "POST", target: try #require(RequestTarget(Array("/x".utf8))), rawTarget: Array("/x".utf8),
            fields: type.map { [("Content-Type", $0)] } ?? [], body: Array(body.utf8), client: "")
    }

    static func body(_ body: String, _ type: String? = form) throws -> RequestBody {
        try RequestBody(try request(body, type))
    }

    static func problem(_ text: String, _ type: String?) throws -> Problem? {
        let request = try request(text, type)
        do throws(Problem) { _ = try RequestBody(request) } catch { return error }
        return nil
    }

    /// What Alamofire's URLEncoding makes of `["studentID": "202110107", "reason": "기타", "detail": "a+b c&d=e%"]`.
    @Test(arguments: [form, "Application/X-WWW-Form-Urlencoded; charset=utf-8", "\(form);charset=\"UTF-8\""])
    func formsAreRead(type: String) throws {
        let body = try Self.body(
            "detail=a%2Bb%20c%26d%3De%25&reason=%EA%B8%B0%ED%83%80&studentID=202110107&plus=a+b&empty=&bare", type)
        #expect(try body.text("detail") == "a+b c&d=e%")
        #expect(try body.text("reason") == "기타")
        #expect(try body.number("studentID", in: 1...Int.max) == 202_110_107)
        #expect(try body.text("plus") == "a b")
        #expect(try body.text("empty") == "")
        #expect(try body.text("bare") == "")
        #expect(try body.text("missing") == nil)
    }

    /// Alamofire's defaults: `flag` as 1 or 0, lists with brackets, dictionaries by key.
    @Test func listsObjectsAndFlagsOfFormsAreRead() throws {
        let body = try Self.body(
            "id%5B%5D=1&id%5B%5D=2&force=1&quiet=false&rootUser%5Bid%5D=u&rootUser%5BnickName%5D=n")
        #expect(try body.numbers("id", in: 1...9) == [1, 2])
        #expect(try body.flag("force"))
        #expect(try !body.flag("quiet"))
        #expect(body["rootUser"] == .object(["id": .text("u"), "nickName": .text("n")]))
    }

    @Test func aFormIsDecodedIntoATypeToo() throws {
        struct Wanted: Decodable, Equatable {
            struct Person: Decodable, Equatable { let id: String }
            let title: String
            let people: [String]
            let author: Person
        }
        let wanted = try JSONBody.decode(
            Wanted.self, from: try Self.request("title=%ED%95%9C&people[]=a&people[]=b&author[id]=7", Self.form))
        #expect(wanted == Wanted(title: "한", people: ["a", "b"], author: .init(id: "7")))
    }

    @Test(arguments: [
        ("a=1&a=2", "a"), ("a=1&%61=2", "a"), ("a[x]=1&a[x]=2", "a[x]"), ("a=1&a[]=2", "a[]"), ("a[]=1&a=2", "a"),
    ])
    func aNameGivenTwiceInAFormIsNamed(text: String, name: String) throws {
        let problem = try #require(try Self.problem(text, Self.form))
        #expect(problem.status == 400)
        #expect(problem.code == .notAllowed)
        #expect(problem.message.hasPrefix("\(name): "))
    }

    @Test(arguments: ["a=%", "a=%2", "a=%zz", "a=%FF", "a=%00", "%E3%81=1"])
    func escapesThatAreNoneAreRefused(text: String) throws {
        #expect(try Self.problem(text, Self.form)?.status == 400)
    }

    /// RFC 8259 §4.
    @Test(arguments: [
        (#"{"a":1,"a":2}"#, "a"), (#"{"a":1,"\u0061":2}"#, "a"), (#"{"o":{"이름":1,"이름":2}}"#, "o.이름"),
        (#"{"l":[{"b":1},{"b":1,"c":{},"b":2}]}"#, "l[1].b"), (#"{"a\"":1,"a\"":2}"#, "a\""),
    ])
    func aMemberNamedTwiceIsNamed(text: String, name: String) throws {
        let problem = try #require(try Self.problem(text, "application/json"))
        #expect(problem.status == 400)
        #expect(problem.message == "\(name): accepted once")
    }

    @Test(arguments: [
        #"{"a":"a","b":["a","a"],"c":{"a":1},"d":{"a":1}}"#, #"{"a":"\\","b":"{\"a\":1,\"a\":2}"}"#, "{}", "",
    ])
    func equalTextsElsewhereAreFine(text: String) throws {
        #expect(try Self.problem(text, nil) == nil)
    }

    @Test(arguments: ["[", "{\"a\":", "{\"a\":["])
    func deepNestingIsRefused(opening: String) throws {
        #expect(try Self.problem(String(repeating: opening, count: 60_000 / opening.utf8.count), nil)?.status == 400)
    }

    @Test(arguments: ["[]", "1", "null", "\"a\"", "{", "{\"a\"", "{\"a\":\"", "{\"a\":1}}", "\\", "\"\\", "{a:1}"])
    func whatIsNoObjectIsRefused(text: String) throws {
        #expect(try Self.problem(text, "application/json")?.status == 400)
    }

    @Test(arguments: [
        "text/plain", "application/xml", "multipart/form-data; boundary=x", "application/json; charset=euc-kr",
        "\(form); charset=utf-16", "json", "", "application/json, text/plain", "application/json; charset",
    ])
    func otherContentIs415(type: String) throws {
        let problem = try #require(try Self.problem("a", type))
        #expect(problem.status == 415)
        #expect(problem.message.contains("accepted"))
    }

    @Test(arguments: [
        "application/json", "application/json;charset=UTF-8", "APPLICATION/JSON ; Charset=\"utf-8\"",
        "application/json; version=\"1;2\"",
    ])
    func jsonIsAccepted(type: String) throws {
        #expect(try Self.body(#"{"a":"b"}"#, type).text("a") == "b")
    }
}
