/// `application/x-www-form-urlencoded` (WHATWG URL §5.1).
enum FormBody {
    /// - Throws: 400 for an escape that is none, for what is not UTF-8, and for a name given twice.
    static func fields(_ body: [UInt8]) throws(Problem) -> [String: RequestBody.Value] {
        var fields: [String: RequestBody.Value] = [:]
        for item in body.split(separator: UInt8(ascii: "&")) {
            let equals = item.firstIndex(of: UInt8(ascii: "="))
            guard let name = RequestTarget.decode(item[..<(equals ?? item.endIndex)], plusIsSpace: true),
                let text = RequestTarget.decode(equals.map { item[($0 + 1)...] } ?? [], plusIsSpace: true)
            else {
                throw Problem(400, .wrongType, "the form cannot be read: accepted is percent-encoded UTF-8")
            }
            guard add(.text(text), name, to: &fields) else {
                throw .notAllowed(RequestBody.shown(name), "accepted once")
            }
        }
        return fields
    }

    /// Says whether the name was free.
    private static func add(
        _ value: RequestBody.Value, _ name: String, to fields: inout [String: RequestBody.Value]
    ) -> Bool {
        guard name.last == "]", let bracket = name.firstIndex(of: "["), bracket > name.startIndex else {
            return fields.updateValue(value, forKey: name) == nil
        }
        let outer = String(name[..<bracket])
        let key = String(name[name.index(after: bracket)...].dropLast())
        switch fields[outer] {
        case nil: fields[outer] = key.isEmpty ? .list([value]) : .object([key: value])
        case .list(let list) where key.isEmpty: fields[outer] = .list(list + [value])
        case .object(var members) where !key.isEmpty:
            guard members.updateValue(value, forKey: key) == nil else { return false }
            fields[outer] = .object(members)
        default: return false
        }
        return true
    }
}
