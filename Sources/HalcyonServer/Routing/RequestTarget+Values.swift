extension RequestTarget {
    /// The value of an item that may be given once; `nil` if it is not there.
    func single(_ name: String) throws(Problem) -> String? {
        let values = values(of: name)
        guard values.count < 2 else { throw .notAllowed(name, "accepted once") }
        return values.first
    }

    /// A whole number from the query; `nil` if it is not there.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = try single(name) else { return nil }
        return try Self.number(text, name, in: range)
    }

    static func number(_ text: String, _ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int {
        let accepted = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard let number = Int(text), text.utf8.first != UInt8(ascii: "+") else {
            throw .wrongType(name, accepted: accepted)
        }
        guard range.contains(number) else { throw .outOfRange(name, accepted: accepted) }
        return number
    }
}
