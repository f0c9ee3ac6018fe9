/// How much of the tree is asked for.
struct NoticeTreeQuery: Sendable {
    typealias Value = RequestBody.Value

    static let commonParameters = [
        RouteNote.Parameter("shallow", .choice(["true", "false"])),
        RouteNote.Parameter("print", .choice(["pretty", "silent"])),
    ]
    static let parameters =
        commonParameters + [
            RouteNote.Parameter("orderBy", .text()), RouteNote.Parameter("limitToFirst", .integer(1...Int(Int32.max))),
            RouteNote.Parameter("limitToLast", .integer(1...Int(Int32.max))),
        ]

    private enum Order {
        case key
        case child(String)
    }

    private let isShallow: Bool
    private let order: Order?
    private let first: Int?
    private let last: Int?

    /// - Throws: 400, also for what that database can do and this cannot: a caller who asks for a part is not given the
    ///   whole.
    init(_ target: RequestTarget) throws(Problem) {
        for name in ["startAt", "startAfter", "endAt", "endBefore", "equalTo"] where try target.single(name) != nil {
            throw .notAllowed(name, "accepted are orderBy with limitToFirst or limitToLast")
        }
        isShallow = try target.choice("shallow", of: ["true", "false"]) == "true"
        let limits = 1...Int(Int32.max)
        first = try target.number("limitToFirst", in: limits)
        last = try target.number("limitToLast", in: limits)
        order = try target.single("orderBy").map { (text) throws(Problem) in
            // A JSON string, quotes and all.
            guard text.count > 2, text.hasPrefix("\""), text.hasSuffix("\"") else {
                throw .wrongType("orderBy", accepted: #""$key" or the name of a child, in double quotes"#)
            }
            return text == "\"$key\"" ? .key : .child(String(text.dropFirst().dropLast()))
        }
        guard first == nil && last == nil || order != nil else {
            throw .missing("orderBy", accepted: "an order, where there is a limit")
        }
        guard first == nil || last == nil else { throw .notAllowed("limitToLast", "not beside limitToFirst") }
    }

    /// Those asked for; `null` for none.
    func selected(_ notices: [String: Value]) -> Value {
        let keys =
            switch order {
            case nil: Array(notices.keys)
            case .key: notices.keys.sorted()
            case .child(let name):
                notices.keys.sorted { left, right in
                    (Self.text(notices[left], name), left) < (Self.text(notices[right], name), right)
                }
            }
        let chosen = first.map { keys.prefix($0) } ?? last.map { keys.suffix($0) } ?? keys[...]
        guard !chosen.isEmpty else { return .null }
        return shallowed(.object(chosen.reduce(into: [:]) { $0[$1] = notices[$1] }))
    }

    /// With `shallow=true`, of an object only its keys.
    func shallowed(_ value: Value) -> Value {
        guard isShallow, case .object(let members) = value else { return value }
        return .object(members.mapValues { _ in .flag(true) })
    }

    private static func text(_ notice: Value?, _ name: String) -> String {
        if case .text(let text) = notice?.child(name) { text } else { "" }
    }
}
